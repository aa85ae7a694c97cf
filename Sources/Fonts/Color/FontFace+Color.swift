// Access to a face's colour glyphs.

package import ImageCore
package import VectorGraphics

extension FontFace {
  /// The work units for looking for a colour glyph in all tables, and for a layer.
  private static let workPerColorGlyph = 1_000
  private static let workPerLayer = 150
  /// The bytes of a layer, in an array that grows by doubling.
  private static let bytesPerLayer = 2 * MemoryLayout<GlyphPainting.Operation>.stride

  /// Returns the representation that replaces a glyph's plain outline: a painting if there is one, otherwise a
  /// document, otherwise a bitmap; `nil` if there is none of them.
  ///
  /// - Parameters:
  ///   - foreground: the text colour, which colour glyphs can refer to.
  ///   - palette: the palette of the font, and changes to it.
  ///   - budget: charged for the nodes, shapes and stops of a painting and for its memory, which stays charged.
  /// - Throws: the errors of the budget.
  package func colorGlyph(
    of glyph: GlyphID, foreground: Color = .black, palette: PaletteSelection = .standard,
    budget: inout ResourceBudget
  ) throws(CodecError) -> ColorGlyph? {
    try budget.chargeWork(Self.workPerColorGlyph)
    if let painting = try painting(of: glyph, foreground: foreground, palette, &budget) { return .painting(painting) }
    if let document = document(of: glyph) { return .document(document) }
    let container = tables.container
    if let bitmap = GlyphBitmap.sbix(container["sbix"], glyph: glyph, glyphCount: tables.glyphCount) {
      return .bitmap(try placedAtOutline(bitmap, of: glyph, &budget))
    }
    return try GlyphBitmap.cbdt(container["CBDT"], index: container["CBLC"], glyph: glyph, budget: &budget).map {
      .bitmap($0)
    }
  }

  /// Returns the colours of a palette, and of the changes to it.
  package func colors(of selection: PaletteSelection) -> [Color] {
    let palette = ColorPalette(tables.container["CPAL"], foreground: .black, selection)
    return (0..<palette.count).map { palette[$0] }
  }

  /// Moves an `sbix` bitmap, which is positioned relative to the lower left corner of the glyph's outline, as in
  /// CoreText and resvg.
  private func placedAtOutline(
    _ bitmap: GlyphBitmap, of glyph: GlyphID, _ budget: inout ResourceBudget
  ) throws(CodecError) -> GlyphBitmap {
    guard let outline = try validPlainOutline(of: glyph, budget: &budget), let box = outline.controlBounds else {
      return bitmap
    }
    let scale = Double(bitmap.pixelsPerEm) / designUnitsPerEm
    var placed = bitmap
    placed.x += Int((box.minX * scale).rounded())
    placed.y += Int((box.minY * scale).rounded())
    return placed
  }

  private func painting(
    of glyph: GlyphID, foreground: Color, _ selection: PaletteSelection, _ budget: inout ResourceBudget
  ) throws(CodecError) -> GlyphPainting? {
    let colors = ColorGlyphTable(tables.container["COLR"])
    if colors.isEmpty { return nil }
    let paletteTable = tables.container["CPAL"]
    try budget.chargeWork(ColorPalette.workOfSelecting(paletteTable))
    let palette = ColorPalette(paletteTable, foreground: foreground, selection)
    if let root = colors.rootPaint(of: glyph) {
      var graph = PaintGraph(colors: colors, palette: palette, face: self)
      guard let operations = try graph.flatten(from: root, budget: &budget) else { return nil }
      var work = 0
      let clipBox = colors.clipBox(of: glyph, coordinates: coordinates, work: &work)
      try budget.chargeWork(work)
      return GlyphPainting(operations: operations, clipBox: clipBox)
    }
    let layers = colors.layers(of: glyph)
    if layers.isEmpty { return nil }
    var pointCount = 0
    var operations: [GlyphPainting.Operation] = []
    for layer in layers where pointCount < 1 << 20 {
      try budget.chargeWork(Self.workPerLayer)
      guard let path = try validPlainOutline(of: layer.glyph, budget: &budget) else { continue }
      pointCount += path.points.count
      try budget.allocate(path.byteCount + Self.bytesPerLayer)
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
    let content = table.part(at: list + table.uint32(at: record + 4), count: table.uint32(at: record + 8))
    if content.isEmpty { return nil }
    return GlyphDocument(
      content: content, glyph: glyph, isSingle: table.uint16(at: record) == table.uint16(at: record + 2))
  }
}
