// The checksum of RFC 1952 and of PNG's chunks by the system's zlib.

internal import CZlib

/// CRC-32 of RFC 1952 and PNG.
package struct CRC32: Hashable, Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of some bytes.
  package init(of bytes: Span<UInt8>) {
    update(bytes)
  }

  /// Takes in more bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the buffer outlives the call and zlib only reads its bytes.
    value = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(value), buffer.baseAddress, buffer.count))
    }
  }
}
