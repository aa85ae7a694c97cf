// The rows of the stored frame: blocks side by side, linearised.

internal import ImageCoding

/// Reads the frame of a sensor row by row.
struct SensorRowReader {
  private let layout: SensorLayout
  private let decoder: RawDecoder
  /// The most work units that reading a sample takes, without those of opcodes: those of a stream of Deflate.
  static let maximumWorkPerSample = 16

  /// Changes stored samples before they are linearised.
  private let opcodes: OpcodeList
  /// The blocks that the current row crosses; `nil` where one is damaged.
  private var blocks: [BlockRows?] = []
  /// A row of all blocks, with their padding.
  private var stored: [UInt16]
  private(set) var y = 0
  /// The number of blocks' rows that were read.
  private var intactCount = 0
  private var firstError: CodecError?
  private(set) var isDamaged = false
  /// Whether further blocks have been searched for since the current ones were opened.
  private var isSearched = false
  /// Whether no further block is in the file.
  private(set) var isExhausted = false

  init(
    _ layout: SensorLayout, _ decoder: RawDecoder, opcodes: OpcodeList, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.layout = layout
    self.decoder = decoder
    self.opcodes = opcodes
    let (columns, overflow) = layout.columnCount.multipliedReportingOverflow(by: layout.blockSize.width)
    let count = overflow ? -1 : columns
    try budget.allocate(count: count, bytesEach: 2 * layout.samplesPerPixel)
    try budget.allocate(count: layout.columnCount, bytesEach: MemoryLayout<BlockRows?>.stride)
    stored = [UInt16](repeating: 0, count: count * layout.samplesPerPixel)
  }

  /// Reads the next row of the frame.
  ///
  /// - Parameter row: receives the samples of the frame's width.
  /// - Throws: in strict mode, the first error; otherwise only those that end the decode, and the first error if no block
  ///   can be read at all, after the last row.
  mutating func readRow(
    _ file: Span<UInt8>, into row: inout MutableSpan<UInt16>, _ context: inout DecodingContext
  ) throws(CodecError) {
    if y % layout.blockSize.height == 0 { try openBlocks(file, &context) }
    let count = layout.blockSize.width * layout.samplesPerPixel
    var stored: [UInt16] = []
    swap(&stored, &self.stored)
    defer { swap(&stored, &self.stored) }
    for column in blocks.indices {
      let place = column * count..<(column + 1) * count
      do throws(CodecError) {
        var samples = stored.mutableSpan
        var part = samples._mutatingExtracting(place)
        guard blocks[column] != nil else {
          for index in 0..<count { part[index] = 0 }
          continue
        }
        try blocks[column]?.readRow(file, into: &part, budget: &context.budget)
        intactCount += 1
      } catch {
        try tolerate(error, &context)
        close(column, &context)
        for index in place { stored[index] = 0 }
      }
    }
    try context.budget.chargeWork(opcodes.workPerRow)
    try context.budget.chargeWork(count: row.count, unitsEach: 1 + opcodes.workPerSample)
    opcodes.apply(to: &stored, y: y, samplesPerPixel: layout.samplesPerPixel)
    let table = layout.linearization
    if table.isEmpty {
      for index in 0..<row.count { row[index] = stored[index] }
    } else {
      let last = table.count - 1
      for index in 0..<row.count { row[index] = table[min(Int(stored[index]), last)] }
    }
    y += 1
    if !isSearched, blocks.allSatisfy({ $0 == nil }) {
      isSearched = true
      let following = (y - 1) / layout.blockSize.height + 1
      isExhausted = try !layout.hasBlock(from: following * layout.columnCount, in: file, budget: &context.budget)
    }
    if isExhausted, intactCount == 0, let firstError { throw firstError }
    if y == layout.size.height, intactCount == 0, let firstError { throw firstError }
  }

  private mutating func openBlocks(_ file: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) {
    for column in blocks.indices { close(column, &context) }
    blocks = []
    isSearched = false
    let first = y / layout.blockSize.height * layout.columnCount
    for column in 0..<layout.columnCount {
      do throws(CodecError) {
        let range = try layout.range(ofBlock: first + column, in: file)
        blocks.append(try BlockRows(range, layout, decoder, file, &context))
      } catch {
        try tolerate(error, &context)
        blocks.append(nil)
      }
    }
  }

  /// Closes a block and credits its memory.
  private mutating func close(_ column: Int, _ context: inout DecodingContext) {
    context.budget.release(blocks[column]?.heldByteCount ?? 0)
    blocks[column] = nil
  }

  private mutating func tolerate(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    if !error.isDamage { throw error }
    try context.tolerateOnce(error, as: .damage)
    isDamaged = true
    firstError = firstError ?? error
  }
}
