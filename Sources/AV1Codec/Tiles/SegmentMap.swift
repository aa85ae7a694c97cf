// The segments of neighbouring blocks, which predict that of a block.

/// `SegmentIds` of the last rows of units of a tile.
struct SegmentMap: Sendable {
  private let columns: Range<Int>
  /// The units of ``rowCount`` rows, the number of a row modulo that; empty without segmentation.
  private var segments: [UInt8]

  /// More rows than those of the largest superblock and one above it, a power of two.
  private static let rowCount = 64

  init(columns: Range<Int>, isUsed: Bool) {
    self.columns = columns
    segments = isUsed ? [UInt8](repeating: 0, count: columns.count * Self.rowCount) : []
  }

  /// The memory of a map that is used.
  static func byteCount(columnCount: Int) -> Int { columnCount * rowCount }

  private func index(column: Int, row: Int) -> Int {
    (row & (Self.rowCount &- 1)) &* columns.count &+ column &- columns.lowerBound
  }

  /// The segment of a unit.
  subscript(column column: Int, row row: Int) -> Int { Int(segments[index(column: column, row: row)]) }

  /// Sets the segment of a block's units.
  mutating func fill(_ segment: UInt8, columns: Range<Int>, rows: Range<Int>) {
    for row in rows {
      let first = index(column: columns.lowerBound, row: row)
      var span = segments.mutableSpan
      for offset in first..<first &+ columns.count { span[offset] = segment }
    }
  }
}
