// Writes the chunks of a WebP file (RFC 9649, sections 2.3–2.7).

internal import ImageCore

/// Collects chunks and completes the file around them.
struct RIFFWriter {
  private var chunks = ByteWriter(.littleEndian)

  /// The number of bytes of all chunks so far.
  var byteCount: Int { chunks.count }

  /// Appends a chunk, padded to an even length.
  mutating func append(_ type: String, _ payload: [UInt8]) {
    chunks.append(Array(type.utf8))
    chunks.append(UInt32(truncatingIfNeeded: payload.count))
    chunks.append(payload)
    if payload.count % 2 == 1 { chunks.append(0 as UInt8) }
  }

  /// Appends chunks that were written before.
  mutating func append(contentsOf other: RIFFWriter) {
    chunks.append(other.chunks.bytes)
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
  var bytes: [UInt8] { chunks.bytes }

  /// Returns the file.
  ///
  /// - Throws: ``CodecError/Kind/encodingFailed`` if it exceeds 4 GiB.
  func file() throws(CodecError) -> [UInt8] {
    guard let byteCount = UInt32(exactly: chunks.count + 4) else {
      throw CodecError(.encodingFailed, "the file would exceed 4 GiB", format: WebPDecoder.type)
    }
    var file = ByteWriter(.littleEndian)
    file.append(Array("RIFF".utf8))
    file.append(byteCount)
    file.append(Array("WEBP".utf8))
    file.append(chunks.bytes)
    return file.bytes
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
