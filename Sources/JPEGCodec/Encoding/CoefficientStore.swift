// The quantised coefficients of a whole image, stored if the scans or the Huffman tables depend on all of them.

internal import ImageCoding

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
    blocksPerRow = frame.components.map { $0.paddedBlocksPerRow }
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

  /// Stores a block that is not quantised, in natural order.
  mutating func storeUnquantized(_ block: Span<Int16>, at index: Int) {
    for place in 0..<64 { coefficients[index &* 64 &+ place] = block[place] }
  }

  /// Stores a block with only a DC coefficient.
  mutating func storeDC(_ dc: Int16, at index: Int) {
    masks[index] = dc == 0 ? 0 : 1
    coefficients[index * 64] = dc
  }

  /// Stores a block of another file, with its coefficients moved.
  ///
  /// - Parameters:
  ///   - block: 64 coefficients in zigzag order.
  ///   - places: for each of them its new zigzag index, plus 64 if it is negated.
  @inline(__always)
  mutating func store(_ block: Span<Int16>, movedTo places: Span<UInt8>, at index: Int) {
    var rest = nonzeroCoefficients(block)
    var mask: UInt64 = 0
    while rest != 0 {
      let source = rest.trailingZeroBitCount
      rest &= rest &- 1
      let place = places[source]
      let value = block[source]
      mask |= 1 &<< UInt64(place & 63)
      coefficients[index &* 64 &+ Int(place & 63)] = place > 63 ? 0 &- value : value
    }
    masks[index] = mask
  }
}

extension CoefficientStore {
  /// Throws `CodecError.Kind.encodingFailed` if a DC difference has no code in the standard Huffman tables. Coefficients
  /// are within their ranges.
  func checkStandardCodes(_ frame: EncodingFrame) throws(CodecError) {
    let scan = ScanDescription.sequential(frame)
    // Differences of smaller values always have a code.
    guard masks.indices.contains(where: { coefficients[$0 * 64].magnitude > 1023 }) else { return }
    var counter = SymbolCounts()
    var state = ScanState(scan: scan, frame: frame, interval: 0, isProgressive: false)
    for row in 0..<state.rowCount { state.putRow(row, of: self, to: &counter) }
    for table in 0..<2 where (12..<16).contains(where: { counter.counts[HuffmanCodes.dcStart(table) + $0] > 0 }) {
      throw CodecError(.encodingFailed, "a DC coefficient has no code", format: JPEGDecoder.type)
    }
  }
}
