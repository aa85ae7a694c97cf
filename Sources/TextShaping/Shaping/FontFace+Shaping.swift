// Converts characters to positioned glyphs.

@_exported public import Fonts
package import ImageCore

extension FontFace {
  /// The work units for a run, besides its characters, and for a setting of a feature.
  private static let workPerRun = 1_500
  private static let workPerSetting = 40

  /// Shapes a run of text in one script, direction and language. Glyphs are returned in visual order: in horizontal
  /// text, from left to right.
  ///
  /// Default features (ligatures, kerning, marks, joining forms) are enabled, and the syllables of scripts such as
  /// Devanagari, Khmer, Myanmar or Balinese are reordered.
  ///
  /// - Parameters:
  ///   - text: the paragraph; the characters around `range` determine how letters join at its ends.
  ///   - range: the part to shape.
  ///   - language: a BCP 47 tag such as `"tr"`.
  ///   - features: settings for the whole run; if a feature occurs twice, the last setting wins.
  ///   - budget: charged for each stage, and for the memory of glyphs beyond one for each character, which stays charged.
  /// - Throws: the errors of the budget.
  package func shape(
    _ text: [Unicode.Scalar], range: Range<Int>, script: Script, direction: TextDirection, language: String? = nil,
    features: [FontFeature] = [], budget: inout ResourceBudget
  ) throws(CodecError) -> [ShapedGlyph] {
    try budget.chargeWork(Self.workPerRun + features.count * Self.workPerSetting)
    let range = range.clamped(to: text.indices)
    let native = nativeDirection(text[range], script: script, wanted: direction)
    let key = ShapePlan.Key(
      script: script, direction: native, language: language, features: features, coordinates: coordinates)
    let (layout, plan) = try ShapePlans.of(self).plan(for: key, budget: &budget)
    var shaper = Shaper(face: self, layout: layout, plan: plan, native: native, wanted: direction)
    return try shaper.shape(text, range: range, budget: &budget)
  }
}

extension FontFace {
  /// Returns whether the font has substitutions of a feature for a script and language.
  ///
  /// - Parameter budget: charged for the records of the font that are looked through.
  /// - Throws: the errors of the budget.
  package func substitutes(
    _ feature: Tag, script: Script, language: String? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let substitution = try ShapePlans.of(self).layout(budget: &budget).substitution
    return try substitution.languageSystem(
      scripts: OpenTypeTags.scripts(for: script), languages: OpenTypeTags.languages(for: language), budget: &budget
    )?.features.contains { $0.tag == feature } ?? false
  }

  /// The direction in which substitutions are applied: that of the script, even if the line runs the other way.
  private func nativeDirection(
    _ text: ArraySlice<Unicode.Scalar>, script: Script, wanted: TextDirection
  ) -> TextDirection {
    guard wanted.isHorizontal, !Script.bothWays.contains(script) else { return wanted }
    guard script.runsToTheLeft else { return .leftToRight }
    // Digits run to the right in all scripts.
    let hasDigits = text.contains { $0.properties.generalCategory == .decimalNumber }
    let hasLetters = text.contains { $0.properties.isAlphabetic }
    return wanted == .leftToRight && hasDigits && !hasLetters ? .leftToRight : .rightToLeft
  }
}

extension Script {
  /// Whether the script is written from right to left.
  package var runsToTheLeft: Bool { Script.leftward.contains(self) }

  /// Scripts that have been written in both directions.
  fileprivate static let bothWays: Set<Script> = ["Hung", "Ital", "Runr", "Tfng"]

  private static let leftward: Set<Script> = [
    "Arab", "Hebr", "Syrc", "Thaa", "Cprt", "Khar", "Phnx", "Nkoo", "Lydi", "Avst", "Armi", "Phli", "Prti", "Sarb",
    "Orkh", "Samr", "Mand", "Merc", "Mero", "Mani", "Mend", "Nbat", "Narb", "Palm", "Phlp", "Hatr", "Adlm", "Rohg",
    "Sogo", "Sogd", "Elym", "Chrs", "Yezi", "Ougr",
  ]
}
