// How a frame is divided into tiles (section 5.9.15).

internal import ImageCoding
internal import PixelPlanes

/// The columns and rows of tiles.
struct TileLayout {
  /// `MiColStarts` and `MiRowStarts`: the first unit of 4 × 4 luma samples of each, and the end.
  private(set) var columnStarts: [Int] = []
  private(set) var rowStarts: [Int] = []
  /// `TileColsLog2` and `TileRowsLog2`.
  private(set) var log2Columns = 0
  private(set) var log2Rows = 0
  /// `TileSizeBytes`.
  private(set) var sizeByteCount = 0

  private static let maximumWidth = 4096
  private static let maximumArea = 4096 * 2304
  private static let maximumCount = 64

  var columnCount: Int { columnStarts.count - 1 }
  var rowCount: Int { rowStarts.count - 1 }
  var count: Int { columnCount * rowCount }

  init(parsing reader: inout BitReader, _ size: FrameSize, log2Superblock: Int) throws(CodecError) {
    let shift = log2Superblock - 2
    let columns = (size.unitColumns + 1 << shift - 1) >> shift
    let rows = (size.unitRows + 1 << shift - 1) >> shift
    let maximumTileWidth = Self.maximumWidth >> log2Superblock
    let maximumTileArea = Self.maximumArea >> (2 * log2Superblock)
    let minimumLog2Columns = Self.log2(maximumTileWidth, columns)
    let minimumLog2 = max(minimumLog2Columns, Self.log2(maximumTileArea, rows * columns))
    if reader.readFlag() {
      log2Columns = Self.readLog2(
        &reader, from: minimumLog2Columns, to: Self.log2(1, min(columns, Self.maximumCount)))
      columnStarts = Self.uniformStarts(columns, log2Columns)
      log2Rows = Self.readLog2(
        &reader, from: max(minimumLog2 - log2Columns, 0), to: Self.log2(1, min(rows, Self.maximumCount)))
      rowStarts = Self.uniformStarts(rows, log2Rows)
    } else {
      columnStarts = Self.readStarts(&reader, columns, maximumSize: maximumTileWidth)
      var widest = 1
      for index in 1..<columnStarts.count { widest = max(widest, columnStarts[index] - columnStarts[index - 1]) }
      let area = minimumLog2 > 0 ? (rows * columns) >> (minimumLog2 + 1) : rows * columns
      rowStarts = Self.readStarts(&reader, rows, maximumSize: max(area / widest, 1))
      (log2Columns, log2Rows) = (Self.log2(1, columnCount), Self.log2(1, rowCount))
    }
    guard columnCount <= Self.maximumCount, rowCount <= Self.maximumCount else {
      throw CodecError(.malformed, "there are \(columnCount) × \(rowCount) tiles")
    }
    columnStarts = columnStarts.map { min($0 << shift, size.unitColumns) }
    rowStarts = rowStarts.map { min($0 << shift, size.unitRows) }
    guard log2Columns > 0 || log2Rows > 0 else { return }
    // context_update_tile_id matters to later frames only.
    guard reader.readInt(log2Rows + log2Columns) < count else {
      throw CodecError(.malformed, "context_update_tile_id exceeds the number of tiles")
    }
    sizeByteCount = reader.readInt(2) + 1
  }

  /// The logarithm of the least power of two by which `size` reaches `target`.
  private static func log2(_ size: Int, _ target: Int) -> Int {
    var result = 0
    while size << result < target { result += 1 }
    return result
  }

  private static func readLog2(_ reader: inout BitReader, from minimum: Int, to maximum: Int) -> Int {
    var result = minimum
    while result < maximum, reader.readFlag() { result += 1 }
    return result
  }

  private static func uniformStarts(_ count: Int, _ log2Count: Int) -> [Int] {
    let size = (count + 1 << log2Count - 1) >> log2Count
    return Array(stride(from: 0, to: count, by: size)) + [count]
  }

  private static func readStarts(_ reader: inout BitReader, _ count: Int, maximumSize: Int) -> [Int] {
    var starts = [0]
    var next = 0
    while next < count {
      next += reader.readNonSymmetric(min(count - next, maximumSize)) + 1
      starts.append(next)
    }
    return starts
  }
}
