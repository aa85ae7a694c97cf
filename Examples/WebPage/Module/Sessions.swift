// Decoding of a file that is read in parts.

import ImageCoding

/// The file that arrives, or none.
struct ArrivingFile {
  /// The bytes before the format is known.
  private var prefix: [UInt8] = []
  private var session: (any IncrementalImageDecoder)?

  nonisolated(unsafe) static var current = ArrivingFile()

  /// Decodes the next part. Returns the progress.
  mutating func append(_ part: Span<UInt8>) throws(CodecError) -> Answer {
    guard let session else {
      prefix.append(copying: part)
      if case .found(let decoder, _) = Formats.match(prefix.span) { return try begin(decoder) }
      return Answer(JSONText(DecodingProgress(), nil))
    }
    return Answer(JSONText(try session.append(part), session.info))
  }

  private mutating func begin(_ decoder: AnyImageFormatDecoder) throws(CodecError) -> Answer {
    let session = decoder.makeSession(options: unsafe Pictures.options)
    self.session = session
    let bytes = prefix
    prefix = []
    return Answer(JSONText(try session.append(bytes.span), session.info))
  }

  /// Returns what can be shown of the picture, of which there may be none.
  func preview() throws(CodecError) -> Answer {
    var picture = session?.makePreview() ?? Bitmap()
    _ = try Colors.convert(&picture)
    return Answer(picture)
  }

  /// Ends the file and returns the picture.
  mutating func finish() throws(CodecError) -> Answer {
    if session == nil {
      // A format that is only known at the end, or none.
      _ = try begin(try Formats.decoder(of: prefix.span).0)
    }
    guard let session else { throw CodecError(.unrecognizedFormat, "the input is empty", byteOffset: 0) }
    defer { self = ArrivingFile() }
    return try Answer(try session.finish())
  }
}

extension JSONText {
  init(_ progress: DecodingProgress, _ info: ImageInfo?) {
    self.init()
    add("completedRowCount", progress.completedRowCount)
    add("completedScanCount", progress.completedScanCount)
    add("isComplete", progress.isComplete)
    if let info {
      add("width", info.orientedSize.width)
      add("height", info.orientedSize.height)
    }
  }
}
