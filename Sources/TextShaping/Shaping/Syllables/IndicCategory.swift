// The categories of characters in the grammars of the Indic, Khmer and Myanmar scripts (OpenType, developing fonts for
// these scripts).

/// The category of a character.
enum IndicCategory: UInt8, CaseIterable {
  case other
  case consonant, independentVowel, nukta, halant, nonJoiner, joiner, vowelSign, syllableModifier, vedicSign
  case variationSelector, placeholder, dottedCircle, registerShifter, postBaseVowelSign, repha, ra, medialConsonant
  case symbol, consonantWithStacker
  /// Vowel signs of Khmer and Myanmar.
  case vowelAbove, vowelBelow, vowelBefore, vowelAfter
  /// Khmer.
  case robatic, xGroup, yGroup
  /// Myanmar.
  case unusedVowel, asat, medialHa, medialRa, medialWa, medialYa, pwoTone, medialLa

  /// The names of the categories in grammars.
  static let symbols = [
    "X", "C", "V", "N", "H", "ZWNJ", "ZWJ", "M", "SM", "A", "VS", "PLACEHOLDER", "DOTTEDCIRCLE", "RS", "MPst", "Repha",
    "Ra", "CM", "Symbol", "CS", "VAbv", "VBlw", "VPre", "VPst", "Robatic", "Xgroup", "Ygroup", "IV", "As", "MH", "MR",
    "MW", "MY", "PT", "ML",
  ]

  /// Returns the value of a character's category.
  static func value(of character: UInt32) -> UInt8 {
    Unicode.Scalar(character).map { UnicodeRuns.value(of: $0, in: runStarts) } ?? 0
  }
}

/// The reordering class of a glyph within its syllable: glyphs are sorted by it.
enum IndicPlace: UInt8 {
  case start, reph, preMatra, preBase, base, afterMain, aboveBase, beforeSub, belowBase, afterSub, beforePost
  case postBase, afterPost, modifiers, end

  /// Returns the value of a character's reordering class.
  static func value(of character: UInt32) -> UInt8 {
    Unicode.Scalar(character).map { UnicodeRuns.value(of: $0, in: runStarts) } ?? end.rawValue
  }
}

/// A set of categories.
struct CategorySet {
  private let bits: UInt64

  init(_ categories: IndicCategory...) {
    bits = categories.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  /// Whether the set contains a glyph's category.
  @inline(__always)
  func contains(_ info: GlyphInfo) -> Bool { bits >> UInt64(info.category) & 1 != 0 }
}

extension GlyphInfo {
  /// Whether the glyph has a category.
  func isOf(_ wanted: IndicCategory) -> Bool { category == wanted.rawValue }
}

extension GlyphBuffer {
  /// Assigns the category and reordering class of each character.
  mutating func assignIndicCategories() {
    for index in infos.indices {
      infos[index].category = IndicCategory.value(of: infos[index].character)
      infos[index].place = IndicPlace.value(of: infos[index].character)
    }
  }
}
