// Framing of the output: markers, and segments that consist of a marker, a length and content (ITU-T T.81, B.1.1.4).

internal import ImageCoding

/// Writes the segments of a JPEG file.
struct SegmentWriter {
  /// The maximum number of content bytes in a segment.
  static let maximumContentByteCount = 65_533

  /// The file written so far.
  var bytes: [UInt8] = []

  /// Appends a marker without a segment.
  mutating func append(_ marker: Marker) {
    bytes.append(0xFF)
    bytes.append(marker.rawValue)
  }

  /// Appends a segment whose content is known to fit.
  mutating func append(_ marker: Marker, _ content: [UInt8]) {
    precondition(content.count <= Self.maximumContentByteCount, "the content does not fit in a segment")
    let length = content.count + 2
    append(marker)
    bytes.append(UInt8(truncatingIfNeeded: length >> 8))
    bytes.append(UInt8(truncatingIfNeeded: length))
    bytes += content
  }

  /// Appends a segment of metadata.
  ///
  /// - Parameter name: the name at the start of the content.
  /// - Throws: `CodecError.Kind.encodingFailed` if the content is too long; `what` names it in the message.
  mutating func append(
    _ marker: Marker, name: String = "", _ content: [UInt8], what: String
  ) throws(CodecError) {
    guard name.utf8.count + content.count <= Self.maximumContentByteCount else {
      throw CodecError(
        .encodingFailed, "\(what) has \(content.count) bytes, too many for a segment", format: JPEGDecoder.type)
    }
    append(marker, Array(name.utf8) + content)
  }

  /// Appends bytes of another file: whole segments or entropy-coded data.
  mutating func append(copying part: Span<UInt8>) {
    bytes.append(copying: part)
  }
}
