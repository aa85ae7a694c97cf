// The quantised HF coefficients of a group.

internal import ImageCoding

/// The coefficients of X, Y and B: those of one varblock after the other, as they are stored for the transforms.
struct GroupCoefficients: Sendable {
  /// The coefficients of one channel after the other.
  var values: [Int32]
  /// The index of the first coefficient of each channel.
  let starts: [Int]

  private static func count(_ region: PixelRegion, _ grid: BlockGrid, _ channel: Int) -> Int {
    (region.width * region.height * 64) >> (grid.horizontalShifts[channel] + grid.verticalShifts[channel])
  }

  private static func starts(_ region: PixelRegion, _ grid: BlockGrid) -> [Int] {
    let counts = (0..<3).map { count(region, grid, $0) }
    return [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]]
  }

  /// Whether there are as many coefficients as a region has.
  func fits(_ region: PixelRegion, _ grid: BlockGrid) -> Bool { starts == Self.starts(region, grid) }

  var byteCount: Int { values.count * 4 }

  /// Allocates zeros for the blocks of a region.
  init(_ region: PixelRegion, _ grid: BlockGrid, budget: inout ResourceBudget) throws(CodecError) {
    starts = Self.starts(region, grid)
    try budget.allocate(count: starts[3], bytesEach: 4)
    try budget.chargeWork(starts[3] / 3)
    values = [Int32](repeating: 0, count: starts[3])
  }
}
