// The rows of a picture that are being decoded, and the rows above them that the loop filter or upsampling still needs.

internal import ImageCoding

/// A strip of the planes: one row of macroblocks and the last rows of the previous one.
struct PictureStrip {
  /// The number of luma rows above the macroblocks; half as many of chroma.
  static let rowsAbove = 10
  /// The number of luma rows that the filter of the next macroblocks may still change; half as many of chroma.
  private static let unfinishedRowCount = 8

  let width: Int
  let height: Int
  /// The number of luma samples from one row to the next; that of chroma is half.
  let stride: Int
  private var luma: [UInt8]
  private var u: [UInt8]
  private var v: [UInt8]
  /// The number of rows passed on so far.
  private(set) var emittedRowCount = 0

  /// Creates a strip without rows.
  init() {
    (width, height, stride) = (0, 0, 0)
    (luma, u, v) = ([], [], [])
  }

  init(width: Int, height: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    self.width = width
    self.height = height
    stride = (width + 15) / 16 * 16
    let rowCount = Self.rowsAbove + 16
    try budget.allocate(count: rowCount * 3 / 2, bytesEach: stride)
    luma = [UInt8](repeating: 0, count: stride * rowCount)
    u = [UInt8](repeating: 0, count: stride * rowCount / 4)
    v = [UInt8](repeating: 0, count: stride * rowCount / 4)
  }

  /// Stores the samples of a macroblock in the layout of ``MacroblockLayout``.
  mutating func store(_ samples: [UInt8], column: Int) {
    Self.store(samples.span, column: column, stride: stride, &luma, &u, &v)
  }

  private static func store(
    _ samples: Span<UInt8>, column: Int, stride: Int, _ luma: inout [UInt8], _ u: inout [UInt8], _ v: inout [UInt8]
  ) {
    var lumaSpan = luma.mutableSpan
    var uSpan = u.mutableSpan
    var vSpan = v.mutableSpan
    copyMacroblock(
      samples, luma: &lumaSpan, lumaOffset: rowsAbove * stride + column * 16, u: &uSpan, v: &vSpan,
      chromaOffset: rowsAbove / 2 * (stride / 2) + column * 8, stride: stride)
  }

  /// Filters the row of macroblocks.
  mutating func filter(_ filters: Span<MacroblockFilter>, isSimple: Bool, isFirstRow: Bool) {
    Self.filter(filters, isSimple: isSimple, isFirstRow: isFirstRow, stride: stride, &luma, &u, &v)
  }

  private static func filter(
    _ filters: Span<MacroblockFilter>, isSimple: Bool, isFirstRow: Bool, stride: Int, _ luma: inout [UInt8],
    _ u: inout [UInt8], _ v: inout [UInt8]
  ) {
    var lumaSpan = luma.mutableSpan
    var uSpan = u.mutableSpan
    var vSpan = v.mutableSpan
    filterMacroblocks(
      luma: &lumaSpan, u: &uSpan, v: &vSpan, stride: stride, row: rowsAbove, filters, isSimple: isSimple,
      hasRowAbove: !isFirstRow)
  }

  /// Passes on the rows that are final after a row of macroblocks, and makes room for the next one.
  mutating func emitRows(macroblockRow: Int, _ body: (_ y: Int, borrowing PlanarRow) throws(CodecError) -> Void)
    throws(CodecError)
  {
    let first = macroblockRow * 16
    let isLast = first + 16 >= height
    // The upsampling of an odd last row needs the chroma row below it.
    let end = isLast ? height : first + 16 - Self.unfinishedRowCount - 1
    let rows = emittedRowCount..<max(emittedRowCount, end)
    try visitRows(rows, macroblockRow: macroblockRow, body)
    emittedRowCount = rows.upperBound
    if !isLast { moveUp() }
  }

  private func visitRows(
    _ rows: Range<Int>, macroblockRow: Int, _ body: (_ y: Int, borrowing PlanarRow) throws(CodecError) -> Void
  ) throws(CodecError) {
    let first = macroblockRow * 16
    let chromaHeight = (height + 1) / 2
    let (luma, u, v) = (luma.span, u.span, v.span)
    let (width, chromaWidth, stride) = (width, (width + 1) / 2, stride)
    let chromaStart = (macroblockRow * 8 - Self.rowsAbove / 2) * stride / 2
    for y in rows {
      let near = y / 2
      let far = min(max(y & 1 == 0 ? near - 1 : near + 1, 0), chromaHeight - 1)
      let start = (y - first + Self.rowsAbove) * stride
      let nearStart = near * (stride / 2) - chromaStart
      let farStart = far * (stride / 2) - chromaStart
      try body(
        y,
        PlanarRow(
          luma: luma.extracting(start..<start + width), u: u.extracting(nearStart..<nearStart + chromaWidth),
          v: v.extracting(nearStart..<nearStart + chromaWidth), farU: u.extracting(farStart..<farStart + chromaWidth),
          farV: v.extracting(farStart..<farStart + chromaWidth)))
    }
  }

  /// Moves the last rows to above the next row of macroblocks.
  private mutating func moveUp() {
    Self.moveUp(&luma, byteCount: Self.rowsAbove * stride)
    Self.moveUp(&u, byteCount: Self.rowsAbove * stride / 4)
    Self.moveUp(&v, byteCount: Self.rowsAbove * stride / 4)
  }

  private static func moveUp(_ plane: inout [UInt8], byteCount: Int) {
    var samples = plane.mutableSpan
    moveToStart(&samples, from: samples.count - byteCount)
  }
}
