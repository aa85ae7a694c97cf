// The result of a decode.

public import ImageCore

/// A decoded image and everything learned while decoding it.
public struct DecodedImage: Sendable {
  /// The pixels, in the requested format and orientation.
  public var bitmap: Bitmap
  /// Everything but the pixels.
  public var details: DecodingDetails

  /// Creates a result from pixels and details.
  public init(bitmap: Bitmap, details: DecodingDetails) {
    self.bitmap = bitmap
    self.details = details
  }

  /// The facts from the headers.
  public var info: ImageInfo { details.info }
  /// The metadata in the file.
  public var metadata: ImageMetadata { details.metadata }
  /// The defects found in the file.
  public var diagnostics: [ImageDiagnostic] { details.diagnostics }
  /// Whether every pixel was decoded. Missing pixels are zero. Pixels of a complete image may be wrong: see
  /// `ImageDiagnostic.Severity.damage`.
  public var isComplete: Bool { details.isComplete }
}

/// Everything learned by a decode apart from the pixels.
public struct DecodingDetails: Hashable, Sendable {
  /// The facts from the headers.
  public var info: ImageInfo
  /// The metadata in the file.
  public var metadata: ImageMetadata
  /// The defects found in the file.
  public var diagnostics: [ImageDiagnostic]
  /// Whether every pixel was decoded. Missing pixels are zero. Pixels of a complete image may be wrong: see
  /// `ImageDiagnostic.Severity.damage`.
  public var isComplete: Bool

  /// Creates details; by default there is no metadata and no diagnostic.
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
