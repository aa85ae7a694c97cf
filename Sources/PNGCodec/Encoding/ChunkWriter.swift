// Framing of the output: the signature, then chunks of length, type, data and CRC.

internal import ByteCompression
internal import ImageCoding

/// Collects the chunks of a PNG.
struct ChunkWriter {
  private var writer = ByteWriter(.bigEndian, after: ChunkReader.signature)

  /// The bytes of a chunk besides its data: length, type and CRC.
  static let overhead = 12

  /// Creates a writer that starts with the signature.
  init() {}

  /// Creates a writer of chunks alone.
  init(_ type: ChunkType, _ data: [UInt8]) {
    writer = ByteWriter(.bigEndian)
    append(type, data)
  }

  /// The file written so far, or what has been written since it was last taken.
  var bytes: [UInt8] { writer.bytes }

  /// Returns the bytes and removes them.
  mutating func takeBytes() -> [UInt8] {
    defer { writer = ByteWriter(.bigEndian) }
    return writer.bytes
  }

  /// Appends one chunk.
  mutating func append(_ type: ChunkType, _ data: [UInt8]) {
    writer.append(UInt32(truncatingIfNeeded: data.count))
    let start = writer.count
    writer.append(type.code)
    writer.append(data)
    let checksum = CRC32(of: writer.bytes.span.extracting(start..<writer.count)).value
    writer.append(checksum)
  }

  /// Appends whole chunks copied from another file.
  mutating func append(copying chunks: Span<UInt8>) {
    writer.append(copying: chunks)
  }
}
