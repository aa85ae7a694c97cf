// LZW codes in, bytes out. The output itself is the dictionary: each string is the one before it and one byte more, and
// those stand one after the other in the output, so a code is a place and a length there.

/// Decodes one LZW stream whose bytes arrive in pieces.
///
/// All calls are given the same output, which must keep what was written. Codes that come after the table is full are
/// read with the full table, as GIF allows.
package struct LZWDecoder: Sendable {
  /// How a call ended.
  package enum Status: Hashable, Sendable {
    /// All input is taken, and more is needed.
    case needsInput
    /// The end code came.
    case ended
    /// There are more bytes than the output has room for. What fits was written.
    case excess
    /// A code that stands for nothing yet came. What was written before it is sound.
    case malformed
  }

  private let coding: LZWCoding
  private var state: LZWState
  /// One entry a code and one that is overwritten while the table is full.
  private var table: [LZWEntry]
  /// How the last call ended; only ``Status/needsInput`` can be followed by another one.
  package private(set) var status = Status.needsInput
  /// Bytes of the output that are written.
  package private(set) var outputCount = 0

  /// A decoder at the start of a stream.
  package init(_ coding: LZWCoding) {
    self.coding = coding
    state = LZWState(coding)
    table = [LZWEntry](repeating: LZWEntry(), count: LZWCoding.maximumCodeCount + 1)
    resetLiterals()
  }

  /// Goes back to the start of a stream, perhaps of another coding, and keeps the allocation.
  package mutating func restart(_ coding: LZWCoding) {
    self = LZWDecoder(coding, reusing: consume self)
  }

  private init(_ coding: LZWCoding, reusing other: consuming LZWDecoder) {
    self.coding = coding
    state = LZWState(coding)
    table = other.table
    resetLiterals()
  }

  private mutating func resetLiterals() {
    for code in 0..<coding.clearCode { table[code] = LZWEntry(literal: UInt8(truncatingIfNeeded: code)) }
    table[coding.clearCode] = LZWEntry()
    table[coding.endCode] = LZWEntry()
  }

  /// Decodes the next bytes of the stream. Writes to `output` from ``outputCount`` on; what lies behind that count
  /// afterwards is arbitrary.
  package mutating func decode(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    precondition(output.count >= outputCount && output.count <= Int(UInt32.max), "not the output of this stream")
    guard status == .needsInput else { return }
    let coding = coding
    // Taken out while it is borrowed, so that the rest of self may be read and written.
    var table: [LZWEntry] = []
    swap(&table, &self.table)
    defer { swap(&table, &self.table) }
    var entries = table.mutableSpan
    var state = self.state
    var position = 0
    var written = outputCount
    var result: Status?
    while result == nil {
      decodeCodes(
        input, &position, into: &output, &written, table: &entries, state: &state, bitOrder: coding.bitOrder)
      result = decodeCode(
        input, &position, into: &output, &written, table: &entries, state: &state, coding: coding)
    }
    self.state = state
    outputCount = written
    status = result ?? .needsInput
  }
}

/// Decodes one code with every check: clear codes, codes near the ends of input and output, damage.
///
/// - Returns: `nil` when decoding goes on.
private func decodeCode(
  _ input: Span<UInt8>, _ position: inout Int, into output: inout MutableSpan<UInt8>, _ written: inout Int,
  table: inout MutableSpan<LZWEntry>, state: inout LZWState, coding: LZWCoding
) -> LZWDecoder.Status? {
  guard let code = state.readCode(input, &position, bitOrder: coding.bitOrder) else { return .needsInput }
  if code == coding.clearCode {
    state.clear(coding)
    return nil
  }
  if code == coding.endCode { return .ended }
  guard state.hasPrevious ? code <= state.nextCode : code < coding.clearCode else { return .malformed }
  // The next free code stands for the string before and its own first byte.
  let entry = code == state.nextCode ? state.previous.appending(state.previous.firstByte) : table[code]
  let length = min(Int(entry.length), output.count - written)
  if code < coding.clearCode {
    if length > 0 { output[written] = UInt8(truncatingIfNeeded: code) }
  } else {
    for index in 0..<length { output[written + index] = output[Int(entry.offset) + index] }
  }
  if length < Int(entry.length) {
    written += length
    return .excess
  }
  if state.hasPrevious {
    table[state.nextCode] = state.previous.appending(entry.firstByte)
    state.advance()
  } else {
    state.advancePastFirstCode()
  }
  state.previous = LZWEntry(prefix: entry.prefix, offset: UInt32(written), length: entry.length)
  state.hasPrevious = true
  written += length
  return nil
}
