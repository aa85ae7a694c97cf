// The properties by which characters form grapheme clusters (Unicode Standard Annex 29, section 3.1): a combination of
// Grapheme_Cluster_Break, Indic_Conjunct_Break, Extended_Pictographic and Emoji_Presentation.

/// The class of a character within grapheme clusters.
enum GraphemeClass: UInt8 {
  case other, carriageReturn, lineFeed, control
  /// The zero width non-joiner, which continues a cluster but separates consonants.
  case nonJoiner
  /// A mark that continues a cluster.
  case extending
  /// A sign that joins consonants.
  case linker
  case joiner
  case regionalIndicator, prepended, spacingMark
  case hangulL, hangulV, hangulT, hangulLV, hangulLVT
  /// A consonant of a script whose conjuncts are one cluster.
  case consonant
  /// A pictograph that is text by default, and one that is an emoji by default.
  case pictograph, emoji

  init(_ scalar: Unicode.Scalar) {
    // Most text is of the characters that the table begins with.
    if (0x20..<0x7F).contains(scalar.value) {
      self = .other
    } else {
      self = GraphemeClass(rawValue: UnicodeRuns.value(of: scalar, in: Self.runStarts)) ?? .other
    }
  }
}
