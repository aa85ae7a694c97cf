// What an animation may keep of the frames it composed.

/// How many composed frames an animation keeps, and so what it costs to jump to one.
///
/// Two frames are kept in any case: the last one asked for and the one it was drawn on. Everything beyond that is
/// checkpoints, composed frames spread over the animation from which others are drawn.
public enum FrameCachePolicy: Hashable, Sendable {
  /// At most two canvases, or as many as fit into so many bytes. A jump draws at most n / c frames, where n is the
  /// number of frames and c the number of canvases beyond two.
  case byteCount(Int)
  /// As many checkpoints as it takes for a jump to draw at most so many frames, once they have been passed.
  case maximumSeekCost(Int)

  /// Two canvases. A jump draws every frame that the one asked for stands on.
  public static let minimal = FrameCachePolicy.byteCount(0)

  /// Frames of the costliest jump; `nil` where there are no checkpoints.
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
