// LZW decoding. The output itself is the dictionary: each string is the previous one plus one byte, and consecutive
// strings are adjacent in the output, so a code maps to an offset and a length there.

/// Decodes one LZW stream from incremental input.
///
/// Every call must pass the same output buffer with the bytes written so far intact. Codes that arrive after the table
/// is full are decoded with the full table, as GIF allows.
package struct LZWDecoder: Sendable {
  /// The status of the decoder after a call.
  package enum Status: Hashable, Sendable {
    /// All input is consumed, and more is needed.
    case needsInput
    /// The end-of-information code was read.
    case ended
    /// The stream has more bytes than the output has room for. The bytes that fit are written.
    case excess
    /// A code was read that is not in the table yet. The bytes written before it are valid.
    case malformed
  }

  private let coding: LZWCoding
  private var state: LZWState
  /// One entry per code, and a spare one that is overwritten while the table is full.
  private var table: [LZWEntry]
  /// The result of the last call. Decoding can continue only after ``Status/needsInput``.
  package private(set) var status = Status.needsInput
  /// The number of bytes written to the output.
  package private(set) var outputCount = 0

  /// Creates a decoder at the start of a stream.
  package init(_ coding: LZWCoding) {
    self.coding = coding
    state = LZWState(coding)
    table = [LZWEntry](repeating: LZWEntry(), count: LZWCoding.maximumCodeCount + 1)
    resetLiterals()
  }

  /// Prepares for a new stream, possibly of another variant, keeping the allocation.
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

  /// Decodes the next bytes of the stream. Writes to `output` starting at ``outputCount``; bytes after the new count
  /// are arbitrary.
  package mutating func decode(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    precondition(
      output.count >= outputCount && UInt64(output.count) <= UInt64(UInt32.max), "output of another stream")
    guard status == .needsInput else { return }
    let coding = coding
    // Moved out of the property while borrowed, so that the rest of self stays accessible.
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

/// Decodes one code with all checks: clear codes, codes near the ends of input and output, and damage.
///
/// - Returns: `nil` if decoding continues.
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
  // The next free code represents the previous string followed by its own first byte.
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
