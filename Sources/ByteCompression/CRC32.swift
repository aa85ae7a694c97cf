// The CRC-32 of RFC 1952 and of PNG's chunks.

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
    value = ~crc32(bytes, after: ~value)
  }

  /// Includes a byte in the checksum.
  mutating func update(_ byte: UInt8) {
    value = ~CRC32Tables.shared.next(~value, byte)
  }
}

/// The remainders of bytes that are followed by zeros.
struct CRC32Tables: Sendable {
  /// The number of words that ``far`` skips.
  static let braidCount = 5
  static let shared = CRC32Tables()

  /// 8 × 256 remainders. Those at 256k are of bytes followed by 7 - k more bytes.
  let near: [UInt32]
  /// The same for bytes that are followed by all words of a group in addition, but their own.
  let far: [UInt32]

  private init() {
    let first: [UInt32] = (0..<256).map { byte in
      var value = UInt32(byte)
      // The polynomial of IEEE 802.3, its bits reversed.
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
      return value
    }
    var tables = [first]
    for _ in 1..<Self.braidCount * 8 {
      tables.append(tables[tables.count - 1].map { $0 >> 8 ^ first[Int($0 & 255)] })
    }
    near = Array(tables[..<8].reversed().joined())
    far = Array(tables[(Self.braidCount * 8 - 8)...].reversed().joined())
  }

  /// Returns the remainder after one more byte.
  func next(_ value: UInt32, _ byte: UInt8) -> UInt32 {
    value >> 8 ^ near[7 * 256 + Int(UInt8(truncatingIfNeeded: value) ^ byte)]
  }
}
