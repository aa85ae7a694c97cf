// What a decode gives beside the pixels.

/// An image with everything that was learnt while decoding it.
public struct DecodedImage: Sendable {
  /// The pixels.
  public var bitmap: Bitmap
  /// Everything else.
  public var details: DecodingDetails

  /// Creates a result.
  public init(bitmap: Bitmap, details: DecodingDetails) {
    self.bitmap = bitmap
    self.details = details
  }

  /// The facts of the headers.
  public var info: ImageInfo { details.info }
  /// What the file carries beside its pixels.
  public var metadata: ImageMetadata { details.metadata }
  /// What was wrong with the file.
  public var diagnostics: [ImageDiagnostic] { details.diagnostics }
  /// Whether every pixel was decoded. Those that were not are zero.
  public var isComplete: Bool { details.isComplete }
}

/// What a decode learns beside the pixels.
public struct DecodingDetails: Hashable, Sendable {
  /// The facts of the headers.
  public var info: ImageInfo
  /// What the file carries beside its pixels.
  public var metadata: ImageMetadata
  /// What was wrong with the file.
  public var diagnostics: [ImageDiagnostic]
  /// Whether every pixel was decoded. Those that were not are zero.
  public var isComplete: Bool

  /// Creates details.
  public init(
    info: ImageInfo, metadata: ImageMetadata = ImageMetadata(), diagnostics: [ImageDiagnostic] = [],
    isComplete: Bool = true
  ) {
    self.info = info
    self.metadata = metadata
    self.diagnostics = diagnostics
    self.isComplete = isComplete
  }
}
