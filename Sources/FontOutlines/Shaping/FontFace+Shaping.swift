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
    // Text of a script that runs to the right is substituted in that direction even where a line runs to the left.
    let native: TextDirection =
      direction == .rightToLeft && !script.isIndefinite && !script.runsToTheLeft ? .leftToRight : direction
    let leftward = direction == .leftToRight && script.runsToTheLeft ? .rightToLeft : native
    let key = ShapePlan.Key(
      script: script, direction: leftward, language: language, features: features, coordinates: coordinates)
    let (layout, plan) = tables.plan(for: key)
    var shaper = Shaper(face: self, layout: layout, plan: plan, native: leftward, wanted: direction)
    return shaper.shape(text, range: range)
  }
}

extension Script {
  /// Whether lines of the script run from right to left.
  package var runsToTheLeft: Bool { Script.leftward.contains(self) }

  private static let leftward: Set<Script> = [
    "Arab", "Hebr", "Syrc", "Thaa", "Cprt", "Khar", "Phnx", "Nkoo", "Lydi", "Avst", "Armi", "Phli", "Prti", "Sarb",
    "Orkh", "Samr", "Mand", "Merc", "Mero", "Mani", "Mend", "Nbat", "Narb", "Palm", "Phlp", "Hatr", "Adlm", "Rohg",
    "Sogo", "Sogd", "Elym", "Chrs", "Yezi", "Ougr",
  ]
}
