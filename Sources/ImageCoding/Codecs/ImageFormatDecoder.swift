// The interface between a format and everything that uses it. Third parties can implement and register their own.

@_exported public import ImageCore

/// A decoder for one family of formats. A value holds at most format options; all state of a decode is local to the
/// call or the session.
///
/// Only ``probe(_:)``, ``info(_:options:budget:)`` and ``decode(_:into:options:budget:)`` are required.
public protocol ImageFormatDecoder: Sendable {
  /// The types that this decoder can read.
  var types: [AssetType] { get }

  /// Tells whether a file that starts with these bytes has one of ``types``. Examines no more bytes than necessary.
  func probe(_ prefix: Span<UInt8>) -> ProbeResult

  /// Reads the headers without allocating pixels.
  ///
  /// `bytes` may be a prefix of the file.
  /// - Parameters:
  ///   - bytes: the file, or a prefix.
  ///   - options: the limits, and whether frames are counted.
  ///   - budget: charged for the work. Sessions read the headers again when more of them has arrived, with one budget
  ///     for all attempts and the decode.
  /// - Throws: `CodecError.Kind.truncated` if the prefix is too short.
  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo

  /// Reads the metadata, wherever it is in the file, without decoding pixels.
  ///
  /// `bytes` may be a prefix of the file; metadata after its end is omitted.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - options: the limits.
  ///   - budget: charged for the work.
  func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata

  /// Decodes the image into `bitmap`. An animation yields its still picture: the first frame, or the picture that the
  /// file provides for viewers that do not play animations.
  ///
  /// The bitmap takes the image's size and format. Its allocation is reused if it has exactly the required size, which
  /// avoids page faults on fresh memory for every image. After an error its pixels are unspecified: zero, left over
  /// from before, or partly decoded.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - bitmap: receives the pixels; its memory is reused if it suffices.
  ///   - options: the decoding options.
  ///   - budget: charged for all resources that the decode uses. A nested picture is decoded with the budget of the
  ///     outer one; ``decode(_:into:options:)`` creates a new one from the options.
  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if nothing can be shown, or for any damage if
  ///   decoding is strict; `CodecError.Kind.unsupported` with the name of a feature; `CodecError.Kind.invalidArgument`
  ///   if an option does not apply; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails

  /// Decodes the image and passes its rows to a sink, from top to bottom, as they become final. Formats that decode
  /// from top to bottom hold only a few rows. An animation yields its still picture.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - sink: receives the rows.
  ///   - options: the decoding options.
  ///   - budget: charged for all resources that the decode uses.
  /// - Throws: the errors of ``decode(_:into:options:budget:)`` and those of the sink.
  func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails

  /// Creates a session for incremental input.
  func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder

  /// Opens the frames of an animation; `nil` if the image is not animated.
  ///
  /// - Throws: the errors of ``decode(_:into:options:budget:)``, as far as the structure of the file has them; those of
  ///   frames are thrown when they are decoded.
  func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)?

  /// Returns the rewriter of the metadata of files of a type; `nil` if there is none.
  func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter?
}

extension ImageFormatDecoder {
  /// Decodes the image into `bitmap` within the limits of the options. An animation yields its still picture.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(CodecError) -> DecodingDetails {
    var budget = ResourceBudget(options)
    let details = try decode(bytes, into: &bitmap, options: options, budget: &budget)
    try budget.checkpoint()
    return details
  }

  /// Decodes the image. An animation yields its still picture.
  public func decode(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> DecodedImage {
    var bitmap = Bitmap()
    let details = try decode(bytes, into: &bitmap, options: options)
    return DecodedImage(bitmap: bitmap, details: details)
  }

  /// Decodes the image. An animation yields its still picture.
  public func decode(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> DecodedImage {
    try decode(bytes.span, options: options)
  }

  /// The default implementation: decodes the image to a bitmap and then passes on its rows.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var bitmap = Bitmap()
    var options = options
    options.orientation = .report
    let details = try decode(bytes, into: &bitmap, options: options, budget: &budget)
    let heldByteCount = budget.heldByteCount - bitmap.byteCount
    defer { budget.bufferPool.recycle(&bitmap) }
    var delivery = RowDelivery(sink)
    do throws(CodecError) {
      try delivery.finish(&bitmap, budget: &budget)
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error
    }
    budget.release(bitmap.byteCount)
    return details
  }

  /// Decodes the image within the limits of the options and passes its rows to a sink.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> DecodingDetails {
    var budget = ResourceBudget(options)
    let details = try decode(bytes, to: sink, options: options, budget: &budget)
    try budget.checkpoint()
    return details
  }

  /// Reads the headers without allocating pixels.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions = InfoOptions()) throws(CodecError) -> ImageInfo {
    var budget = ResourceBudget(options.limits)
    return try info(bytes, options: options, budget: &budget)
  }

  /// Reads the headers without allocating pixels.
  public func info(_ bytes: [UInt8], options: InfoOptions = InfoOptions()) throws(CodecError) -> ImageInfo {
    try info(bytes.span, options: options)
  }

  /// Reads the metadata without decoding pixels.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions = InfoOptions()
  ) throws(CodecError) -> ImageMetadata {
    var budget = ResourceBudget(options.limits)
    return try metadata(bytes, options: options, budget: &budget)
  }

  /// Reads the metadata without decoding pixels.
  public func metadata(_ bytes: [UInt8], options: InfoOptions = InfoOptions()) throws(CodecError) -> ImageMetadata {
    try metadata(bytes.span, options: options)
  }

  /// Opens the frames of an animation with default options; `nil` if the image is not animated.
  public func animation(_ bytes: [UInt8]) throws(CodecError) -> (any AnimatedImageSource)? {
    try animation(bytes, options: DecodingOptions())
  }

  /// Opens the frames of an animation, copying the file; `nil` if the image is not animated.
  public func animation(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    try animation(Array(copying: bytes), options: options)
  }

  /// The default implementation: returns empty metadata.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    ImageMetadata()
  }

  /// The default implementation, for formats that need random access: creates a session that retains its input and
  /// decodes it in ``IncrementalImageDecoder/finish()``.
  public func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder {
    DecodingSession(DecodingCoreBox(WholeFileCore(WholeFileAdapter(self))), options: options)
  }

  /// The default implementation: returns `nil`.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { nil }

  /// The default implementation: returns `nil`, because the format has no animations.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? { nil }
}

/// A decoder's verdict on the first bytes of a file.
public enum ProbeResult: Hashable, Sendable {
  /// The file has another format.
  case no
  /// The file has this type.
  case yes(AssetType)
  /// More input is needed to decide: this many bytes, counted from the start of the file.
  case needs(byteCount: Int)
}

/// The options of reading headers.
public struct InfoOptions: Hashable, Sendable {
  /// The resources that reading may use.
  public var limits: DecodingLimits
  /// Whether to scan the whole file, without decoding pixels, for frame counts and durations that are not in the
  /// headers.
  public var indexesFrames: Bool

  /// Creates options; by default only the headers are read.
  public init(limits: DecodingLimits = .default, indexesFrames: Bool = false) {
    self.limits = limits
    self.indexesFrames = indexesFrames
  }
}
