// Metrics of a face and its glyphs, in font units, for the face's instance in the design space.

package import ImageCore

extension FontFace {
  /// The number of font units per em. A font size is the length of one em.
  package var unitsPerEm: Double { designUnitsPerEm / ((adjustment?.scale ?? 1) * synthesis.sizeScale) }
  /// The number of font units per em in which the font is designed, which is ``unitsPerEm`` unless a document adjusts the
  /// size of the font.
  package var designUnitsPerEm: Double { Double(tables.unitsPerEm) }
  /// The distance from the baseline to the top of the line.
  package var ascender: Double {
    if let ascent = adjustment?.ascent { return ascent * designUnitsPerEm }
    return tables.metrics.ascender + variation(tables.metrics.ascenderTag)
  }
  /// The distance from the baseline to the bottom of the line, as a negative number.
  package var descender: Double {
    if let descent = adjustment?.descent { return -descent * designUnitsPerEm }
    return tables.metrics.descender + variation(tables.metrics.descenderTag)
  }
  /// The additional space between lines.
  package var lineGap: Double {
    if let gap = adjustment?.lineGap { return gap * designUnitsPerEm }
    return tables.metrics.lineGap + variation(tables.metrics.lineGapTag)
  }
  /// The height of the lower-case x, if the font specifies it.
  package var xHeight: Double? { tables.metrics.xHeight.map { $0 + variation("xhgt") } }
  /// The height of capital letters, if the font specifies it.
  package var capHeight: Double? { tables.metrics.capHeight.map { $0 + variation("cpht") } }
  /// The position and thickness of the underline, if the font specifies them.
  package var underline: LineMetrics? { varied(tables.metrics.underline, position: "undo", thickness: "unds") }
  /// The position and thickness of the strikeout line, if the font specifies them.
  package var strikeout: LineMetrics? { varied(tables.metrics.strikeout, position: "stro", thickness: "strs") }
  /// The size and offset of subscripts, if the font specifies them.
  package var subscriptMetrics: ScriptMetrics? {
    tables.metrics.subscripts.map { metrics in
      ScriptMetrics(
        xSize: metrics.xSize + variation("sbxs"), ySize: metrics.ySize + variation("sbys"),
        xOffset: metrics.xOffset + variation("sbxo"), yOffset: metrics.yOffset + variation("sbyo"))
    }
  }
  /// The size and offset of superscripts, if the font specifies them.
  package var superscriptMetrics: ScriptMetrics? {
    tables.metrics.superscripts.map { metrics in
      ScriptMetrics(
        xSize: metrics.xSize + variation("spxs"), ySize: metrics.ySize + variation("spys"),
        xOffset: metrics.xOffset + variation("spxo"), yOffset: metrics.yOffset + variation("spyo"))
    }
  }
  /// Whether the font has metrics for vertical text.
  package var hasVerticalMetrics: Bool { !tables.vertical.isEmpty }

  private func variation(_ tag: Tag) -> Double { metricsDeltas?.byTag[tag] ?? 0 }

  private func varied(_ metrics: LineMetrics?, position: Tag, thickness: Tag) -> LineMetrics? {
    metrics.map { metrics in
      LineMetrics(
        position: metrics.position + variation(position), thickness: metrics.thickness + variation(thickness))
    }
  }

  /// The advance of a glyph in horizontal text.
  ///
  /// - Parameter budget: charged for variations.
  /// - Throws: the errors of the budget.
  package func advance(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> Double {
    let advance = Double(tables.horizontal.advance(of: glyph))
    guard !coordinates.isEmpty else { return advance }
    if let variations = tables.horizontalVariations {
      return advance + (try delta(of: glyph, variations, &budget)).rounded()
    }
    let phantoms = try phantomDeltas(of: glyph, &budget)
    return advance + (phantoms.right - phantoms.left).rounded()
  }

  /// The advance of a glyph in vertical text, downwards. Without vertical metrics it is the line height.
  ///
  /// - Parameter budget: charged for variations.
  /// - Throws: the errors of the budget.
  package func verticalAdvance(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> Double {
    guard !tables.vertical.isEmpty else { return ascender - descender }
    let advance = Double(tables.vertical.advance(of: glyph))
    guard !coordinates.isEmpty else { return advance }
    if let variations = tables.verticalVariations {
      return advance + (try delta(of: glyph, variations, &budget)).rounded()
    }
    let phantoms = try phantomDeltas(of: glyph, &budget)
    return advance + (phantoms.top - phantoms.bottom).rounded()
  }

  /// The origin of a glyph in vertical text, relative to its horizontal origin: centred on the advance width, at the
  /// height the font specifies. If the font does not specify one, the glyph is centred in the line height.
  ///
  /// - Parameter budget: charged for variations, and for the outline if the box of the glyph is not stored.
  /// - Throws: the errors of the budget.
  package func verticalOrigin(
    of glyph: GlyphID, budget: inout ResourceBudget
  ) throws(CodecError) -> (x: Double, y: Double) {
    let x = try advance(of: glyph, budget: &budget) / 2
    if !tables.verticalOrigins.isEmpty { return (x, Double(tables.verticalOrigins.y(of: glyph))) }
    let box = try box(of: glyph, budget: &budget)
    if !tables.vertical.isEmpty { return (x, Double(box.top + tables.vertical.bearing(of: glyph))) }
    return (x, Double(box.top) + ((ascender - descender - Double(box.height)) / 2).rounded(.down))
  }

  private func delta(
    of glyph: GlyphID, _ variations: AdvanceVariations, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Double {
    var work = 0
    let delta = variations.delta(of: glyph, coordinates: coordinates, work: &work)
    try budget.chargeWork(work)
    return delta
  }

  /// Returns the deltas of a glyph's metrics; those of a damaged glyph are 0.
  private func phantomDeltas(
    of glyph: GlyphID, _ budget: inout ResourceBudget
  ) throws(CodecError) -> GlyphVariations.PhantomDeltas {
    guard let glyphs = tables.glyphs, let deltas = tables.glyphVariations else {
      return GlyphVariations.PhantomDeltas()
    }
    var outlines = TrueTypeOutlines(
      table: glyphs, metrics: tables.horizontal, variations: (deltas, coordinates))
    do throws(GlyphFailure) {
      return try outlines.phantomDeltas(of: glyph, budget: &budget)
    } catch {
      switch error {
      case .glyph: return GlyphVariations.PhantomDeltas()
      case .budget(let error): throw error
      }
    }
  }
}
