// The decoding of a download by a session, which takes every byte once.

internal import Foundation

/// A decoder that takes each byte of a download once. Others are asked for previews of all data received so far.
protocol ChunkDecoding: ImageDecoding {
  /// The number of bytes that the decoder has received, or `nil` if it needs all data for each preview.
  var receivedByteCount: Int? { get }

  /// Decodes the bytes that follow those received.
  ///
  /// - Parameter wantsPreview: whether a preview is returned if more of the image can be shown than in the last one.
  func receive(_ chunk: Data, wantsPreview: Bool) -> ImageContainer?
}

/// Decodes a download in parts.
struct ChunkedDecoding {
  private let formats: ImageFormatRegistry
  private let options: DecodingOptions
  private let colorConversion: ColorConversion
  private let session: ImageSession
  /// The number of bytes that the session has received.
  private(set) var receivedByteCount = 0

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

  /// Passes the bytes that follow those received to the session.
  mutating func receive(_ chunk: Span<UInt8>) {
    guard !chunk.isEmpty else { return }
    receivedByteCount += chunk.count
    // The error is thrown when the data is complete.
    _ = try? session.append(chunk)
  }

  /// Passes the new bytes of all data received so far to the session.
  mutating func receive(upTo data: Span<UInt8>) {
    guard data.count > receivedByteCount else { return }
    receive(data.extracting(receivedByteCount..<data.count))
  }

  /// Returns a preview if more of the image can be shown than in the last one.
  func nextPreview() -> Bitmap? { session.nextPreview() }

  /// Decodes the complete data, continuing the session if there is one.
  mutating func finish(_ data: Data) throws(CodecError) -> DecodedImage {
    guard hasBegun, data.count >= receivedByteCount else {
      return try ImageFile(data, options: options, colorConversion: colorConversion, formats: formats).decode()
    }
    receive(upTo: data.span)
    return try session.finish()
  }
}
