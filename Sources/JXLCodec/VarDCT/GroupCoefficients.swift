// The quantised HF coefficients of a group.

internal import ImageCoding

/// The coefficients of X, Y and B: those of one varblock after the other, as they are stored for the transforms.
struct GroupCoefficients: Sendable {
  var values: [[Int32]]

  var byteCount: Int { values.reduce(0) { $0 + $1.count * 4 } }

  /// Allocates zeros for the blocks of a region.
  init(_ region: PixelRegion, _ grid: BlockGrid, budget: inout ResourceBudget) throws(CodecError) {
    let count = region.width * region.height * 64
    let counts = (0..<3).map { count >> (grid.horizontalShifts[$0] + grid.verticalShifts[$0]) }
    try budget.allocate(count: counts.reduce(0, +), bytesEach: 4)
    try budget.chargeWork(count)
    values = counts.map { [Int32](repeating: 0, count: $0) }
  }
}
