// Writes the chunks of a WebP file (RFC 9649, sections 2.3–2.7).

internal import ImageCoding

/// Collects chunks and completes the file around them. Long payloads are not copied until then.
struct RIFFWriter {
  /// The bytes of all chunks, one part after another.
  private var parts: [[UInt8]] = []
  /// The number of bytes of all chunks so far.
  private(set) var byteCount = 0

  /// The size up to which a part grows.
  private static let shortByteCount = 4096
  /// The number of bytes before the first chunk: RIFF, the length, WEBP.
  static let headerByteCount = 12

  private mutating func append(_ bytes: [UInt8]) {
    byteCount += bytes.count
    if let last = parts.indices.last, parts[last].count + bytes.count <= Self.shortByteCount {
      parts[last] += bytes
    } else {
      parts.append(bytes)
    }
  }

  /// Appends a chunk, padded to an even length.
  mutating func append(_ type: String, _ payload: [UInt8]) {
    appendHeader(type, byteCount: payload.count)
    append(payload)
    if payload.count % 2 == 1 { append([0]) }
  }

  /// Appends a chunk that contains bytes and chunks.
  mutating func append(_ type: String, _ fields: [UInt8], containing chunks: RIFFWriter) {
    appendHeader(type, byteCount: fields.count + chunks.byteCount)
    append(fields)
    append(contentsOf: chunks)
    if (fields.count + chunks.byteCount) % 2 == 1 { append([0]) }
  }

  private mutating func appendHeader(_ type: String, byteCount: Int) {
    var header = ByteWriter(.littleEndian, after: Array(type.utf8))
    header.append(UInt32(truncatingIfNeeded: byteCount))
    append(header.bytes)
  }

  /// Appends chunks that were written before.
  mutating func append(contentsOf other: RIFFWriter) {
    for part in other.parts { append(part) }
  }

  /// Appends VP8X.
  mutating func append(_ features: CanvasFeatures, size: PixelSize) {
    var payload = ByteWriter(.littleEndian)
    payload.append(features.rawValue)
    payload.append([0, 0, 0])
    payload.append(UInt64(size.width - 1), byteCount: 3)
    payload.append(UInt64(size.height - 1), byteCount: 3)
    append("VP8X", payload.bytes)
  }

  /// The chunks without the header of the file, for a frame of an animation.
  var bytes: [UInt8] { parts.reduce(into: []) { $0 += $1 } }

  /// Returns the header of a file.
  ///
  /// - Parameter byteCount: the number of bytes of all chunks.
  /// - Throws: `CodecError.Kind.encodingFailed` if the file exceeds 4 GiB.
  static func header(byteCount: Int) throws(CodecError) -> [UInt8] {
    guard let byteCount = UInt32(exactly: byteCount + 4) else {
      throw CodecError(.encodingFailed, "the file would exceed 4 GiB", format: WebPDecoder.type)
    }
    var header = ByteWriter(.littleEndian, after: Array("RIFF".utf8))
    header.append(byteCount)
    header.append(Array("WEBP".utf8))
    return header.bytes
  }

  /// Returns the file.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if it exceeds 4 GiB.
  func file() throws(CodecError) -> [UInt8] {
    try parts.reduce(into: Self.header(byteCount: byteCount)) { $0 += $1 }
  }

  /// Writes the chunks collected so far and discards them.
  mutating func drain(to output: inout EncodedOutput, _ budget: inout ResourceBudget) throws(CodecError) {
    for index in parts.indices {
      try output.append(parts[index], budget: &budget)
      parts[index] = []
    }
    (parts, byteCount) = ([], 0)
  }
}

/// The flags of VP8X (section 2.7).
struct CanvasFeatures: OptionSet {
  let rawValue: UInt8

  static let animation = CanvasFeatures(rawValue: 0x02)
  static let xmp = CanvasFeatures(rawValue: 0x04)
  static let exif = CanvasFeatures(rawValue: 0x08)
  static let alpha = CanvasFeatures(rawValue: 0x10)
  static let profile = CanvasFeatures(rawValue: 0x20)
}
