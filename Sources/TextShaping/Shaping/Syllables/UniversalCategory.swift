// The categories of characters in the grammar of the Universal Shaping Engine (OpenType, Universal Shaping Engine).

/// The category of a character.
enum UniversalCategory: UInt8 {
  case other, base, baseNumber, otherBase, joinerMark, subjoined, halant, numberHalant, nonJoiner, wordJoiner, repha
  case stackerConsonant, invisibleStacker, sakot, hieroglyph, hieroglyphJoiner, segmentBegin, segmentEnd
  case halantOrVowelModifier
  case finalAbove, finalBelow, finalAfter, medialAbove, medialBelow, medialAfter, medialBefore
  case modifierAbove, modifierBelow, vowelAbove, vowelBelow, vowelAfter, vowelBefore
  case vowelModifierAbove, vowelModifierBelow, vowelModifierAfter, vowelModifierBefore
  case symbolAbove, symbolBelow, finalModifierAbove, finalModifierBelow, finalModifierAfter

  /// The names of the categories in the grammar.
  static let symbols = [
    "O", "B", "N", "GB", "CGJ", "SUB", "H", "HN", "ZWNJ", "WJ", "R", "CS", "IS", "Sk", "G", "J", "SB", "SE", "HVM",
    "FAbv", "FBlw", "FPst", "MAbv", "MBlw", "MPst", "MPre", "CMAbv", "CMBlw", "VAbv", "VBlw", "VPst", "VPre", "VMAbv",
    "VMBlw", "VMPst", "VMPre", "SMAbv", "SMBlw", "FMAbv", "FMBlw", "FMPst",
  ]

  /// Returns the value of a character's category.
  static func value(of character: UInt32) -> UInt8 {
    Unicode.Scalar(character).map { UnicodeRuns.value(of: $0, in: runStarts) } ?? 0
  }

  /// Whether the category is of glyphs after the base, before which a repha is reordered.
  var isPostBase: Bool {
    switch self {
    case .finalAbove, .finalBelow, .finalAfter, .medialAbove, .medialBelow, .medialAfter, .medialBefore, .vowelAbove,
      .vowelBelow, .vowelAfter, .vowelBefore, .vowelModifierAbove, .vowelModifierBelow, .vowelModifierAfter,
      .vowelModifierBefore, .finalModifierAbove, .finalModifierBelow, .finalModifierAfter:
      true
    default: false
    }
  }
}
