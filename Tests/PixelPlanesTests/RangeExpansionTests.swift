// Limited to full range, against the definition in double precision.

import ImageCoding
import PixelPlanes
import Testing

@Suite struct RangeExpansionTests {
  /// All values of each depth. White is 235 and black 16 at 8 bits.
  @Test(arguments: [8, 9, 10, 12, 16]) func samplesAreScaledRoundedAndClamped(depth: Int) throws {
    let (count, step) = (1 << depth, Double(1 << (depth - 8)))
    var plane =
      depth == 8
      ? try SamplePlane(width: 16, height: 16, samples: (0..<256).map { UInt8($0) })
      : try SamplePlane(width: 16, height: count / 16, bitDepth: depth, samples: (0..<count).map { UInt16($0) })
    var budget = ResourceBudget(.default)
    try plane.expandLimitedRange(budget: &budget)
    for value in 0..<count {
      let share = min(max((Double(value) - 16 * step) / (219 * step), 0), 1)
      #expect(Double(plane[value % 16, value / 16]) == (share * Double(count - 1)).rounded(), "\(value)")
    }
    #expect(budget.work > 0)
  }
}
