// The use of faces within the default limits, for tests in which costs do not matter.

import ImageCore
import TextShaping
import VectorGraphics

extension FontFace {
  func outline(of glyph: GlyphID) throws(CodecError) -> Path? {
    var budget = ResourceBudget(.default)
    return try outline(of: glyph, budget: &budget)
  }

  func advance(of glyph: GlyphID) throws(CodecError) -> Double {
    var budget = ResourceBudget(.default)
    return try advance(of: glyph, budget: &budget)
  }

  func verticalOrigin(of glyph: GlyphID) throws(CodecError) -> (x: Double, y: Double) {
    var budget = ResourceBudget(.default)
    return try verticalOrigin(of: glyph, budget: &budget)
  }

  func colorGlyph(
    of glyph: GlyphID, foreground: Color = .black, palette: PaletteSelection = .standard
  ) throws(CodecError) -> ColorGlyph? {
    var budget = ResourceBudget(.default)
    return try colorGlyph(of: glyph, foreground: foreground, palette: palette, budget: &budget)
  }

  func instance(variations: [(tag: Tag, value: Double)]) throws(CodecError) -> FontFace {
    var budget = ResourceBudget(.default)
    return try instance(variations: variations, budget: &budget)
  }

  func shape(
    _ text: [Unicode.Scalar], range: Range<Int>, script: Script, direction: TextDirection, language: String? = nil,
    features: [FontFeature] = []
  ) throws(CodecError) -> [ShapedGlyph] {
    var budget = ResourceBudget(.default)
    return try shape(
      text, range: range, script: script, direction: direction, language: language, features: features,
      budget: &budget)
  }
}

extension FontProvider {
  func face(matching query: FontQuery) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try face(matching: query, budget: &budget)
  }

  func face(fullName name: String) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try face(fullName: name, budget: &budget)
  }

  func fallback(
    for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []
  ) throws(CodecError) -> FontFace? {
    var budget = ResourceBudget(.default)
    return try fallback(for: scalar, like: face, excluding: excluding, budget: &budget)
  }
}

extension FaceSelection {
  mutating func add(_ query: FontQuery) throws(CodecError) -> ListNumber? {
    var budget = ResourceBudget(.default)
    return try add(query, budget: &budget) { (face, _) throws(CodecError) in face }
  }

  mutating func faces(of scalars: [Unicode.Scalar], lists: [ListNumber]) throws(CodecError) -> [FaceNumber] {
    var budget = ResourceBudget(.default)
    return try faces(of: scalars, lists: lists, budget: &budget)
  }
}
