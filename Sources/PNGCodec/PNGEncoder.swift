// The public face of the PNG encoder.

public import ImageCore

/// Writes PNG and APNG.
public struct PNGEncoder: ImageFormatEncoder {
  /// A frame of an animation to be written.
  public struct Frame: Sendable {
    /// The composed picture.
    public var bitmap: Bitmap
    /// How long it is shown.
    public var delay: Duration

    /// Creates a frame.
    public init(bitmap: Bitmap, delay: Duration) {
      self.bitmap = bitmap
      self.delay = delay
    }
  }

  /// An encoder with default options.
  public init() {}

  /// `public.png`.
  public var type: AssetType { PNGDecoder.type }

  /// Encodes a bitmap.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(DecodeError) -> [UInt8] {
    throw DecodeError(.unsupported, "not there yet", format: type)
  }

  /// Encodes an animation of composed frames, all of one size.
  public func encode(
    animation frames: [Frame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(DecodeError) -> [UInt8] {
    throw DecodeError(.unsupported, "not there yet", format: type)
  }
}
