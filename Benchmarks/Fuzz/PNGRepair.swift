// Correction of a mutated PNG's checksums. Without it, decoders skip every ancillary chunk that a mutation has changed,
// and the readers of those chunks are not fuzzed.

/// Repairs the framing of PNG files.
enum PNGRepair {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  /// Returns the file with the CRC of every complete chunk corrected. One input in four is left unchanged.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 20, bytes[bytes.count - 1] & 3 != 0 else { return bytes }
    var result = bytes
    var position = 8
    while position + 12 <= result.count {
      let length = result[position..<position + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard length <= UInt64(result.count - position - 12) else { break }
      let end = position + 8 + Int(length)
      let checksum = ~result[position + 4..<end].reduce(~UInt32(0)) { value, byte in
        table[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8
      }
      for index in 0..<4 { result[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index)) }
      position = end + 4
    }
    return result
  }
}
