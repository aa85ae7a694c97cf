// The quantised coefficients of a whole image, stored if the scans or the Huffman tables depend on all of them.

internal import ImageCore

/// The blocks of all components, component by component, row by row in whole MCUs, each block in zigzag order.
struct CoefficientStore {
  /// 64 coefficients per block.
  private(set) var coefficients: [Int16]
  /// A bit mask of the nonzero coefficients of each block.
  private(set) var masks: [UInt64]
  private let blocksPerRow: [Int]
  private let firstBlocks: [Int]

  /// Allocates zeros for all blocks of a frame and charges the memory.
  init(_ frame: EncodingFrame, budget: inout ResourceBudget) throws(CodecError) {
    blocksPerRow = frame.components.map(\.paddedBlocksPerRow)
    // At most 2^13 · 4 blocks in each direction.
    var count = 0
    var starts: [Int] = []
    for component in frame.components {
      starts.append(count)
      let (sum, overflow) = count.addingReportingOverflow(component.paddedBlocksPerRow * component.paddedBlockRowCount)
      count = overflow ? .max : sum
    }
    firstBlocks = starts
    try budget.allocate(count: count, bytesEach: 64 * 2 + 8)
    coefficients = [Int16](repeating: 0, count: count * 64)
    masks = [UInt64](repeating: 0, count: count)
  }

  /// The index of a block.
  @inline(__always)
  func index(component: Int, row: Int, column: Int) -> Int {
    firstBlocks[component] &+ row &* blocksPerRow[component] &+ column
  }

  /// Stores a block whose coefficients are in natural order.
  ///
  /// - Parameter mask: a bit mask of the nonzero coefficients by zigzag index.
  mutating func store(_ block: Span<Int16>, mask: UInt64, at index: Int, places: Span<UInt8>) {
    masks[index] = mask
    var rest = mask
    while rest != 0 {
      let zigzag = rest.trailingZeroBitCount
      rest &= rest &- 1
      coefficients[index &* 64 &+ zigzag] = block[Int(places[zigzag])]
    }
  }

  /// Stores a block with only a DC coefficient.
  mutating func storeDC(_ dc: Int16, at index: Int) {
    masks[index] = dc == 0 ? 0 : 1
    coefficients[index * 64] = dc
  }
}
