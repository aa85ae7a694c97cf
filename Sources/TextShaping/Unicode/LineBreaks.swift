// Where lines of text may or must break (Unicode Standard Annex 14, Unicode Line Breaking Algorithm).

/// The opportunities to break lines of a text.
package enum LineBreak: UInt8, Sendable {
  case prohibited, allowed, mandatory

  /// Returns the opportunity before each character; the one before the first is prohibited.
  ///
  /// Numbers are kept together with their signs, units and punctuation (section 8.2, example 7). Text of scripts that
  /// separate words only by meaning, such as Thai, breaks at spaces. Linear in the length of the text.
  ///
  /// - Parameter tailoring: returns how the rules are changed for a character.
  package static func opportunities(
    in scalars: [Unicode.Scalar], tailoring: ((Int) -> LineBreakTailoring)? = nil
  ) -> [LineBreak] {
    var result = [LineBreak](repeating: .prohibited, count: scalars.count)
    let units = LineBreakUnit.units(of: scalars, tailoring)
    var state = LineBreakState()
    for index in units.indices.dropFirst() {
      let next = index + 1 < units.count ? units[index + 1].value : nil
      let opportunity = state.opportunity(between: units[index - 1], and: units[index], next: next)
      let isWithinWord = units[index - 1].isKept && units[index].isKept
      result[units[index].start] = opportunity == .allowed && isWithinWord ? .prohibited : opportunity
    }
    return result
  }
}

/// A character with the marks that follow it (rules LB9 and LB10).
private struct LineBreakUnit {
  var start: Int
  var value: LineBreakClass
  /// Whether the last character is a zero width joiner.
  var endsWithJoiner: Bool
  /// Whether no line breaks between this unit and another one of the kind.
  var isKept = false

  private static let separators: LineBreakClasses = [
    .mandatory, .carriageReturn, .lineFeed, .nextLine, .space, .zeroWidthSpace,
  ]

  static func units(
    of scalars: [Unicode.Scalar], _ tailoring: ((Int) -> LineBreakTailoring)?
  ) -> [LineBreakUnit] {
    var units: [LineBreakUnit] = []
    units.reserveCapacity(scalars.count)
    for (index, scalar) in scalars.enumerated() {
      let tailored = tailoring?(index) ?? LineBreakTailoring()
      let value = tailored.resolved(LineBreakClass(scalar), of: scalar)
      let isMark = value == .combiningMark || value == .joiner
      if isMark, let last = units.last, !separators.contains(last.value) {
        units[units.count - 1].endsWithJoiner = value == .joiner
      } else {
        units.append(
          LineBreakUnit(
            start: index, value: isMark ? .alphabetic : value, endsWithJoiner: value == .joiner,
            isKept: tailored.words == .kept && LineBreakTailoring.wordClasses.contains(value)))
      }
    }
    return units
  }
}

/// The state of the line-breaking rules at a position.
private struct LineBreakState {
  private enum Number {
    case none
    /// Within a number, and after a closing punctuation mark that follows one.
    case open, closed
  }

  private var number = Number.none
  /// The class of the last character that is not a space.
  private var beforeSpaces: LineBreakClass?
  private var beforePrevious: LineBreakClass?
  private var regionalIndicatorCount = 0

  private static let letters: LineBreakClasses = [.alphabetic, .hebrewLetter]
  private static let affixes: LineBreakClasses = [.prefix, .postfix]
  private static let openings: LineBreakClasses = [.opening, .wideOpening]
  private static let closings: LineBreakClasses = [.closing, .closingParenthesis, .wideClosingParenthesis]
  private static let ideographs: LineBreakClasses = [.ideographic, .unassignedEmoji, .emojiBase, .emojiModifier]
  private static let hangul: LineBreakClasses = [.hangulL, .hangulV, .hangulT, .hangulLV, .hangulLVT]
  private static let hardBreaks: LineBreakClasses = [.mandatory, .carriageReturn, .lineFeed, .nextLine]

  mutating func opportunity(between a: LineBreakUnit, and b: LineBreakUnit, next: LineBreakClass?) -> LineBreak {
    advance(a.value)
    defer { beforePrevious = a.value }
    if a.value == .carriageReturn, b.value == .lineFeed { return .prohibited }
    if Self.hardBreaks.contains(a.value) { return .mandatory }
    if Self.hardBreaks.contains(b.value) || b.value == .space || b.value == .zeroWidthSpace { return .prohibited }
    if beforeSpaces == .zeroWidthSpace { return .allowed }
    if a.endsWithJoiner { return .prohibited }
    return isProhibited(a.value, b.value, next: next) ? .prohibited : .allowed
  }

  /// Takes note of the unit before the position.
  private mutating func advance(_ value: LineBreakClass) {
    if value != .space { beforeSpaces = value }
    regionalIndicatorCount = value == .regionalIndicator ? regionalIndicatorCount + 1 : 0
    switch value {
    case .numeric: number = .open
    case .symbol, .infixSeparator: number = number == .open ? .open : .none
    case .closing, .closingParenthesis, .wideClosingParenthesis: number = number == .open ? .closed : .none
    default: number = .none
    }
  }

  /// Rules LB11 to LB30b.
  private func isProhibited(_ a: LineBreakClass, _ b: LineBreakClass, next: LineBreakClass?) -> Bool {
    punctuationProhibits(a, b) ?? wordsProhibit(a, b, next: next)
  }

  /// Rules LB11 to LB20: `nil` if none applies.
  private func punctuationProhibits(_ a: LineBreakClass, _ b: LineBreakClass) -> Bool? {
    if a == .wordJoiner || b == .wordJoiner || a == .glue { return true }
    if b == .glue, a != .space, a != .after, a != .hyphen { return true }
    if b == .exclamation { return true }
    if a != .numeric, Self.closings.contains(b) || b == .infixSeparator || b == .symbol { return true }
    let last = beforeSpaces ?? a
    if Self.openings.contains(last) { return true }
    if last == .quotation, Self.openings.contains(b) { return true }
    if Self.closings.contains(last), b == .nonstarter { return true }
    if last == .both, b == .both { return true }
    if a == .space { return false }
    if a == .quotation || b == .quotation { return true }
    if a == .contingent || b == .contingent { return false }
    return nil
  }

  /// Rules LB21 to LB30b.
  private func wordsProhibit(_ a: LineBreakClass, _ b: LineBreakClass, next: LineBreakClass?) -> Bool {
    if b == .after || b == .hyphen || b == .nonstarter || a == .before { return true }
    if beforePrevious == .hebrewLetter, a == .hyphen || a == .after { return true }
    if a == .symbol, b == .hebrewLetter { return true }
    if b == .inseparable { return true }
    let (aIsLetter, bIsLetter) = (Self.letters.contains(a), Self.letters.contains(b))
    if aIsLetter && b == .numeric || a == .numeric && bIsLetter { return true }
    if a == .prefix, Self.ideographs.contains(b) { return true }
    if b == .postfix, Self.ideographs.contains(a) { return true }
    if Self.affixes.contains(a) && bIsLetter || aIsLetter && Self.affixes.contains(b) { return true }
    if numberProhibits(a, b, next: next) { return true }
    if hangulProhibits(a, b) { return true }
    if aIsLetter && bIsLetter || a == .infixSeparator && bIsLetter { return true }
    if aIsLetter || a == .numeric, b == .opening { return true }
    if a == .closingParenthesis, bIsLetter || b == .numeric { return true }
    if a == .regionalIndicator, b == .regionalIndicator { return !regionalIndicatorCount.isMultiple(of: 2) }
    return b == .emojiModifier && (a == .emojiBase || a == .unassignedEmoji)
  }

  /// Rule LB25 as customized: numbers with prefix, sign, brackets, separators and postfix.
  private func numberProhibits(_ a: LineBreakClass, _ b: LineBreakClass, next: LineBreakClass?) -> Bool {
    let aCanOpen = Self.openings.contains(a) || a == .hyphen
    let bCanOpen = Self.openings.contains(b) || b == .hyphen
    if Self.affixes.contains(a), b == .numeric || bCanOpen && next == .numeric { return true }
    if aCanOpen, b == .numeric { return true }
    switch number {
    case .none: return false
    case .closed: return Self.affixes.contains(b)
    case .open:
      return b == .numeric || b == .symbol || b == .infixSeparator || Self.closings.contains(b)
        || Self.affixes.contains(b)
    }
  }

  /// Rules LB26 and LB27.
  private func hangulProhibits(_ a: LineBreakClass, _ b: LineBreakClass) -> Bool {
    switch a {
    case .hangulL where b != .hangulT && Self.hangul.contains(b): return true
    case .hangulV where b == .hangulV || b == .hangulT, .hangulLV where b == .hangulV || b == .hangulT: return true
    case .hangulT where b == .hangulT, .hangulLVT where b == .hangulT: return true
    default: return Self.hangul.contains(a) && b == .postfix || a == .prefix && Self.hangul.contains(b)
    }
  }
}
