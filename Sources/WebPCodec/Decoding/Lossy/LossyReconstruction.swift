// From macroblocks to rows of planes: prediction, residuals and the loop filter (RFC 6386, sections 12, 14 and 15).

internal import ImageCoding

/// Reconstructs macroblocks in raster order.
struct LossyReconstruction: Sendable {
  private var filterHeader = FilterHeader()
  private var filters: [MacroblockFilter]
  private var samples = [UInt8](repeating: 0, count: MacroblockLayout.byteCount)
  private var rowAbove: RowAbove
  private var strip: PictureStrip
  private var row = 0

  /// Creates a placeholder without rows.
  init() {
    filters = []
    rowAbove = RowAbove(macroblockColumns: 0)
    strip = PictureStrip()
  }

  init(width: Int, height: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let columnCount = (width + 15) / 16
    try budget.allocate(count: columnCount, bytesEach: MemoryLayout<MacroblockFilter>.stride + RowAbove.bytesPerColumn)
    filters = [MacroblockFilter](repeating: MacroblockFilter(), count: columnCount)
    rowAbove = RowAbove(macroblockColumns: columnCount)
    strip = try PictureStrip(width: width, height: height, &budget)
  }

  /// The number of rows passed on so far.
  var emittedRowCount: Int { strip.emittedRowCount }

  mutating func begin(_ header: LossyHeader) {
    filterHeader = header.filter
  }

  /// Reconstructs the next macroblock of the row.
  ///
  /// - Parameter residuals: the coefficients of the macroblock; zero afterwards.
  mutating func reconstruct(_ macroblock: MacroblockHeader, _ residuals: inout Residuals, column: Int) {
    let edges = MacroblockEdges(hasAbove: row > 0, hasLeft: column > 0)
    rowAbove.setBorders(of: &samples, column: column, corner: row == 0 ? 127 : 129)
    Self.reconstruct(macroblock, edges, residuals, &samples)
    rowAbove.keepLastRow(of: samples, column: column)
    strip.store(samples, column: column)
    setFilter(macroblock, hasCoefficients: residuals.luma | residuals.chroma != 0, column: column)
    if !macroblock.isSkipped { residuals.clear() }
  }

  private static func reconstruct(
    _ macroblock: MacroblockHeader, _ edges: MacroblockEdges, _ residuals: borrowing Residuals,
    _ samples: inout [UInt8]
  ) {
    let coefficients = residuals.coefficients.span
    var span = samples.mutableSpan
    if macroblock.hasSubblocks {
      reconstructSubblocks(
        &span, modes: macroblock.subblockModes, coefficients: coefficients, codes: residuals.luma)
    } else {
      reconstructLuma(
        &span, mode: macroblock.lumaMode, edges: edges, coefficients: coefficients, codes: residuals.luma)
    }
    reconstructChroma(
      &span, mode: macroblock.chromaMode, edges: edges, coefficients: coefficients.extracting(256..<384),
      codes: residuals.chroma)
  }

  private mutating func setFilter(_ macroblock: MacroblockHeader, hasCoefficients: Bool, column: Int) {
    guard filterHeader.kind != .none else { return }
    let strength = filterHeader.strengths[Int(macroblock.segment)][macroblock.hasSubblocks ? 1 : 0]
    filters[column] = MacroblockFilter(
      edgeLimit: strength.edgeLimit, interiorLimit: strength.interiorLimit,
      varianceThreshold: strength.varianceThreshold, filtersInside: strength.filtersInside || hasCoefficients)
  }

  /// Filters the row, passes on the rows of samples that are final, and advances to the next row.
  mutating func endRow(_ body: (_ y: Int, borrowing PlanarRow) throws(CodecError) -> Void) throws(CodecError) {
    if filterHeader.kind != .none {
      let (filters, row) = (filters, row)
      strip.filter(filters.span, isSimple: filterHeader.kind == .simple, isFirstRow: row == 0)
    }
    try strip.emitRows(macroblockRow: row, body)
    rowAbove.extendRight()
    row += 1
  }
}
