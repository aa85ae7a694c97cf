// Writes headers: integers of a fixed byte order. The counterpart of ByteReader.

/// Collects the bytes of a header or a whole file.
package struct ByteWriter: Sendable {
  /// The order of an integer's bytes.
  package enum ByteOrder: Sendable {
    /// The most significant byte comes first.
    case bigEndian
    /// The least significant byte comes first.
    case littleEndian
  }

  /// The bytes written so far.
  package private(set) var bytes: [UInt8]
  private let order: ByteOrder

  /// Creates a writer that appends to `bytes`.
  package init(_ order: ByteOrder, after bytes: [UInt8] = []) {
    self.order = order
    self.bytes = bytes
  }

  /// The number of bytes written.
  package var count: Int { bytes.count }

  /// Appends bytes.
  package mutating func append(_ other: some Sequence<UInt8>) {
    bytes.append(contentsOf: other)
  }

  /// Appends the bytes of a span.
  package mutating func append(copying span: Span<UInt8>) {
    bytes.append(copying: span)
  }

  /// Appends one byte.
  package mutating func append(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends a 16-bit integer.
  package mutating func append(_ value: UInt16) {
    append(UInt64(value), byteCount: 2)
  }

  /// Appends a 32-bit integer.
  package mutating func append(_ value: UInt32) {
    append(UInt64(value), byteCount: 4)
  }

  /// Appends the low 1…8 bytes of an integer.
  package mutating func append(_ value: UInt64, byteCount: Int) {
    for index in 0..<byteCount { bytes.append(byte(index, of: value, byteCount)) }
  }

  /// Replaces bytes already written, such as a length that was unknown before. Ignored if they are out of range.
  package mutating func overwrite(at offset: Int, with value: UInt64, byteCount: Int) {
    guard offset >= 0, byteCount >= 0, offset <= bytes.count - byteCount else { return }
    for index in 0..<byteCount { bytes[offset + index] = byte(index, of: value, byteCount) }
  }

  private func byte(_ index: Int, of value: UInt64, _ byteCount: Int) -> UInt8 {
    let shift = order == .bigEndian ? byteCount - 1 - index : index
    return UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))
  }
}
