// Storage of coefficients between the scans of a progressive or non-interleaved image.

internal import ImageCoding

/// The quantised coefficients of all components, stored block by block in row order, each block in zigzag order.
///
/// A picture rendered at an eighth of its size needs the DC coefficients only.
struct CoefficientPlanes {
  /// The storage of a component's blocks.
  struct Plane {
    /// The index of the first coefficient.
    var start: Int
    /// The number of blocks in a row, rounded up to whole MCUs.
    var blocksPerRow: Int
    /// The number of coefficients of a block: 64, or 1 for DC alone.
    var blockLength: Int

    /// The index of the first coefficient of a block.
    @inline(__always)
    func block(row: Int, column: Int) -> Int { start &+ (row &* blocksPerRow &+ column) &* blockLength }
  }

  private(set) var planes: [Plane] = []
  var coefficients: [Int16]
  /// The number of coefficients of a block.
  let blockLength: Int

  /// Allocates zeros for every block of a frame.
  ///
  /// - Parameter keepsDCOnly: whether there is room for the DC coefficients only.
  /// - Throws: `CodecError.Kind.limitExceeded` if the budget's memory is insufficient.
  init(
    frame: FrameHeader, keepsDCOnly: Bool = false, budget: inout ResourceBudget, byteOffset: Int
  ) throws(CodecError) {
    blockLength = keepsDCOnly ? 1 : 64
    try budget.allocate(
      count: Self.count(for: frame, keepsDCOnly: keepsDCOnly), bytesEach: 2, byteOffset: byteOffset)
    var count = 0
    for component in frame.components {
      planes.append(Plane(start: count, blocksPerRow: component.paddedBlocksPerRow, blockLength: blockLength))
      count += component.paddedBlocksPerRow * component.paddedBlockRowCount * blockLength
    }
    coefficients = budget.bufferPool.buffer(count)
  }

  /// The number of coefficients in a frame; saturates if it is not addressable.
  static func count(for frame: FrameHeader, keepsDCOnly: Bool = false) -> Int {
    frame.components.reduce(0) { sum, component in
      let blocks = component.paddedBlocksPerRow.multipliedReportingOverflow(by: component.paddedBlockRowCount)
      let (count, overflow) = blocks.partialValue.multipliedReportingOverflow(by: keepsDCOnly ? 1 : 64)
      let (total, totalOverflow) = sum.addingReportingOverflow(count)
      return blocks.overflow || overflow || totalOverflow ? .max : total
    }
  }
}
