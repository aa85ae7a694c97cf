// A decode whose bytes arrive in pieces.

/// Decodes an image while its bytes arrive. One session decodes one image; every byte is consumed once.
///
/// The result never depends on how the input was cut. A session is used by one thread at a time.
public protocol IncrementalImageDecoder: AnyObject {
  /// The facts of the headers, once they are complete.
  var info: ImageInfo? { get }

  /// Takes the next bytes of the file.
  ///
  /// - Returns: what is available now.
  /// - Throws: what the one-shot decode would throw; the session is then over, and every later call throws the same.
  @discardableResult
  func append(_ bytes: Span<UInt8>) throws(DecodeError) -> DecodingProgress

  /// The image as far as it has arrived, the rest filled as the format allows; `nil` before the first pixels.
  ///
  /// Costs nothing until it is called.
  func makePreview() -> Bitmap?

  /// Declares the input complete and gives the image. What was decoded before is not decoded again.
  ///
  /// - Throws: ``DecodeError/Kind/truncated`` when the bytes end too early and the options are strict, or there are
  ///   no pixels at all.
  func finish() throws(DecodeError) -> DecodedImage
}

/// How far a session has come.
public struct DecodingProgress: Hashable, Sendable {
  /// Whether ``IncrementalImageDecoder/info`` is known.
  public var isHeaderComplete: Bool
  /// Rows that are final, from the top.
  public var completedRowCount: Int
  /// Passes or scans of a progressive image that are complete.
  public var completedScanCount: Int
  /// Frames of an animation that are complete.
  public var completedFrameCount: Int
  /// Whether no more bytes are needed.
  public var isComplete: Bool

  /// Creates a progress of nothing.
  public init(
    isHeaderComplete: Bool = false, completedRowCount: Int = 0, completedScanCount: Int = 0,
    completedFrameCount: Int = 0, isComplete: Bool = false
  ) {
    self.isHeaderComplete = isHeaderComplete
    self.completedRowCount = completedRowCount
    self.completedScanCount = completedScanCount
    self.completedFrameCount = completedFrameCount
    self.isComplete = isComplete
  }
}
