// Storage of coefficients between the scans of a progressive or non-interleaved image.

internal import ImageCoding

/// The quantised coefficients of all components, stored block by block in row order, each block in zigzag order.
///
/// A picture rendered at an eighth of its size needs the DC coefficients only.
struct CoefficientPlanes {
  /// The storage of a component's blocks.
  struct Plane {
    /// The index of the first coefficient of block row 0, modulo 2 to the power of the bits of `Int`: planes may begin
    /// with a later row.
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
  /// Whether the budget holds the coefficients.
  private(set) var isCharged = false
  private let frame: FrameHeader

  /// Creates planes without blocks.
  ///
  /// - Parameter keepsDCOnly: whether there is room for the DC coefficients only.
  init(frame: FrameHeader, keepsDCOnly: Bool = false) {
    self.frame = frame
    blockLength = keepsDCOnly ? 1 : 64
  }

  /// Charges the coefficients of the frame, and lays out all blocks.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if the budget's memory is insufficient.
  mutating func charge(_ budget: inout ResourceBudget, byteOffset: Int) throws(CodecError) {
    try budget.allocate(
      count: Self.count(for: frame, keepsDCOnly: blockLength == 1), bytesEach: 2, byteOffset: byteOffset)
    isCharged = true
    layOut(mcuRows: 0..<frame.mcuRowCount)
  }

  /// Allocates zeros for every block, unless that has been done.
  mutating func allocate(_ pool: BufferPool?) {
    if coefficients.isEmpty { coefficients = pool.buffer(count) }
  }

  /// Lays out the blocks of some MCU rows, no more of them than in the first call, and sets their coefficients to zero.
  /// The caller has charged them.
  mutating func move(toMCURows rows: Range<Int>, _ pool: BufferPool?) {
    layOut(mcuRows: rows)
    if coefficients.isEmpty { return allocate(pool) }
    let count = count
    var zeros = coefficients.mutableSpan
    for index in 0..<count { zeros[index] = 0 }
  }

  private var count = 0

  private mutating func layOut(mcuRows: Range<Int>) {
    planes = []
    count = 0
    for component in frame.components {
      let rowCount = component.verticalFactor * mcuRows.count
      // The index in all coefficients of the frame, which `Int` need not hold: the index of a block is the difference.
      let skipped = component.verticalFactor &* mcuRows.lowerBound &* component.paddedBlocksPerRow &* blockLength
      planes.append(
        Plane(start: count &- skipped, blocksPerRow: component.paddedBlocksPerRow, blockLength: blockLength))
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
