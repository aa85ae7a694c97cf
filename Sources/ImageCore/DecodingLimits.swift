// Limits on the resources an untrusted image may use. ResourceBudget charges them while a decode runs.

/// Limits on the resources that an untrusted image may use. Every entry point applies them by default.
///
/// Each limit is a total for one call, including nested pictures, all frames of an animation that is converted as a
/// whole, resizing, and encoding. ``ResourceBudget`` is charged where memory, bytes and work are spent.
///
/// Frames that a player requests one by one, from `AnimatedImageSource.frame(at:)` or `AnimationCursor.next()`, are
/// a call each.
public struct DecodingLimits: Hashable, Sendable {
  /// The maximum number of pixels of an image, canvas or frame held in memory. The default is 100 million.
  public var maximumPixelCount: Int
  /// The maximum number of pixels of an image in its file if its rows are streamed into something smaller, such as a
  /// thumbnail. The default is 268 million.
  public var maximumSourcePixelCount: Int
  /// The maximum number of bytes one call may hold at a time: pixels, intermediate planes, retained input, metadata,
  /// and the buffers and the output of encoders. The default is 512 MiB.
  public var maximumByteCount: Int
  /// The maximum number of scans in a progressive image. The default is 100.
  public var maximumScanCount: Int
  /// The maximum number of frames in an animation. The default is 10,000.
  public var maximumFrameCount: Int
  /// The maximum number of bytes in one piece of metadata, after decompression. Larger pieces are skipped. The default
  /// is 8 MB.
  public var maximumMetadataChunkByteCount: Int
  /// The maximum number of bytes of all metadata, after decompression. Pieces beyond it are skipped. The default is 32
  /// MB.
  public var maximumMetadataByteCount: Int
  /// The maximum number of pieces of metadata. Pieces beyond it are skipped. The default is 1,000.
  public var maximumMetadataChunkCount: Int
  /// The maximum amount of work for one call, in units of about a nanosecond. The default is 2 billion.
  ///
  /// Units depend only on the input, so the same file succeeds or fails on every machine. Large images may exceed this
  /// limit to the extent that ``maximumWorkPerPixel`` allows.
  public var maximumWork: Int64
  /// The work allowed per pixel: an image of n pixels may use n times this or ``maximumWork``, whichever is larger. The
  /// default is 30. An animation whose frames are composed by one call counts as an image of all its canvases together,
  /// of at most ``maximumPixelCount`` pixels, or of more if ``maximumAnimationWorkPerByte`` pays for them.
  public var maximumWorkPerPixel: Int64
  /// The work that encoding may use in addition for each byte of the file that is converted. The default is 3,000.
  ///
  /// Encoders cost far more per pixel than decoders, and a file of few bytes can have many pixels. So the size of the
  /// file decides: a photo of 6 MB may use 18 billion units for its conversion, a file of 50 bytes none. Of a file with
  /// more bytes than pixels, as many bytes count as it has pixels.
  public var maximumEncodingWorkPerByte: Int64
  /// The work that all frames of an animation that is converted as a whole may use for each byte of the file, if that
  /// is more than ``maximumWorkPerPixel`` allows for the largest image. The default is 1,000.
  ///
  /// A file of a few bytes can declare thousands of large frames. So its size decides here too: 600 frames of a
  /// megapixel may use 30 units for each of their pixels if the file has 18 MB, and 10 if it has 6 MB. If it has less
  /// than one byte for 100 pixels, which is not enough for all frames, this limit allows nothing: then a thumbnail of
  /// all frames is refused if their canvases have more than ``maximumSourcePixelCount`` pixels together.
  ///
  /// The same holds for lossless images of formats that decode sample by sample, which takes far longer for each pixel:
  /// a lossless photo of 20 MB may use 20 billion units, unless ``maximumWorkPerPixel`` is 0.
  public var maximumAnimationWorkPerByte: Int64
  /// The maximum depth of pictures nested in pictures, such as thumbnails in metadata. The default is 4.
  public var maximumNestingDepth: Int
  /// The maximum time one call may spend inside this library, not counting the wait for input. The default,
  /// `nil`, sets no deadline.
  public var deadline: Duration?

  /// Creates limits. Omitted values have their defaults.
  public init(
    maximumPixelCount: Int = 100_000_000,
    maximumSourcePixelCount: Int = 268_000_000,
    maximumByteCount: Int = 512 << 20,
    maximumScanCount: Int = 100,
    maximumFrameCount: Int = 10_000,
    maximumMetadataChunkByteCount: Int = 8_000_000,
    maximumMetadataByteCount: Int = 32_000_000,
    maximumMetadataChunkCount: Int = 1_000,
    maximumWork: Int64 = 2_000_000_000,
    maximumWorkPerPixel: Int64 = 30,
    maximumEncodingWorkPerByte: Int64 = 3_000,
    maximumAnimationWorkPerByte: Int64 = 1_000,
    maximumNestingDepth: Int = 4,
    deadline: Duration? = nil
  ) {
    self.maximumPixelCount = maximumPixelCount
    self.maximumSourcePixelCount = maximumSourcePixelCount
    self.maximumByteCount = maximumByteCount
    self.maximumScanCount = maximumScanCount
    self.maximumFrameCount = maximumFrameCount
    self.maximumMetadataChunkByteCount = maximumMetadataChunkByteCount
    self.maximumMetadataByteCount = maximumMetadataByteCount
    self.maximumMetadataChunkCount = maximumMetadataChunkCount
    self.maximumWork = maximumWork
    self.maximumWorkPerPixel = maximumWorkPerPixel
    self.maximumEncodingWorkPerByte = maximumEncodingWorkPerByte
    self.maximumAnimationWorkPerByte = maximumAnimationWorkPerByte
    self.maximumNestingDepth = maximumNestingDepth
    self.deadline = deadline
  }

  /// 100 megapixels, 512 MiB, 100 scans, 10,000 frames, no deadline.
  public static let `default` = DecodingLimits()

  /// For uploads from untrusted users: 40 megapixels (100 in the file), 256 MiB, 32 MB of metadata, 2 seconds.
  ///
  /// Debug builds have no deadline: without optimisation, ordinary images take longer than 2 seconds.
  public static let server = DecodingLimits(
    maximumPixelCount: 40_000_000, maximumSourcePixelCount: 100_000_000, maximumByteCount: 256 << 20,
    deadline: serverDeadline)

  #if DEBUG
    private static let serverDeadline: Duration? = nil
  #else
    private static let serverDeadline: Duration? = .seconds(2)
  #endif

  /// No limits other than the address space. Only for images from a trusted source.
  public static let unlimited = DecodingLimits(
    maximumPixelCount: .max, maximumSourcePixelCount: .max, maximumByteCount: .max, maximumScanCount: .max,
    maximumFrameCount: .max, maximumMetadataChunkByteCount: .max, maximumMetadataByteCount: .max,
    maximumMetadataChunkCount: .max, maximumWork: .max, maximumWorkPerPixel: .max,
    maximumEncodingWorkPerByte: .max, maximumAnimationWorkPerByte: .max, maximumNestingDepth: .max)
}

extension DecodingLimits {
  /// Returns the byte count of `width` × `height` pixels after checking both limits, also if one of the sides is 0.
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  ///   - bytesPerPixel: the number of bytes of a pixel; at least 1.
  ///   - format: the format that errors state.
  ///   - byteOffset: the offset that errors state.
  /// - Throws: ``CodecError/Kind/limitExceeded`` if a side is negative, or if a product overflows or exceeds a limit.
  public func checkedByteCount(
    width: Int, height: Int, bytesPerPixel: Int, format: AssetType? = nil, byteOffset: Int? = nil
  ) throws(CodecError) -> Int {
    let (pixels, pixelOverflow) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !pixelOverflow, pixels <= maximumPixelCount else {
      throw CodecError(
        .limitExceeded, "\(width) × \(height) exceeds the limit of \(maximumPixelCount) pixels", format: format,
        byteOffset: byteOffset, limit: .pixelCount)
    }
    let (bytes, byteOverflow) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
    let (_, rowOverflow) = width.multipliedReportingOverflow(by: bytesPerPixel)
    guard !byteOverflow, !rowOverflow, bytes <= maximumByteCount else {
      throw CodecError(
        .limitExceeded, "\(width) × \(height) pixels exceed the limit of \(maximumByteCount) bytes", format: format,
        byteOffset: byteOffset, limit: .memory)
    }
    return bytes
  }
}
