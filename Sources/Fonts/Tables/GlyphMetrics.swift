// Advances and bearings of glyphs along one axis (`hmtx` with `hhea`, `vmtx` with `vhea`).

/// The advances and bearings of all glyphs along one axis.
struct GlyphMetrics: Sendable {
  private let table: TableBytes
  /// The number of glyphs with individual advances; the remaining ones share the last.
  private let longCount: Int
  let glyphCount: Int

  /// - Parameters:
  ///   - header: `hhea` or `vhea`.
  ///   - table: `hmtx` or `vmtx`.
  init(header: TableBytes, table: TableBytes, glyphCount: Int) {
    self.table = table
    self.glyphCount = glyphCount
    longCount = min(header.uint16(at: 34), table.count / 4)
  }

  /// Whether the face has no metrics along this axis.
  var isEmpty: Bool { longCount == 0 }

  /// The advance of a glyph; 0 if the font lacks the glyph.
  func advance(of glyph: GlyphID) -> Int {
    guard longCount > 0, glyph.index < glyphCount else { return 0 }
    return table.uint16(at: min(glyph.index, longCount - 1) * 4)
  }

  /// The distance from the origin to the glyph's first edge.
  func bearing(of glyph: GlyphID) -> Int {
    glyph.index < longCount
      ? table.int16(at: glyph.index * 4 + 2) : table.int16(at: longCount * 4 + (glyph.index - longCount) * 2)
  }
}
