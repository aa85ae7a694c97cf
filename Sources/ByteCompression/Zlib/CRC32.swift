// The CRC-32 of RFC 1952 and of PNG's chunks, computed by the system's zlib.

internal import CZlib

/// An incrementally computed CRC-32, as in RFC 1952 and PNG.
package struct CRC32: Hashable, Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  /// Creates the checksum of an empty input.
  package init() {}

  /// Computes the checksum of a span.
  package init(of bytes: Span<UInt8>) {
    update(bytes)
  }

  /// Includes more bytes in the checksum.
  package mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the buffer outlives the call and zlib only reads its bytes.
    value = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(value), buffer.baseAddress, buffer.count))
    }
  }
}
