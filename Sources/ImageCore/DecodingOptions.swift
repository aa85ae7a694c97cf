// What a caller may ask of a decode: one struct for every codec.

/// How an image is decoded. The defaults give what a browser shows: oriented pixels in the image's natural format,
/// damaged files as far as they go.
public struct DecodingOptions: Sendable {
  /// What becomes of the orientation that the metadata states.
  public enum OrientationHandling: Hashable, Sendable {
    /// Pixels are turned upright; the bitmap's orientation is `.up`.
    case apply
    /// Pixels stay as stored; the bitmap's orientation says how to show them.
    case report
  }

  /// What becomes of damaged input.
  public enum Tolerance: Hashable, Sendable {
    /// As browsers do: what decodes is kept, the rest is zero, and a diagnostic says so.
    case lenient
    /// Any violation that the format calls an error is thrown.
    case strict
  }

  /// The format of the pixels; `nil` is the image's natural one.
  public var pixelFormat: PixelFormat?
  /// What becomes of the orientation that the metadata states.
  public var orientation: OrientationHandling
  /// What becomes of damaged input.
  public var tolerance: Tolerance
  /// What the image may cost.
  public var limits: DecodingLimits
  /// The size that is wanted, upright; `nil` is the stored one.
  ///
  /// A codec that can decode at a fraction of the size for less gives the smallest such image that is not smaller than
  /// this in width or height; others give the whole one. JPEG has halves, quarters and eighths.
  public var targetSize: PixelSize?
  /// The most threads that one decode may use; pixels are the same for any. Codecs use more than one only where it
  /// shortens the decode of a large image. Default 1: servers decode many images at a time instead.
  public var parallelism: Int
  /// Asked every few hundred microseconds; once it answers `true`, the decode throws
  /// ``DecodeError/Kind/cancelled``.
  public var shouldCancel: (@Sendable () -> Bool)?

  /// Creates options.
  public init(
    pixelFormat: PixelFormat? = nil,
    orientation: OrientationHandling = .apply,
    tolerance: Tolerance = .lenient,
    limits: DecodingLimits = .default,
    targetSize: PixelSize? = nil,
    parallelism: Int = 1,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.orientation = orientation
    self.tolerance = tolerance
    self.limits = limits
    self.targetSize = targetSize
    self.parallelism = parallelism
    self.shouldCancel = shouldCancel
  }

  /// Throws ``DecodeError/Kind/cancelled`` once the caller asked to stop.
  public func checkCancellation(format: AssetType? = nil) throws(DecodeError) {
    if let shouldCancel, shouldCancel() {
      throw DecodeError(.cancelled, "the caller asked to stop", format: format)
    }
  }
}
