// Fonts: parsing and use of all their features.

import ImageCoding
import TextShaping

private let runs: [(text: [Unicode.Scalar], script: Script, direction: TextDirection)] = [
  (Array("fi ffi AVA A\u{301}x\u{323} xx BoT d\u{FE00} 1\u{2044}2".unicodeScalars), .latin, .leftToRight),
  (Array("\u{628}\u{644}\u{627}\u{64E}\u{62D}\u{62D}(\u{200D}".unicodeScalars), .arabic, .rightToLeft),
  (Array("AVo".unicodeScalars), "Hani", .topToBottom),
  (
    Array("\u{930}\u{94D}\u{915}\u{94D}\u{930}\u{93F}\u{902}\u{905}\u{94B}\u{93F}".unicodeScalars), "Deva", .leftToRight
  ),
  (Array("\u{D15}\u{D4D}\u{D30}\u{D4B}\u{D4E}\u{D15}\u{200D}".unicodeScalars), "Mlym", .leftToRight),
  (Array("\u{179F}\u{17D2}\u{178F}\u{17D2}\u{179A}\u{17BE}\u{17C1}".unicodeScalars), "Khmr", .leftToRight),
  (Array("\u{1004}\u{103A}\u{1039}\u{1002}\u{103C}\u{1031}\u{1037}".unicodeScalars), "Mymr", .leftToRight),
  (Array("\u{A9AB}\u{A9C0}\u{A98F}\u{A9BF}\u{A9BA}\u{A9B4}".unicodeScalars), "Java", .leftToRight),
]

/// Parses a font and uses all its features.
func fuzzFont(_ bytes: [UInt8]) {
  for index in 0..<min(FontFace.faceCount(bytes), 2) {
    guard let face = try? FontFace(parsing: bytes, index: index) else { continue }
    use(face)
    var budget = ResourceBudget(.default)
    if let axis = face.axes.first,
      let instance = try? face.instance(
        variations: [(axis.tag, (axis.defaultValue + axis.maximum) / 2)], budget: &budget)
    {
      use(instance)
    }
  }
  let provider = FontProvider(data: [bytes])
  var budget = ResourceBudget(.default)
  _ = try? provider.fallback(for: "A", like: nil, budget: &budget)
}

private func use(_ face: FontFace) {
  var budget = ResourceBudget(.default)
  for number in 0..<min(face.glyphCount, 16) {
    let glyph = GlyphID(UInt16(number))
    _ = try? face.outline(of: glyph, budget: &budget)
    _ = try? face.advance(of: glyph, budget: &budget)
    _ = try? face.verticalAdvance(of: glyph, budget: &budget)
    _ = try? face.verticalOrigin(of: glyph, budget: &budget)
    _ = try? face.colorGlyph(of: glyph, budget: &budget)
  }
  _ = (face.ascender, face.descender, face.lineGap, face.xHeight, face.capHeight, face.underline, face.strikeout)
  for run in runs {
    let glyphs =
      (try? face.shape(
        run.text, range: run.text.indices, script: run.script, direction: run.direction,
        features: [FontFeature("salt", 2), FontFeature("smcp")], budget: &budget)) ?? []
    precondition(glyphs.allSatisfy { run.text.indices.contains($0.cluster) })
  }
}
