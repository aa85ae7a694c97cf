// Extended grapheme clusters (Unicode Standard Annex 29, section 3): what users perceive as characters. The standard
// library has the rules too, but of a version that depends on the operating system.

/// The extended grapheme clusters of a text, as ranges of its characters in order.
package struct GraphemeClusters: Sequence, IteratorProtocol {
  private let scalars: [Unicode.Scalar]
  private let end: Int
  private var start: Int
  /// The class of the character at `start`.
  private var first: GraphemeClass

  /// Finds the clusters of a text, or of a part of it as if it were the whole.
  package init(_ scalars: [Unicode.Scalar], in range: Range<Int>? = nil) {
    self.scalars = scalars
    start = range?.lowerBound ?? 0
    end = range?.upperBound ?? scalars.count
    first = start < end ? GraphemeClass(scalars[start]) : .other
  }

  /// Returns the next cluster; `nil` at the end.
  package mutating func next() -> Range<Int>? {
    guard start < end else { return nil }
    var state = GraphemeState(first)
    var index = start + 1
    while index < end {
      first = GraphemeClass(scalars[index])
      if state.breaks(before: first) { break }
      index += 1
    }
    defer { start = index }
    return start..<index
  }
}

/// The state of the grapheme cluster rules after the characters of a cluster.
private struct GraphemeState {
  private enum Conjunct {
    case none
    /// A consonant and marks.
    case consonant
    /// The same with a sign that joins it to the next consonant.
    case linked
  }

  private enum Emoji {
    case none
    /// A pictograph and marks.
    case pictograph
    /// The same and a joiner.
    case joined
  }

  private var previous: GraphemeClass
  private var conjunct = Conjunct.none
  private var emoji = Emoji.none
  private var hasOddIndicators: Bool

  init(_ first: GraphemeClass) {
    previous = first
    hasOddIndicators = first == .regionalIndicator
    note(first)
  }

  /// Returns whether a cluster ends before a character, which otherwise becomes part of it.
  mutating func breaks(before next: GraphemeClass) -> Bool {
    if isBreak(next) { return true }
    hasOddIndicators = next == .regionalIndicator && !hasOddIndicators
    note(next)
    previous = next
    return false
  }

  private func isBreak(_ next: GraphemeClass) -> Bool {
    switch (previous, next) {
    // GB3 to GB5.
    case (.carriageReturn, .lineFeed): false
    case (.carriageReturn, _), (.lineFeed, _), (.control, _): true
    case (_, .carriageReturn), (_, .lineFeed), (_, .control): true
    // GB6 to GB8.
    case (.hangulL, .hangulL), (.hangulL, .hangulV), (.hangulL, .hangulLV), (.hangulL, .hangulLVT): false
    case (.hangulLV, .hangulV), (.hangulV, .hangulV), (.hangulLV, .hangulT), (.hangulV, .hangulT): false
    case (.hangulLVT, .hangulT), (.hangulT, .hangulT): false
    // GB9 to GB9b.
    case (_, .nonJoiner), (_, .extending), (_, .linker), (_, .joiner), (_, .spacingMark), (.prepended, _): false
    // GB9c.
    case (_, .consonant) where conjunct == .linked: false
    // GB11.
    case (_, .pictograph), (_, .emoji): emoji != .joined
    // GB12 and GB13.
    case (.regionalIndicator, .regionalIndicator): !hasOddIndicators
    default: true
    }
  }

  /// Follows the sequences of GB9c and GB11.
  private mutating func note(_ value: GraphemeClass) {
    switch value {
    case .consonant: conjunct = .consonant
    case .linker: if conjunct != .none { conjunct = .linked }
    case .extending, .joiner: break
    default: conjunct = .none
    }
    switch value {
    case .pictograph, .emoji: emoji = .pictograph
    case .joiner: emoji = emoji == .pictograph ? .joined : .none
    case .extending, .linker, .nonJoiner: if emoji == .joined { emoji = .none }
    default: emoji = .none
    }
  }
}
