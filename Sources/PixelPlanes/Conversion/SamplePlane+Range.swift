// Planes of limited range to full range.

package import ImageCoding

extension SamplePlane {
  /// The work units for a sample whose range is expanded.
  private static let workPerExpandedSample = 2

  /// Scales luma or alpha of limited range, 16…235 for 8 bits, to 0…2ⁿ − 1. Samples are clamped and rounded to nearest.
  ///
  /// - Throws: errors of `budget`, to which the work is charged.
  package mutating func expandLimitedRange(budget: inout ResourceBudget) throws(CodecError) {
    let maximum = UInt32(truncatingIfNeeded: maximumValue)
    let (black, range) = (UInt32(16) << UInt32(bitDepth - 8), UInt32(219) << UInt32(bitDepth - 8))
    // Products are less than 219 · 2⁸ · 2¹⁶, which fits into 32 bits.
    func expanded(_ sample: UInt32) -> UInt32 {
      (min(max(sample, black) &- black, range) &* maximum &+ range / 2) / range
    }
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: Self.workPerExpandedSample)
      if isWide {
        var row = mutableWideRow(y)
        for x in row.indices { row[x] = UInt16(truncatingIfNeeded: expanded(UInt32(row[x]))) }
      } else {
        var row = mutableNarrowRow(y)
        for x in row.indices { row[x] = UInt8(truncatingIfNeeded: expanded(UInt32(row[x]))) }
      }
    }
  }
}
