// The contract between a format and everything that uses it. Third parties implement it and register their value.

/// Reads one family of formats. A value holds options of the format at most; all state of a decode lives in the call
/// or in the session.
///
/// Only ``probe(_:)``, ``info(_:options:)`` and ``decode(_:into:options:)`` must be written.
public protocol ImageFormatDecoder: Sendable {
  /// The types that this decoder reads.
  var types: [AssetType] { get }

  /// Whether bytes that start like this are of one of ``types``. Looks at no more than it needs.
  func probe(_ prefix: Span<UInt8>) -> ProbeResult

  /// Reads the headers. Allocates no pixels.
  ///
  /// `bytes` may be a prefix of the file.
  /// - Throws: ``DecodeError/Kind/truncated`` while the prefix is too short.
  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo

  /// Reads what the file carries beside its pixels, wherever it stands. Decodes no pixels.
  ///
  /// `bytes` may be a prefix of the file; what lies behind its end is left out.
  func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata

  /// Decodes the image into `bitmap`; of an animation its still picture: the first frame, or what the file shows in its
  /// place where animations are not played.
  ///
  /// The bitmap takes the image's size and format. Its allocation is used again where it fits and is not shared, which
  /// saves faulting in fresh memory for every image. After an error its pixels are zero or its former ones, and it
  /// must not be shown.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails

  /// Starts a decode whose bytes arrive in pieces; `nil` when the format has no such thing.
  func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)?

  /// Opens the frames of an animation; `nil` when the image is a still one.
  func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(DecodeError) -> (any AnimatedImageSource)?
}

extension ImageFormatDecoder {
  /// Decodes the image; of an animation its still picture.
  public func decode(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) -> DecodedImage {
    var bitmap = Bitmap()
    let details = try decode(bytes, into: &bitmap, options: options)
    return DecodedImage(bitmap: bitmap, details: details)
  }

  /// Reads the headers with default options.
  public func info(_ bytes: Span<UInt8>) throws(DecodeError) -> ImageInfo {
    try info(bytes, options: InfoOptions())
  }

  /// Nothing.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    ImageMetadata()
  }

  /// No sessions.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? { nil }

  /// No animations.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(DecodeError) -> (any AnimatedImageSource)? { nil }
}

/// What a decoder says of the first bytes of a file.
public enum ProbeResult: Hashable, Sendable {
  /// They are of another format.
  case no
  /// They are of this type.
  case yes(AssetType)
  /// They may be; so many bytes from the start would tell.
  case needs(byteCount: Int)
}

/// How headers are read.
public struct InfoOptions: Hashable, Sendable {
  /// What reading may cost.
  public var limits: DecodingLimits
  /// Whether to walk the whole file, skipping pixels, where frames and durations are not in the headers.
  public var indexesFrames: Bool

  /// Creates options.
  public init(limits: DecodingLimits = .default, indexesFrames: Bool = false) {
    self.limits = limits
    self.indexesFrames = indexesFrames
  }
}
