// The quantised HF coefficients of a group.

internal import ImageCoding

/// The coefficients of X, Y and B: those of one varblock after the other, as they are stored for the transforms.
struct GroupCoefficients: Sendable {
  var values: [[Int32]]

  private static func count(_ region: PixelRegion, _ grid: BlockGrid, _ channel: Int) -> Int {
    (region.width * region.height * 64) >> (grid.horizontalShifts[channel] + grid.verticalShifts[channel])
  }

  /// Whether there are as many coefficients as a region has.
  func fits(_ region: PixelRegion, _ grid: BlockGrid) -> Bool {
    (0..<3).allSatisfy { values[$0].count == Self.count(region, grid, $0) }
  }

  var byteCount: Int { values.reduce(0) { $0 + $1.count * 4 } }

  /// Allocates zeros for the blocks of a region.
  init(_ region: PixelRegion, _ grid: BlockGrid, budget: inout ResourceBudget) throws(CodecError) {
    let counts = (0..<3).map { Self.count(region, grid, $0) }
    try budget.allocate(count: counts.reduce(0, +), bytesEach: 4)
    try budget.chargeWork(counts.reduce(0, +) / 3)
    values = counts.map { [Int32](repeating: 0, count: $0) }
  }
}
