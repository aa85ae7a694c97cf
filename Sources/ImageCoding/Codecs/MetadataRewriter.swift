// Replacing the metadata of files without decoding pixels: the interface of all formats.

public import ImageCore

/// Rewrites files of a format with other metadata. The coded image is copied.
public protocol MetadataRewriter: Sendable {
  /// The format that errors about limits name.
  static var type: AssetType { get }

  /// Whether parts of unknown kinds are copied: chunks, segments, boxes, fields, extensions. Set to `false` to strip
  /// metadata.
  var keepsUnknownParts: Bool { get set }

  /// Returns the file with its metadata replaced by `metadata`, as far as the format can store it. The colour
  /// space and the orientation remain.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - metadata: the metadata that the result has, and no other.
  ///   - orientation: the orientation to store in the EXIF block; `nil` for that of the file. Formats in which it is a
  ///     property of the image ignore it.
  ///   - budget: charged for the result and for the work of reading and copying.
  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.truncated` for a file whose parts contradict one another;
  ///   `CodecError.Kind.unsupported` for features that cannot be copied; `CodecError.Kind.encodingFailed` if the format
  ///   cannot hold the metadata; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]
}

extension MetadataRewriter {
  /// Returns the file with other metadata, within limits.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation? = nil,
    limits: DecodingLimits = .default
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: Self.type)
    return try rewrite(bytes, metadata: metadata, orientation: orientation, budget: &budget)
  }

  /// Returns an image in another file without its metadata. That file states how the image is oriented.
  package func stripNested(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    var rewriter = self
    rewriter.keepsUnknownParts = false
    return try rewriter.rewrite(bytes, metadata: ImageMetadata(), orientation: .up, budget: &budget)
  }
}
