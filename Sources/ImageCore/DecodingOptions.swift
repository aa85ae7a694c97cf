// The decoding options shared by all codecs.

/// The options of decoding an image. By default the result matches what a browser shows: upright pixels in the image's
/// natural format, and the decodable part of damaged files.
public struct DecodingOptions: Sendable {
  /// The handling of the orientation stored in the metadata.
  public enum OrientationHandling: Hashable, Sendable {
    /// The pixels are rotated and mirrored to be upright; the bitmap's orientation is `.up`.
    case apply
    /// The pixels remain as stored; the bitmap's orientation tells how to display them.
    case report
  }

  /// The handling of damaged input.
  public enum Tolerance: Hashable, Sendable {
    /// Keeps what can be decoded, zeroes the rest and records a diagnostic, as browsers do.
    case lenient
    /// Throws on any violation that the format's specification calls an error.
    case strict
  }

  /// A key frame of a video: a frame that is decoded without others. Frames are counted in the order in which they are
  /// shown.
  public enum KeyFrame: Hashable, Sendable {
    /// The key frame with an index, counted from 0.
    case index(Int)
    /// The last key frame that is shown at or before a time, measured from the start of the video. The first one if all
    /// are shown later.
    case time(Duration)
  }

  /// The pixel format of the result; `nil` selects the image's natural format.
  public var pixelFormat: PixelFormat?
  /// The handling of the orientation stored in the metadata.
  public var orientation: OrientationHandling
  /// The handling of damaged input.
  public var tolerance: Tolerance
  /// The resources that the image may use.
  public var limits: DecodingLimits
  /// The desired size of the upright image, with positive sides; `nil` selects the stored size.
  ///
  /// A codec that can decode a reduced image at lower cost produces the smallest one whose width and height are both at
  /// least this large. Other codecs ignore this and produce the full size. JPEG offers halves, quarters and eighths,
  /// JPEG XL an eighth and what it stores, JPEG 2000 all powers of two that it has resolutions for. HEIF and camera raw
  /// files offer the thumbnails that they contain, TIFF its pages of reduced resolution, ICO and ICNS their entries. SVG
  /// is drawn at the smallest size that is at least this large, which may be larger than its own.
  public var targetSize: PixelSize?
  /// The image to decode in a file with several, counted from 0; see ``ImageInfo/imageCount``. The default, `nil`,
  /// selects the main one: the first page of a TIFF, the largest entry of an icon, the primary image of a HEIF file.
  public var imageIndex: Int?
  /// The key frame of a video to decode; the default, `nil`, selects the first one that is shown. Files that are not
  /// videos have none, so that selecting one is an ``CodecError/Kind/invalidArgument`` error.
  public var keyFrame: KeyFrame?
  /// The part of the image to decode, in pixels of the result at full size: upright if the orientation is applied.
  /// `nil` selects the whole image. Formats in tiles decode only the tiles that they need. ``targetSize`` then does not
  /// apply.
  public var region: PixelRegion?
  /// The rendering of camera raw files; neutral by default.
  public var rawRendering: RawRendering
  /// The colour space of developed camera raw files; sRGB by default.
  public var rawColorSpace: RawColorSpace
  /// Whether a camera raw file must be decoded from the data of its sensor. By default, one whose data are not decoded
  /// yields the largest picture that the camera has embedded.
  public var requiresSensorData: Bool
  /// The maximum number of threads used by one decode. The calling thread blocks until they are done. The pixels do not
  /// depend on this value. Codecs use more than one thread only if that speeds up a large image. The default is 1,
  /// because servers decode many images concurrently.
  public var parallelism: Int
  /// Memory that is kept between images; `nil`, the default, lets every image allocate and free its own.
  public var bufferPool: BufferPool?
  /// A cancellation check, called every few hundred microseconds. Once it returns `true`, the decode throws
  /// ``CodecError/Kind/cancelled``.
  public var shouldCancel: (@Sendable () -> Bool)?

  /// Creates options with the given values; the defaults match what browsers show.
  public init(
    pixelFormat: PixelFormat? = nil,
    orientation: OrientationHandling = .apply,
    tolerance: Tolerance = .lenient,
    limits: DecodingLimits = .default,
    targetSize: PixelSize? = nil,
    imageIndex: Int? = nil,
    keyFrame: KeyFrame? = nil,
    region: PixelRegion? = nil,
    rawRendering: RawRendering = .neutral,
    rawColorSpace: RawColorSpace = .sRGB,
    requiresSensorData: Bool = false,
    parallelism: Int = 1,
    bufferPool: BufferPool? = nil,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.orientation = orientation
    self.tolerance = tolerance
    self.limits = limits
    self.targetSize = targetSize
    self.imageIndex = imageIndex
    self.keyFrame = keyFrame
    self.region = region
    self.rawRendering = rawRendering
    self.rawColorSpace = rawColorSpace
    self.requiresSensorData = requiresSensorData
    self.parallelism = parallelism
    self.bufferPool = bufferPool
    self.shouldCancel = shouldCancel
  }
}
