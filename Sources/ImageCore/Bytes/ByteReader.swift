// Bounds-checked reading of headers: integers of both byte orders, typed errors with absolute offsets.

/// Reads integers and runs of bytes from a header.
///
/// Reading past the end throws ``DecodeError/Kind/truncated`` with the format and the offset from the start of the
/// input. Not for hot loops.
package struct ByteReader: ~Escapable {
  package let bytes: Span<UInt8>
  /// The index of the next byte in `bytes`.
  package private(set) var position = 0
  /// The offset of `bytes` in the whole input.
  package let baseOffset: Int
  package let format: AssetType?

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, baseOffset: Int = 0, format: AssetType? = nil) {
    self.bytes = bytes
    self.baseOffset = baseOffset
    self.format = format
  }

  /// The number of bytes left.
  package var remaining: Int { bytes.count - position }
  /// The offset of the next byte in the whole input.
  package var byteOffset: Int { baseOffset + position }

  /// An error at the next byte.
  package func error(_ kind: DecodeError.Kind, _ reason: String) -> DecodeError {
    DecodeError(kind, reason, format: format, byteOffset: byteOffset)
  }

  private func require(_ count: Int) throws(DecodeError) {
    guard count >= 0, count <= remaining else {
      let (end, overflow) = byteOffset.addingReportingOverflow(count)
      throw DecodeError(
        .truncated, "the data ends inside a field", format: format, byteOffset: byteOffset,
        neededByteCount: overflow || count < 0 ? nil : end)
    }
  }

  /// Moves on by `count` bytes.
  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) throws(DecodeError) {
    try require(count)
    position += count
  }

  /// Moves to an index of `bytes`.
  @_lifetime(self: copy self)
  package mutating func seek(to index: Int) throws(DecodeError) {
    guard index >= 0, index <= bytes.count else {
      let (end, overflow) = baseOffset.addingReportingOverflow(index)
      throw DecodeError(
        .truncated, "an offset points outside of the data", format: format, byteOffset: byteOffset,
        neededByteCount: overflow || index < 0 ? nil : end)
    }
    position = index
  }

  /// The next `count` bytes.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func read(_ count: Int) throws(DecodeError) -> Span<UInt8> {
    try require(count)
    defer { position += count }
    return bytes.extracting(position..<position + count)
  }

  /// The next byte.
  @_lifetime(self: copy self)
  package mutating func readUInt8() throws(DecodeError) -> UInt8 {
    try require(1)
    defer { position += 1 }
    return bytes[position]
  }

  /// The next two bytes, most significant first.
  @_lifetime(self: copy self)
  package mutating func readUInt16BigEndian() throws(DecodeError) -> UInt16 {
    UInt16(try readInteger(byteCount: 2, isBigEndian: true))
  }

  /// The next two bytes, least significant first.
  @_lifetime(self: copy self)
  package mutating func readUInt16LittleEndian() throws(DecodeError) -> UInt16 {
    UInt16(try readInteger(byteCount: 2, isBigEndian: false))
  }

  /// The next four bytes, most significant first.
  @_lifetime(self: copy self)
  package mutating func readUInt32BigEndian() throws(DecodeError) -> UInt32 {
    UInt32(try readInteger(byteCount: 4, isBigEndian: true))
  }

  /// The next four bytes, least significant first.
  @_lifetime(self: copy self)
  package mutating func readUInt32LittleEndian() throws(DecodeError) -> UInt32 {
    UInt32(try readInteger(byteCount: 4, isBigEndian: false))
  }

  /// The next 1…8 bytes as an unsigned integer.
  @_lifetime(self: copy self)
  package mutating func readInteger(byteCount: Int, isBigEndian: Bool) throws(DecodeError) -> UInt64 {
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
