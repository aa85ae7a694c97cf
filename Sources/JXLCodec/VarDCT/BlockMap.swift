// The varblocks of a frame (ISO/IEC 18181-1, I.5).

internal import ImageCoding

/// The transform, multiplier and sharpness of every block, and the correlation of colours of every tile.
package struct BlockMap: Sendable {
  package let columns: Int
  package let tileColumns: Int
  /// The number of the transform of the first block of a varblock; for others it is ``covered`` or ``unassigned``.
  private(set) var transforms: [UInt8]
  /// The multipliers of quantisation, 1 or more.
  private(set) var multipliers: [Int32]
  package var sharpness: [UInt8]
  package var correlationsX: [Int32]
  package var correlationsB: [Int32]
  /// The transforms that occur, one bit for each.
  private(set) var usedTransforms: UInt32 = 0

  /// The transforms that occur.
  var transformKinds: [TransformKind] {
    TransformKind.allCases.filter { usedTransforms >> UInt32($0.rawValue) & 1 == 1 }
  }

  package static let covered: UInt8 = 0xFE
  package static let unassigned: UInt8 = 0xFF
  /// The memory of a block, and of a tile.
  private static let bytesPerBlock = 6
  private static let bytesPerTile = 8

  package init(columns: Int, rows: Int, budget: inout ResourceBudget) throws(CodecError) {
    let (count, overflow) = columns.multipliedReportingOverflow(by: rows)
    tileColumns = (columns - 1) >> BlockGrid.tileShift + 1
    let tileCount = tileColumns * ((rows - 1) >> BlockGrid.tileShift + 1)
    try budget.allocate(count: overflow ? .max : count, bytesEach: Self.bytesPerBlock)
    try budget.allocate(count: tileCount, bytesEach: Self.bytesPerTile)
    try budget.chargeWork(count * 2)
    self.columns = columns
    transforms = [UInt8](repeating: Self.unassigned, count: count)
    multipliers = [Int32](repeating: 1, count: count)
    sharpness = [UInt8](repeating: 0, count: count)
    correlationsX = [Int32](repeating: 0, count: tileCount)
    correlationsB = correlationsX
  }

  /// Whether any block of a region has no varblock.
  func hasUnassigned(in region: PixelRegion) -> Bool {
    (region.y..<region.y + region.height).contains { y in
      transforms[y * columns + region.x..<y * columns + region.x + region.width].contains(Self.unassigned)
    }
  }

  /// Places a varblock whose first block is the next unassigned one of a region. Returns whether it fits: it does not
  /// overlap another one, exceed the region, or cross the border of a group.
  package mutating func place(_ kind: TransformKind, multiplier: Int32, x: Int, y: Int, in region: PixelRegion) -> Bool
  {
    let (width, height) = (kind.columns, kind.rows)
    let mask = 1 << BlockGrid.groupShift - 1
    guard x + width <= region.x + region.width, y + height <= region.y + region.height,
      x & mask + width <= mask + 1, y & mask + height <= mask + 1
    else { return false }
    for row in y..<y + height {
      for index in row * columns + x..<row * columns + x + width {
        guard transforms[index] == Self.unassigned else { return false }
        transforms[index] = Self.covered
        multipliers[index] = multiplier
      }
    }
    transforms[y * columns + x] = kind.rawValue
    usedTransforms |= 1 << UInt32(kind.rawValue)
    return true
  }
}
