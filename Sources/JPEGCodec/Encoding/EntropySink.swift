// The destination of a scan's symbols: either counts, from which tables are derived, or the file.

internal import ImageCoding

/// Receives the symbols and bits of a scan from buffered coefficients, to count or write them.
protocol EntropySink {
  /// Receives a symbol of the table whose symbol 0 has this index in ``HuffmanCodes/entries``.
  mutating func put(symbol: Int, tableStart: Int)
  /// Receives bits that follow a symbol.
  mutating func put(bits: UInt64, count: Int)
  /// Receives the end of a restart interval.
  mutating func putRestart(_ index: Int)
  /// Receives a whole block of a sequential scan, in zigzag order.
  mutating func putBlock(difference: Int32, mask: UInt64, _ block: Span<Int16>, table: Int)
}

extension SymbolCounts: EntropySink {
  @inline(__always)
  mutating func put(symbol: Int, tableStart: Int) { count(tableStart &+ symbol) }
  @inline(__always)
  mutating func put(bits: UInt64, count: Int) {}
  mutating func putRestart(_ index: Int) {}
  mutating func putBlock(difference: Int32, mask: UInt64, _ block: Span<Int16>, table: Int) {
    countBlock(difference: difference, mask: mask, block, table: table)
  }
}

/// Writes codes to an array, from which they are passed on.
struct CodeWriter: EntropySink {
  let codes: HuffmanCodes
  private var bytes: [UInt8]
  private var writer: EntropyWriter

  /// Creates a sink that continues at the position of `writer` in `bytes`.
  init(codes: HuffmanCodes, bytes: [UInt8], writer: EntropyWriter) {
    self.codes = codes
    self.bytes = bytes
    self.writer = writer
  }

  /// Ensures room for `count` more bytes, and charges it; calls of `put` do not.
  mutating func makeRoom(_ count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = bytes.count
    bytes.makeRoom(count, at: writer.position)
    try budget.allocate(bytes.count - byteCount)
  }

  /// Passes on the complete bytes, if they have at least a number, and makes their room free.
  mutating func drain(
    to output: inout EncodedOutput, minimumByteCount: Int = 0, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard writer.position >= minimumByteCount else { return }
    try output.append(bytes.span.extracting(first: writer.position), budget: &budget)
    writer.position = 0
  }

  @inline(__always)
  mutating func put(symbol: Int, tableStart: Int) {
    let entry = codes.entries[tableStart &+ symbol]
    put(bits: UInt64(entry &>> 8), count: Int(entry & 0xFF))
  }

  @inline(__always)
  mutating func put(bits: UInt64, count: Int) {
    Self.write(&writer, &bytes) { writer, output in writer.append(bits, count: count, &output) }
  }

  mutating func putRestart(_ index: Int) {
    Self.write(&writer, &bytes) { writer, output in writer.appendRestartMarker(index, &output) }
  }

  /// The codes must have small values.
  mutating func putBlock(difference: Int32, mask: UInt64, _ block: Span<Int16>, table: Int) {
    let places = CoefficientOrder.identity
    let (entries, smallValues) = (codes.entries, codes.smallValues)
    let tables = BlockCodingTables(places: places.span, codes: entries.span, smallValues: smallValues.span)
    let header: [1 of CodedBlock] = [
      CodedBlock(mask: mask, difference: difference, table: Int32(truncatingIfNeeded: table))
    ]
    Self.write(&writer, &bytes) { writer, output in
      writer = EntropyWriter.appending(header.span, block, tables, to: writer, &output)
    }
  }

  /// Ends the scan.
  mutating func finish(_ budget: inout ResourceBudget) throws(CodecError) {
    try makeRoom(64, &budget)
    Self.write(&writer, &bytes) { writer, output in writer.flush(&output) }
  }

  /// Calls `body` with the state of the writer and the bytes as separate values.
  @inline(__always)
  private static func write(
    _ writer: inout EntropyWriter, _ bytes: inout [UInt8],
    _ body: (inout EntropyWriter, inout MutableSpan<UInt8>) -> Void
  ) {
    var output = bytes.mutableSpan
    body(&writer, &output)
  }

  /// Moves the array out of the sink.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
