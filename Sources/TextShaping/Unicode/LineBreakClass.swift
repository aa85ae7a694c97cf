// The Line_Break property (Unicode Standard Annex 14), resolved as rule LB1 does without dictionaries.

/// The line breaking class of a character.
enum LineBreakClass: UInt8 {
  case unknown, mandatory, carriageReturn, lineFeed, nextLine, space, zeroWidthSpace, wordJoiner, joiner, glue
  case combiningMark, after, hyphen, before, both, contingent, closing, closingParenthesis, exclamation, inseparable
  case nonstarter, opening, quotation, infixSeparator, numeric, postfix, prefix, symbol, alphabetic, hebrewLetter
  case ideographic, emojiBase, emojiModifier, hangulLV, hangulLVT, hangulL, hangulV, hangulT, regionalIndicator
  /// Opening punctuation and closing parentheses as wide as an ideograph.
  case wideOpening, wideClosingParenthesis
  /// Code points reserved for emoji.
  case unassignedEmoji

  init(_ scalar: Unicode.Scalar) {
    self = LineBreakClass(rawValue: UnicodeRuns.value(of: scalar, in: Self.runStarts)) ?? .alphabetic
  }
}

/// A set of line breaking classes.
struct LineBreakClasses: Sendable, ExpressibleByArrayLiteral {
  private let bits: UInt64

  init(arrayLiteral elements: LineBreakClass...) {
    bits = elements.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  @inline(__always)
  func contains(_ value: LineBreakClass) -> Bool { bits >> UInt64(value.rawValue) & 1 != 0 }
}
