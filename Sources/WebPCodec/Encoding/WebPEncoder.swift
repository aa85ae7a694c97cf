// The public face of the WebP encoder.

public import ImageCoding

/// Encodes WebP files (RFC 9649): lossy, lossless and animated.
public struct WebPEncoder: ImageFormatEncoder {
  /// The options of encoding. Values out of range are rejected when an image is encoded.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The type identifier `org.webmproject.webp`.
  public var type: AssetType { WebPDecoder.type }

  /// Encodes a bitmap. Samples become 8 bits of straight RGBA; CMYK is converted to RGB.
  ///
  /// The orientation is written to the EXIF block. The profile of the bitmap's colour space is written, or that of
  /// `metadata` if the bitmap has no colour space. WebP has no place for texts, comments and IPTC records, so they are
  /// omitted.
  ///
  /// The budget is charged for 4 bytes per pixel; for the planes and levels of lossy images; for the matches and tokens
  /// of lossless ones, 8 bytes per pixel, or 12 if several codings are tried; and for the output, twice for a moment;
  /// and row by row for work.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the bitmap is empty or has more than 16,383 rows or columns, or if
  ///   the maximum size does not fit; `CodecError.Kind.invalidArgument` if an option is out of range;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes an animation of complete pictures of equal size. Each frame is stored as the region that changed.
  ///
  /// ``WebPFrameEncoder`` takes the frames one by one and within a budget.
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no frames or their sizes differ, or if an option is out
  ///   of range; `CodecError.Kind.encodingFailed` if a side exceeds 16,383 pixels.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: frames.map { $0.bitmap.pixelSize }, format: type)
    var encoder = WebPFrameEncoder(options: options, loopCount: loopCount, metadata: metadata)
    for frame in frames { try encoder.append(frame, budget: &budget) }
    return try encoder.finish(budget: &budget)
  }
}

extension WebPEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes the file on once its picture is encoded.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount - output.chargedByteCount
    try options.validate()
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: options.leastWorkPerPixel)
    var rows = try WebPRowEncoder(
      width: bitmap.width, height: bitmap.height, format: bitmap.format, options: options,
      metadata: metadata ?? ImageMetadata(), colorSpace: bitmap.colorSpace, orientation: bitmap.orientation,
      budget: &budget)
    for y in 0..<bitmap.height { try rows.append(bitmap.row(y), budget: &budget) }
    try rows.finish(to: &output, budget: &budget)
    budget.settle(heldByteCount: heldByteCount + output.chargedByteCount)
  }
}
