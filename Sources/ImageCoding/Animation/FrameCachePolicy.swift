// Which composed frames an animation keeps.

/// The number of composed frames that an animation keeps, which determines the cost of seeking.
///
/// Two frames are always kept: the last one requested and the one it was drawn on. Any others are checkpoints: composed
/// frames, spread over the animation, from which later frames are drawn. The frames that are kept are not counted by
/// `DecodingLimits`, which apply to each call.
public enum FrameCachePolicy: Hashable, Sendable {
  /// Two canvases, and checkpoints as long as all canvases together fit in the given number of bytes. A seek draws at
  /// most n / c frames, where n is the number of frames and c the number of canvases beyond two.
  case byteCount(Int)
  /// As many checkpoints as needed for a seek to draw at most the given number of frames, once the checkpoints have
  /// been composed: up to one canvas for each frame.
  case maximumSeekCost(Int)

  /// Two canvases. A seek draws every frame that the requested one depends on.
  public static let minimal = FrameCachePolicy.byteCount(0)

  /// The interval between checkpoints, in drawn frames; `nil` if there are no checkpoints.
  func checkpointInterval(frameCount: Int, canvasByteCount: Int) -> Int? {
    switch self {
    case .maximumSeekCost(let cost): return max(1, cost)
    case .byteCount(let byteCount):
      let checkpointCount = byteCount / max(1, canvasByteCount) - ComposedAnimation.recentCapacity
      guard checkpointCount > 0 else { return nil }
      return max(1, (frameCount + checkpointCount - 1) / checkpointCount)
    }
  }
}
