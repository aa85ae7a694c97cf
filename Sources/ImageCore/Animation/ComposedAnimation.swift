// Random access to composed frames: which earlier frames must be drawn first, and a bounded cache of the last ones.

internal import Synchronization

/// An animation whose frames are composed on demand from a codec's drawings.
///
/// Keeps at most ``cacheCapacity`` composed frames; asking for frames in order draws each of them once.
public final class ComposedAnimation: AnimatedImageSource {
  /// Composed frames kept: with the canvas being drawn there are three.
  static let cacheCapacity = 2

  private struct CachedFrame {
    var index: Int
    var picture: Bitmap
  }

  private let source: any AnimationFrames
  /// Least recently used first.
  private let cache = Mutex<[CachedFrame]>([])

  /// Wraps a codec's frames.
  public init(_ source: any AnimationFrames) {
    self.source = source
  }

  /// The size of every composed frame.
  public var canvasSize: PixelSize { source.canvasSize }
  /// The number of frames.
  public var frameCount: Int { source.frames.count }
  /// How often the animation plays.
  public var loopCount: LoopCount { source.loopCount }

  /// What the file says of a frame.
  public func frameInfo(at index: Int) -> AnimationFrameInfo { source.frames[index] }

  /// A cursor for playing from the first frame on with one canvas.
  public func makeCursor() -> AnimationCursor { AnimationCursor(source) }

  /// The frame whose composed picture must be there before a frame can be drawn; `nil` when there is none.
  public func requiredFrame(for index: Int) -> Int? { source.requiredFrame(for: index) }

  /// A composed frame, as a player shows it.
  public func frame(at index: Int) throws(DecodeError) -> Bitmap {
    precondition(index >= 0 && index < frameCount, "frame index out of range")
    if let picture = cachedPicture(at: index) { return picture }
    var (chain, canvas) = try drawingPlan(for: index)
    for frame in chain.reversed() {
      try source.draw(frameAt: frame, onto: &canvas)
      if frame != index { dispose(of: frame, on: &canvas) }
    }
    remember(canvas, at: index)
    return canvas
  }

  /// Forgets all composed frames.
  public func purgeCache() {
    cache.withLock { $0.removeAll() }
  }

  /// The frames to draw, last one first, and what to draw them on.
  private func drawingPlan(for index: Int) throws(DecodeError) -> (chain: [Int], canvas: Bitmap) {
    var chain = [index]
    while let required = source.requiredFrame(for: chain[chain.count - 1]) {
      if var picture = cachedPicture(at: required) {
        dispose(of: required, on: &picture)
        return (chain, picture)
      }
      chain.append(required)
    }
    return (chain, try source.makeCanvas())
  }

  /// Required frames never restore what was before them, so only clearing is to be done.
  private func dispose(of index: Int, on canvas: inout Bitmap) {
    if source.frames[index].disposal == .clear { canvas.clear(source.frames[index].region) }
  }

  private func cachedPicture(at index: Int) -> Bitmap? {
    cache.withLock { entries in
      guard let position = entries.firstIndex(where: { $0.index == index }) else { return nil }
      let entry = entries.remove(at: position)
      entries.append(entry)
      return entry.picture
    }
  }

  private func remember(_ picture: Bitmap, at index: Int) {
    cache.withLock { entries in
      entries.removeAll { $0.index == index }
      if entries.count == Self.cacheCapacity { entries.removeFirst() }
      entries.append(CachedFrame(index: index, picture: picture))
    }
  }
}
