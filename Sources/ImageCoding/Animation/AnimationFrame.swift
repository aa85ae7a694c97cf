// The input of encoders of animations.

public import ImageCore

/// One frame of an animation to encode.
public struct AnimationFrame: Sendable {
  /// The complete picture to show, not a difference to the previous frame.
  public var bitmap: Bitmap
  /// The time for which the frame is shown.
  public var delay: Duration

  /// Creates a frame from a complete picture and its duration.
  public init(bitmap: Bitmap, delay: Duration) {
    self.bitmap = bitmap
    self.delay = delay
  }
}
