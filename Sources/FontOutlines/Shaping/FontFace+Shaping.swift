// From characters to glyphs in their places.

internal import ImageCore

extension FontFace {
  /// The glyphs of a run of text of one script, direction and language, in visual order: what stands at the left of
  /// horizontal text comes first.
  ///
  /// Features that text has without asking (ligatures, kerning, marks, forms of joining letters) are on. The syllables of
  /// scripts that ``Script/needsReordering`` names stay in the order of their characters.
  ///
  /// - Parameters:
  ///   - text: the paragraph; characters around `range` decide how letters join at its ends.
  ///   - range: what is shaped.
  ///   - language: a BCP 47 tag such as `"tr"`.
  ///   - features: settings over the whole run; of one feature the last setting counts.
  package func shape(
    _ text: [Unicode.Scalar], range: Range<Int>, script: Script, direction: TextDirection, language: String? = nil,
    features: [FontFeature] = []
  ) -> [ShapedGlyph] {
    let range = range.clamped(to: text.indices)
    let native = nativeDirection(text[range], script: script, wanted: direction)
    let key = ShapePlan.Key(
      script: script, direction: native, language: language, features: features, coordinates: coordinates)
    let (layout, plan) = tables.plan(for: key)
    var shaper = Shaper(face: self, layout: layout, plan: plan, native: native, wanted: direction)
    return shaper.shape(text, range: range)
  }
}

extension FontFace {
  /// The direction that a run is substituted in: that of its script, also where the line runs the other way.
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
  /// Whether lines of the script run from right to left.
  package var runsToTheLeft: Bool { Script.leftward.contains(self) }

  /// Scripts that were written either way.
  fileprivate static let bothWays: Set<Script> = ["Hung", "Ital", "Runr", "Tfng"]

  private static let leftward: Set<Script> = [
    "Arab", "Hebr", "Syrc", "Thaa", "Cprt", "Khar", "Phnx", "Nkoo", "Lydi", "Avst", "Armi", "Phli", "Prti", "Sarb",
    "Orkh", "Samr", "Mand", "Merc", "Mero", "Mani", "Mend", "Nbat", "Narb", "Palm", "Phlp", "Hatr", "Adlm", "Rohg",
    "Sogo", "Sogd", "Elym", "Chrs", "Yezi", "Ougr",
  ]
}
