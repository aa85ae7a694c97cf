// The use of faces within the default limits, for tests in which costs do not matter.

package import Fonts
package import ImageCore
package import VectorGraphics

extension FontFace {
  package func outline(of glyph: GlyphID) throws(CodecError) -> Path? {
    var budget = ResourceBudget(.default)
    return try outline(of: glyph, budget: &budget)
  }

  package func advance(of glyph: GlyphID) throws(CodecError) -> Double {
    var budget = ResourceBudget(.default)
    return try advance(of: glyph, budget: &budget)
  }

  package func verticalOrigin(of glyph: GlyphID) throws(CodecError) -> (x: Double, y: Double) {
    var budget = ResourceBudget(.default)
    return try verticalOrigin(of: glyph, budget: &budget)
  }

  package func colorGlyph(
    of glyph: GlyphID, foreground: Color = .black, palette: PaletteSelection = .standard
  ) throws(CodecError) -> ColorGlyph? {
    var budget = ResourceBudget(.default)
    return try colorGlyph(of: glyph, foreground: foreground, palette: palette, budget: &budget)
  }

  package func instance(variations: [(tag: Tag, value: Double)]) throws(CodecError) -> FontFace {
    var budget = ResourceBudget(.default)
    return try instance(variations: variations, budget: &budget)
  }
}

extension FontProvider {
  package func face(matching query: FontQuery) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try face(matching: query, budget: &budget)
  }

  package func face(fullName name: String) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try face(fullName: name, budget: &budget)
  }

  package func fallback(
    for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []
  ) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try fallback(for: scalar, like: face, excluding: excluding, budget: &budget)
  }
}
