// Which units around a block are decoded (`BlockDecoded`, sections 5.11.3 and 6.10.3).

/// The decoded units of a superblock and of a border of one unit around it, for each plane: a bit for each column from
/// −1 on, and a word for each row from −1 on.
struct DecodedUnits {
  private var rows = InlineArray<128, UInt64>(repeating: 0)

  private static let rowsPerPlane = 40

  /// Starts a superblock.
  ///
  /// - Parameters:
  ///   - columnCount, rowCount: units of the plane in a superblock.
  ///   - columns, rows: units from the superblock's first one to the end of the tile.
  mutating func start(_ plane: Int, columnCount: Int, rowCount: Int, columns: Int, rows height: Int) {
    let first = plane &* Self.rowsPerPlane
    rows[first & 127] = UInt64(1) &<< UInt64(min(columns, columnCount &+ 1) &+ 1) &- 1
    for y in 0...rowCount { rows[(first &+ y &+ 1) & 127] = y < height && y < rowCount ? 1 : 0 }
  }

  /// Whether a unit is decoded.
  @inline(__always)
  func contains(_ plane: Int, column: Int, row: Int) -> Bool {
    rows[(plane &* Self.rowsPerPlane &+ row &+ 1) & 127] &>> UInt64(truncatingIfNeeded: column &+ 1) & 1 != 0
  }

  /// Marks the units of a transform block.
  @inline(__always)
  mutating func insert(_ plane: Int, column: Int, row: Int, columns: Int, rows count: Int) {
    let mask = (UInt64(1) &<< UInt64(truncatingIfNeeded: columns) &- 1) &<< UInt64(truncatingIfNeeded: column &+ 1)
    let first = plane &* Self.rowsPerPlane &+ row &+ 1
    for index in first..<first &+ count { rows[index & 127] |= mask }
  }
}
