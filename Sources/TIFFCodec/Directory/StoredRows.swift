// The bytes of a row of a block as stored.

internal import ImageCoding

/// Stored rows that are not made of samples.
enum PixelPacking {
  case subsampled(SubsampledRow)
  case logarithms(LogLuvRow)

  /// Extracts the samples of a row of pixels from a unit.
  ///
  /// - Parameter line: the index of the row within the unit.
  func expand(_ unit: Span<UInt8>, line: Int, width: Int, into output: inout MutableSpan<UInt8>) {
    switch self {
    case .subsampled(let row): row.expand(unit, line: line, width: width, into: &output)
    case .logarithms(let row): row.expand(unit, width: width, into: &output)
    }
  }
}

/// The stored rows of a block. A unit is a row, or, if chroma is subsampled vertically, a row of units of several rows.
struct StoredRows {
  /// The number of bytes of a unit.
  let unitByteCount: Int
  /// The number of rows of pixels in a unit.
  let rowsPerUnit: Int
  /// The number of units that are decompressed at a time.
  let chunkUnitCount: Int
  /// The structure of a unit that is not a row of samples.
  let packing: PixelPacking?
  /// The work units for unpacking a row, in addition to its pixels.
  let workPerRow: Int

  /// The bytes that are decompressed at a time, so that they are still in the cache when they are converted.
  private static let chunkByteCount = 64 << 10

  /// - Throws: `CodecError.Kind.limitExceeded` if the size of a row overflows.
  init(_ layout: ImageLayout) throws(CodecError) {
    let width = layout.grid.blockWidth
    if layout.isSubsampled {
      let subsampled = SubsampledRow(
        horizontal: layout.subsampling.horizontal, vertical: layout.subsampling.vertical)
      packing = .subsampled(subsampled)
      rowsPerUnit = subsampled.vertical
      unitByteCount = try Self.byteCount(
        (width - 1) / subsampled.horizontal + 1, bitsEach: subsampled.unitByteCount * 8)
      workPerRow = 50 + width * 2
    } else if let coding = layout.logarithmicCoding {
      let logarithms = LogLuvRow(coding)
      packing = .logarithms(logarithms)
      rowsPerUnit = 1
      unitByteCount = try Self.byteCount(width, bitsEach: logarithms.bytesPerPixel * 8)
      workPerRow = 50 + width * 4
    } else {
      packing = nil
      rowsPerUnit = 1
      let bits = layout.bitsPerSample
      let bitsPerPixel =
        bits.count == 1 ? bits[0] * layout.samplesPerBlockPixel : bits.reduce(0, +)
      unitByteCount = try Self.byteCount(width, bitsEach: bitsPerPixel)
      let isOdd = layout.uniformBits.map { ![1, 2, 4, 8, 16].contains($0) } ?? true
      workPerRow = 50 + (isOdd ? unitByteCount * 8 : unitByteCount)
    }
    let count = max(1, Self.chunkByteCount / max(1, unitByteCount))
    chunkUnitCount = min(count, (layout.grid.blockHeight - 1) / rowsPerUnit + 1)
  }

  private static func byteCount(_ count: Int, bitsEach: Int) throws(CodecError) -> Int {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitsEach)
    guard !overflow, bits <= .max - 7 else {
      throw CodecError(.limitExceeded, "the size of a row overflows", format: TIFFDecoder.type)
    }
    return (bits + 7) / 8
  }
}

/// A block and the part of it that is inside the window.
struct Block {
  /// The position in the grid.
  let column: Int
  let row: Int
  /// The rows of the image that the block and the window share.
  let rows: Range<Int>
  /// The columns that they share, relative to the block.
  let columns: Range<Int>
  /// The first of these columns, relative to the window.
  let target: Int
  /// Whether the block covers complete rows of the window.
  let isWholeRow: Bool

  init(column: Int, row: Int, in grid: BlockGrid, window: PixelRegion) {
    self.column = column
    self.row = row
    let top = row * grid.blockHeight
    rows = max(top, window.y)..<min(top + grid.rowCount(ofBlockRow: row), window.y + window.height)
    let left = column * grid.blockWidth
    let first = max(left, window.x)
    columns = first - left..<min(left + grid.blockWidth, window.x + window.width) - left
    target = first - window.x
    isWholeRow = columns.count == window.width
  }
}
