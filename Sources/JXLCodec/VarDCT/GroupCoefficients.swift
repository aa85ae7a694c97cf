// The quantised HF coefficients of a group.

internal import ImageCoding

/// The coefficients of X, Y and B: those of one varblock after the other, as they are stored for the transforms.
struct GroupCoefficients: Sendable {
  var values: [[Int32]]

  /// Allocates zeros for the blocks of a region.
  init(_ region: PixelRegion, _ grid: BlockGrid, budget: inout ResourceBudget) throws(CodecError) {
    let count = region.width * region.height * 64
    try budget.allocate(count: count, bytesEach: 12)
    try budget.chargeWork(count)
    values = (0..<3).map {
      [Int32](repeating: 0, count: count >> (grid.horizontalShifts[$0] + grid.verticalShifts[$0]))
    }
  }
}
