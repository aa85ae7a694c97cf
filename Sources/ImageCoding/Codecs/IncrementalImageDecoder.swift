// The interface of decoders for incremental input.

public import ImageCore

/// Decodes an image while its bytes arrive. Each session decodes one image, and each byte is consumed once.
///
/// The result never depends on how the input was divided. A session must not be used by several threads at a time.
public protocol IncrementalImageDecoder: AnyObject {
  /// The facts from the headers, once they are complete.
  var info: ImageInfo? { get }

  /// Appends the next bytes of the file.
  ///
  /// - Returns: the progress so far.
  /// - Throws: the error that a one-shot decode would throw. The session has then ended, and every later call throws
  ///   the same error.
  @discardableResult
  func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress

  /// Returns a preview of the image received so far, with missing parts filled in as the format allows; `nil` before
  /// the first pixels.
  ///
  /// The preview of a progressive JPEG renders the whole image; other previews copy the rows decoded so far. After
  /// ``finish()`` the preview is the finished image; after an error it is `nil`.
  func makePreview() -> Bitmap?

  /// Declares the input complete and returns the image. Nothing is decoded twice. Later calls return the same image or
  /// throw the same error, and bytes appended later are ignored.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the input is incomplete and the options are strict, or if there are no
  ///   pixels at all.
  func finish() throws(CodecError) -> DecodedImage
}

/// The progress of a session.
public struct DecodingProgress: Hashable, Codable, Sendable {
  /// Whether ``IncrementalImageDecoder/info`` is known.
  public var isHeaderComplete: Bool
  /// The number of final rows, counted from the top.
  public var completedRowCount: Int
  /// The number of complete passes or scans of a progressive image.
  public var completedScanCount: Int
  /// The number of complete frames of an animation.
  public var completedFrameCount: Int
  /// Whether no more bytes are needed.
  public var isComplete: Bool
  /// The number of bytes, counted from the start of the file, that must arrive before more can be decoded; `nil` if
  /// unknown. Never more than is actually needed.
  public var neededByteCount: Int?

  /// Creates a progress; by default nothing has been decoded.
  public init(
    isHeaderComplete: Bool = false, completedRowCount: Int = 0, completedScanCount: Int = 0,
    completedFrameCount: Int = 0, isComplete: Bool = false, neededByteCount: Int? = nil
  ) {
    self.isHeaderComplete = isHeaderComplete
    self.completedRowCount = completedRowCount
    self.completedScanCount = completedScanCount
    self.completedFrameCount = completedFrameCount
    self.isComplete = isComplete
    self.neededByteCount = neededByteCount
  }
}
