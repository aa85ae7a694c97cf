// Storage of coefficients between the scans of a progressive or non-interleaved image.

internal import ImageCore

/// The quantised coefficients of all components, stored block by block in row order, each block in zigzag order.
struct CoefficientPlanes {
  /// The storage of a component's blocks.
  struct Plane {
    /// The index of the first coefficient.
    var start: Int
    /// The number of blocks in a row, rounded up to whole MCUs.
    var blocksPerRow: Int

    /// The index of the first coefficient of a block.
    @inline(__always)
    func block(row: Int, column: Int) -> Int { start &+ (row &* blocksPerRow &+ column) &* 64 }
  }

  private(set) var planes: [Plane] = []
  var coefficients: [Int16]

  /// Allocates zeros for every block of a frame.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the budget's memory is insufficient.
  init(frame: FrameHeader, budget: inout ResourceBudget, byteOffset: Int) throws(CodecError) {
    try budget.allocate(count: Self.count(for: frame), bytesEach: 2, byteOffset: byteOffset)
    var count = 0
    for component in frame.components {
      planes.append(Plane(start: count, blocksPerRow: component.paddedBlocksPerRow))
      count += component.paddedBlocksPerRow * component.paddedBlockRowCount * 64
    }
    coefficients = [Int16](repeating: 0, count: count)
  }

  /// The number of coefficients in a frame; saturates if it is not addressable.
  static func count(for frame: FrameHeader) -> Int {
    frame.components.reduce(0) { sum, component in
      let blocks = component.paddedBlocksPerRow.multipliedReportingOverflow(by: component.paddedBlockRowCount)
      let (count, overflow) = blocks.partialValue.multipliedReportingOverflow(by: 64)
      let (total, totalOverflow) = sum.addingReportingOverflow(count)
      return blocks.overflow || overflow || totalOverflow ? .max : total
    }
  }
}
