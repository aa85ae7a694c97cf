// Adapts decoders of pipelines, which receive growing prefixes of a file, to sessions, which take every byte once.

internal import Foundation

/// Passes the new bytes of each prefix to a session.
struct CumulativeDecoding {
  private let formats: ImageFormatRegistry
  private let options: DecodingOptions
  private let colorConversion: ColorConversion
  private let session: ImageSession
  /// The number of bytes that the session has received.
  private var consumedByteCount = 0

  init(formats: ImageFormatRegistry, options: DecodingOptions, colorConversion: ColorConversion) {
    self.formats = formats
    self.options = options
    self.colorConversion = colorConversion
    session = ImageSession(options: options, colorConversion: colorConversion, formats: formats)
  }

  /// Whether pixels may have been decoded. The size of a drawing is chosen once it is complete.
  var hasBegun: Bool { session.hasBegun && session.type != .svg }
  /// The type of the file, once it is known.
  var type: AssetType? { session.type }
  /// The progress of the session.
  var progress: DecodingProgress { session.progress }
  /// The information from the headers, once they have arrived.
  var info: ImageInfo? { session.info }

  /// Passes the new bytes of `data` to the session.
  mutating func receive(_ data: Span<UInt8>) {
    guard data.count > consumedByteCount else { return }
    let start = consumedByteCount
    consumedByteCount = data.count
    // The error is thrown when the data is complete.
    _ = try? session.append(data.extracting(start..<data.count))
  }

  /// Returns a preview if more of the image can be shown than in the last one.
  func nextPreview() -> Bitmap? { session.nextPreview() }

  /// Decodes the complete data, continuing the session if there is one.
  mutating func finish(_ data: Data) throws(CodecError) -> DecodedImage {
    guard hasBegun, data.count >= consumedByteCount else {
      return try ImageFile(data, options: options, colorConversion: colorConversion, formats: formats).decode()
    }
    receive(data.span)
    return try session.finish()
  }
}
