// Changes to the line breaking rules that `word-break` and `line-break` of CSS Text 3 (sections 5.2 and 5.3) make.

/// The changes to the rules of line breaking for a character.
package struct LineBreakTailoring: Hashable, Sendable {
  /// Breaks within words.
  package enum Words: Hashable, Sendable {
    case normal
    /// Lines break between all letters.
    case broken
    /// Lines do not break between ideographs or Korean syllables either.
    case kept
  }

  /// The strictness of the rules for Japanese.
  package enum Strictness: Hashable, Sendable {
    /// The rules of the standard.
    case strict
    /// Small Kana and the prolonged sound mark may begin a line.
    case normal
    /// Iteration marks and ellipses may also begin a line.
    case loose
  }

  package var words: Words
  package var strictness: Strictness

  package init(words: Words = .normal, strictness: Strictness = .strict) {
    self.words = words
    self.strictness = strictness
  }

  static let wordClasses: LineBreakClasses = [
    .alphabetic, .hebrewLetter, .numeric, .ideographic, .hangulL, .hangulV, .hangulT, .hangulLV, .hangulLVT,
    .nonstarter,
  ]
  private static let letters: LineBreakClasses = [.alphabetic, .hebrewLetter, .numeric]

  func resolved(_ value: LineBreakClass, of scalar: Unicode.Scalar) -> LineBreakClass {
    if words == .broken, Self.letters.contains(value) { return .ideographic }
    guard strictness != .strict, value == .nonstarter || value == .inseparable else { return value }
    let isSmall = scalar == "\u{30FC}" || scalar == "\u{FF70}" || CharacterForms.fullSizeKana(scalar) != scalar
    if isSmall { return .ideographic }
    return strictness == .loose && isIterationMark(scalar) ? .ideographic : value
  }

  private func isIterationMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3005, 0x303B, 0x309D, 0x309E, 0x30FD, 0x30FE, 0x2025, 0x2026: true
    default: false
    }
  }
}
