// Framing of the output: signature, then chunks of length, type, data and CRC.

internal import ByteCompression
internal import ImageCore

/// Collects the chunks of a PNG.
struct ChunkWriter {
  fileprivate(set) var bytes: [UInt8] = ChunkReader.signature

  /// Appends one chunk.
  mutating func append(_ type: ChunkType, _ data: [UInt8]) {
    bytes.appendBigEndian(UInt32(truncatingIfNeeded: data.count))
    let start = bytes.count
    bytes.appendBigEndian(type.code)
    bytes.append(contentsOf: data)
    let checksum = CRC32(of: bytes.span.extracting(start..<bytes.count)).value
    bytes.appendBigEndian(checksum)
  }
}

extension ChunkWriter {
  /// Appends whole chunks as they stand in another file.
  mutating func append(copying chunks: Span<UInt8>) {
    bytes += Array(copying: chunks)
  }
}

extension Array where Element == UInt8 {
  /// Appends four bytes, most significant first.
  mutating func appendBigEndian(_ value: UInt32) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
  }

  /// Appends two bytes, most significant first.
  mutating func appendBigEndian(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }
}
