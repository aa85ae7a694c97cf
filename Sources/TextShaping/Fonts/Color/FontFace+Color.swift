// Access to a face's colour glyphs.

internal import ImageCore
package import VectorGraphics

extension FontFace {
  /// Returns the representation that replaces a glyph's plain outline: a painting if there is one, otherwise a
  /// document, otherwise a bitmap; `nil` if there is none of them.
  ///
  /// - Parameters:
  ///   - foreground: the text colour, which colour glyphs can refer to.
  ///   - palette: the palette of the font, and changes to it.
  package func colorGlyph(
    of glyph: GlyphID, foreground: Color = .black, palette: PaletteSelection = .standard
  ) -> ColorGlyph? {
    if let painting = painting(of: glyph, foreground: foreground, palette) { return .painting(painting) }
    if let document = document(of: glyph) { return .document(document) }
    let container = tables.container
    if let bitmap = GlyphBitmap.sbix(container["sbix"], glyph: glyph, glyphCount: tables.glyphCount) {
      return .bitmap(placedAtOutline(bitmap, of: glyph))
    }
    return GlyphBitmap.cbdt(container["CBDT"], index: container["CBLC"], glyph: glyph).map { .bitmap($0) }
  }

  /// Returns the colours of a palette, and of the changes to it.
  package func colors(of selection: PaletteSelection) -> [Color] {
    let palette = ColorPalette(tables.container["CPAL"], foreground: .black, selection)
    return (0..<palette.count).map { palette[$0] }
  }

  /// Moves an `sbix` bitmap, which is positioned relative to the lower left corner of the glyph's outline, as in
  /// CoreText and resvg.
  private func placedAtOutline(_ bitmap: GlyphBitmap, of glyph: GlyphID) -> GlyphBitmap {
    guard let outline = (try? plainOutline(of: glyph)) ?? nil, let box = outline.controlBounds else { return bitmap }
    let scale = Double(bitmap.pixelsPerEm) / designUnitsPerEm
    var placed = bitmap
    placed.x += Int((box.minX * scale).rounded())
    placed.y += Int((box.minY * scale).rounded())
    return placed
  }

  private func painting(
    of glyph: GlyphID, foreground: Color, _ selection: PaletteSelection
  ) -> GlyphPainting? {
    let colors = ColorGlyphTable(tables.container["COLR"])
    if colors.isEmpty { return nil }
    let palette = ColorPalette(tables.container["CPAL"], foreground: foreground, selection)
    if let root = colors.rootPaint(of: glyph) {
      var graph = PaintGraph(colors: colors, palette: palette, face: self)
      guard let operations = graph.flatten(from: root) else { return nil }
      return GlyphPainting(
        operations: operations, clipBox: colors.clipBox(of: glyph, coordinates: coordinates))
    }
    let layers = colors.layers(of: glyph)
    if layers.isEmpty { return nil }
    var pointCount = 0
    var operations: [GlyphPainting.Operation] = []
    for layer in layers where pointCount < 1 << 20 {
      guard let path = (try? plainOutline(of: layer.glyph)) ?? nil else { continue }
      pointCount += path.points.count
      operations.append(.fill(path, .solid(palette[layer.entry])))
    }
    return GlyphPainting(operations: operations, clipBox: nil)
  }

  /// Returns the document in the `SVG ` table that contains a glyph.
  private func document(of glyph: GlyphID) -> GlyphDocument? {
    let table = tables.container["SVG "]
    let list = table.uint32(at: 2)
    guard list != 0,
      let index = table.rangeSearch(glyph.index, count: table.uint16(at: list), at: list + 2, stride: 12)
    else { return nil }
    let record = list + 2 + index * 12
    let bytes = table.bytes(at: list + table.uint32(at: record + 4), count: table.uint32(at: record + 8))
    if bytes.isEmpty { return nil }
    return GlyphDocument(
      bytes: bytes, glyph: glyph, isSingle: table.uint16(at: record) == table.uint16(at: record + 2))
  }
}
