// Measures of a face and of its glyphs, in font units, at the face's place in the design space.

internal import ImageCore

extension FontFace {
  /// The units of the square that letters are designed in; a font size is that many units long.
  package var unitsPerEm: Double { Double(tables.unitsPerEm) }
  /// How far letters reach above the baseline.
  package var ascender: Double { tables.metrics.ascender + variation(tables.metrics.ascenderTag) }
  /// How far letters reach below the baseline: negative.
  package var descender: Double { tables.metrics.descender + variation(tables.metrics.descenderTag) }
  /// The space between lines.
  package var lineGap: Double { tables.metrics.lineGap + variation(tables.metrics.lineGapTag) }
  /// The height of a small x, where the font says.
  package var xHeight: Double? { tables.metrics.xHeight.map { $0 + variation("xhgt") } }
  /// The height of capitals, where the font says.
  package var capHeight: Double? { tables.metrics.capHeight.map { $0 + variation("cpht") } }
  /// The line under text, where the font says.
  package var underline: LineMetrics? { varied(tables.metrics.underline, position: "undo", thickness: "unds") }
  /// The line through text, where the font says.
  package var strikeout: LineMetrics? { varied(tables.metrics.strikeout, position: "stro", thickness: "strs") }
  /// Where subscripts stand, where the font says.
  package var subscriptMetrics: ScriptMetrics? {
    tables.metrics.subscripts.map { metrics in
      ScriptMetrics(
        xSize: metrics.xSize + variation("sbxs"), ySize: metrics.ySize + variation("sbys"),
        xOffset: metrics.xOffset + variation("sbxo"), yOffset: metrics.yOffset + variation("sbyo"))
    }
  }
  /// Where superscripts stand, where the font says.
  package var superscriptMetrics: ScriptMetrics? {
    tables.metrics.superscripts.map { metrics in
      ScriptMetrics(
        xSize: metrics.xSize + variation("spxs"), ySize: metrics.ySize + variation("spys"),
        xOffset: metrics.xOffset + variation("spxo"), yOffset: metrics.yOffset + variation("spyo"))
    }
  }
  /// Whether the font has measures for vertical text.
  package var hasVerticalMetrics: Bool { !tables.vertical.isEmpty }

  private func variation(_ tag: Tag) -> Double {
    coordinates.isEmpty ? 0 : tables.faceVariations.delta(tag, coordinates: coordinates)
  }

  private func varied(_ metrics: LineMetrics?, position: Tag, thickness: Tag) -> LineMetrics? {
    metrics.map { metrics in
      LineMetrics(
        position: metrics.position + variation(position), thickness: metrics.thickness + variation(thickness))
    }
  }

  /// How far a glyph moves the pen in horizontal text.
  package func advance(of glyph: GlyphID) -> Double {
    let advance = Double(tables.horizontal.advance(of: glyph))
    guard !coordinates.isEmpty else { return advance }
    if let variations = tables.horizontalVariations {
      return advance + variations.delta(of: glyph, coordinates: coordinates).rounded()
    }
    let phantoms = phantomDeltas(of: glyph)
    return advance + (phantoms.right - phantoms.left).rounded()
  }

  /// How far a glyph moves the pen in vertical text, downwards; a font without vertical measures gives its line height.
  package func verticalAdvance(of glyph: GlyphID) -> Double {
    guard !tables.vertical.isEmpty else { return ascender - descender }
    let advance = Double(tables.vertical.advance(of: glyph))
    guard !coordinates.isEmpty else { return advance }
    if let variations = tables.verticalVariations {
      return advance + variations.delta(of: glyph, coordinates: coordinates).rounded()
    }
    let phantoms = phantomDeltas(of: glyph)
    return advance + (phantoms.top - phantoms.bottom).rounded()
  }

  /// Where the pen of vertical text stands for a glyph, from the glyph's horizontal origin: in the middle of its width,
  /// and as high as the font says; a glyph of a font that does not say is centred in its line height.
  package func verticalOrigin(of glyph: GlyphID) -> (x: Double, y: Double) {
    let x = advance(of: glyph) / 2
    if !tables.verticalOrigins.isEmpty { return (x, Double(tables.verticalOrigins.y(of: glyph))) }
    let box = box(of: glyph)
    if !tables.vertical.isEmpty { return (x, Double(box.top + tables.vertical.bearing(of: glyph))) }
    return (x, Double(box.top) + ((ascender - descender - Double(box.height)) / 2).rounded(.down))
  }

  private func phantomDeltas(of glyph: GlyphID) -> GlyphVariations.PhantomDeltas {
    guard let glyphs = tables.glyphs, let deltas = tables.glyphVariations else {
      return GlyphVariations.PhantomDeltas()
    }
    var outlines = TrueTypeOutlines(
      table: glyphs, metrics: tables.horizontal, variations: (deltas, coordinates))
    return (try? outlines.phantomDeltas(of: glyph)) ?? GlyphVariations.PhantomDeltas()
  }
}
