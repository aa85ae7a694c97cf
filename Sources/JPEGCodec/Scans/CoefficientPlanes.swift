// Storage of coefficients between the scans of a progressive or non-interleaved image.

internal import ImageCoding

/// The quantised coefficients of all components, stored block by block in row order, each block in zigzag order.
///
/// A picture rendered at an eighth of its size needs the DC coefficients only.
struct CoefficientPlanes {
  /// The storage of a component's blocks.
  struct Plane {
    /// The index of the first coefficient of block row 0, which is negative if the planes begin with a later one.
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
  /// Empty until they are allocated.
  var coefficients: [Int16] = []
  /// The number of coefficients of a block.
  let blockLength: Int
  private let frame: FrameHeader

  /// Lays out the blocks of a frame, and charges their coefficients.
  ///
  /// - Parameter keepsDCOnly: whether there is room for the DC coefficients only.
  /// - Throws: `CodecError.Kind.limitExceeded` if the budget's memory is insufficient.
  init(
    frame: FrameHeader, keepsDCOnly: Bool = false, budget: inout ResourceBudget, byteOffset: Int
  ) throws(CodecError) {
    self.frame = frame
    blockLength = keepsDCOnly ? 1 : 64
    try budget.allocate(
      count: Self.count(for: frame, keepsDCOnly: keepsDCOnly), bytesEach: 2, byteOffset: byteOffset)
    layOut(mcuRows: 0..<frame.mcuRowCount)
  }

  /// Lays out the blocks of some MCU rows of a frame, which the caller has charged.
  init(frame: FrameHeader, mcuRows: Range<Int>) {
    self.frame = frame
    blockLength = 64
    layOut(mcuRows: mcuRows)
  }

  /// Allocates zeros for every block, unless that has been done.
  mutating func allocate(_ pool: BufferPool?) {
    if coefficients.isEmpty { coefficients = pool.buffer(count) }
  }

  /// Moves on to other MCU rows, at most as many as before, and sets their coefficients to zero.
  mutating func move(toMCURows rows: Range<Int>) {
    layOut(mcuRows: rows)
    allocate(nil)
    var zeros = coefficients.mutableSpan
    for index in zeros.indices { zeros[index] = 0 }
  }

  private var count = 0

  private mutating func layOut(mcuRows: Range<Int>) {
    planes = []
    count = 0
    for component in frame.components {
      let rowCount = component.verticalFactor * mcuRows.count
      let skipped = component.verticalFactor * mcuRows.lowerBound * component.paddedBlocksPerRow * blockLength
      planes.append(
        Plane(start: count - skipped, blocksPerRow: component.paddedBlocksPerRow, blockLength: blockLength))
      count += component.paddedBlocksPerRow * rowCount * blockLength
    }
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
