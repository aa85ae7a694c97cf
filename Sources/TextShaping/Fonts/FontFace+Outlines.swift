// The outlines of a face's glyphs.

package import ImageCore
package import VectorGraphics

extension FontFace {
  /// Returns the outline of a glyph in font units, y upwards, with what is synthesised; `nil` for a glyph without
  /// contours, such as a space.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if the font's data is invalid, ``CodecError/Kind/limitExceeded`` if the
  ///   glyph has too many parts.
  package func outline(of glyph: GlyphID) throws(CodecError) -> Path? {
    let plain = try plainOutline(of: glyph)
    return synthesis == .none ? plain : plain.map { synthesised($0) }
  }

  /// Returns the outline of a glyph as it is in the font.
  func plainOutline(of glyph: GlyphID) throws(CodecError) -> Path? {
    guard glyph.index < tables.glyphCount else { return nil }
    if let glyphs = tables.glyphs {
      let variations = coordinates.isEmpty ? nil : tables.glyphVariations.map { ($0, coordinates) }
      var outlines = TrueTypeOutlines(table: glyphs, metrics: tables.horizontal, variations: variations)
      return try outlines.outline(of: glyph)
    }
    if let font = tables.compactFont { return try font.outline(of: glyph, coordinates: coordinates) }
    return nil
  }
}
