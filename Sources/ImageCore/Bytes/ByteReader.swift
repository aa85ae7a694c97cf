// Bounds-checked header parsing: integers of either byte order, and typed errors with absolute offsets.

/// Reads integers and byte ranges from a header.
///
/// Reading past the end throws ``CodecError/Kind/truncated`` with the format and the offset from the start of the
/// input. Not intended for hot loops.
package struct ByteReader: ~Escapable {
  package let bytes: Span<UInt8>
  /// The index of the next byte in `bytes`.
  package private(set) var position = 0
  /// The offset of `bytes` from the start of the input.
  package let baseOffset: Int
  package let format: AssetType?

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, baseOffset: Int = 0, format: AssetType? = nil) {
    self.bytes = bytes
    self.baseOffset = baseOffset
    self.format = format
  }

  /// The number of unread bytes.
  package var remaining: Int { bytes.count - position }
  /// The offset of the next byte from the start of the input.
  package var byteOffset: Int { baseOffset + position }

  /// Creates an error located at the next byte.
  package func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: format, byteOffset: byteOffset)
  }

  private func require(_ count: Int) throws(CodecError) {
    guard count >= 0, count <= remaining else {
      let (end, overflow) = byteOffset.addingReportingOverflow(count)
      throw CodecError(
        .truncated, "the data ends inside a field", format: format, byteOffset: byteOffset,
        neededByteCount: overflow || count < 0 ? nil : end)
    }
  }

  /// Skips `count` bytes.
  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) throws(CodecError) {
    try require(count)
    position += count
  }

  /// Moves to an index of `bytes`.
  @_lifetime(self: copy self)
  package mutating func seek(to index: Int) throws(CodecError) {
    guard index >= 0, index <= bytes.count else {
      let (end, overflow) = baseOffset.addingReportingOverflow(index)
      throw CodecError(
        .truncated, "an offset is outside the data", format: format, byteOffset: byteOffset,
        neededByteCount: overflow || index < 0 ? nil : end)
    }
    position = index
  }

  /// Reads the next `count` bytes.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func read(_ count: Int) throws(CodecError) -> Span<UInt8> {
    try require(count)
    defer { position += count }
    return bytes.extracting(position..<position + count)
  }

  /// Reads the next byte.
  @_lifetime(self: copy self)
  package mutating func readUInt8() throws(CodecError) -> UInt8 {
    try require(1)
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a 16-bit big-endian integer.
  @_lifetime(self: copy self)
  package mutating func readUInt16BigEndian() throws(CodecError) -> UInt16 {
    UInt16(try readInteger(byteCount: 2, isBigEndian: true))
  }

  /// Reads a 16-bit little-endian integer.
  @_lifetime(self: copy self)
  package mutating func readUInt16LittleEndian() throws(CodecError) -> UInt16 {
    UInt16(try readInteger(byteCount: 2, isBigEndian: false))
  }

  /// Reads a 32-bit big-endian integer.
  @_lifetime(self: copy self)
  package mutating func readUInt32BigEndian() throws(CodecError) -> UInt32 {
    UInt32(try readInteger(byteCount: 4, isBigEndian: true))
  }

  /// Reads a 32-bit little-endian integer.
  @_lifetime(self: copy self)
  package mutating func readUInt32LittleEndian() throws(CodecError) -> UInt32 {
    UInt32(try readInteger(byteCount: 4, isBigEndian: false))
  }

  /// Reads the next 1…8 bytes as an unsigned integer.
  @_lifetime(self: copy self)
  package mutating func readInteger(byteCount: Int, isBigEndian: Bool) throws(CodecError) -> UInt64 {
    try require(byteCount)
    var value: UInt64 = 0
    for index in 0..<byteCount {
      let byte = UInt64(bytes[position + (isBigEndian ? index : byteCount - 1 - index)])
      value = value << 8 | byte
    }
    position += byteCount
    return value
  }
}
