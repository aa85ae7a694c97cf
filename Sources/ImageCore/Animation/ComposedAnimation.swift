// Random access to composed frames: which earlier frames must be drawn first, and a bounded cache of composed ones.

internal import Synchronization

/// An animation whose frames are composed on demand from a codec's drawings.
///
/// Asking for frames in order draws each of them once, on one canvas as long as the caller lets go of each picture
/// before it asks for the next one. What else is kept says ``FrameCachePolicy``.
public final class ComposedAnimation: AnimatedImageSource {
  /// Composed frames kept beside the checkpoints: with the canvas being drawn there are three.
  static let recentCapacity = 2

  private struct CachedFrame {
    var index: Int
    var picture: Bitmap
  }

  private struct Cache {
    /// Least recently used first.
    var recent: [CachedFrame] = []
    var checkpoints: [Int: Bitmap] = [:]
  }

  private let source: any AnimationFrames
  private let dependencies: FrameDependencies
  private let cache = Mutex(Cache())

  /// Frames that a jump draws at most once the frames before have been passed; `nil` when there is no such bound.
  public let maximumSeekCost: Int?

  /// Wraps a codec's frames.
  public init(_ source: any AnimationFrames, cachePolicy: FrameCachePolicy = .minimal) {
    self.source = source
    // The canvas was checked against the caller's limits, so this does not overflow.
    let canvasByteCount = source.canvasSize.width * source.canvasSize.height * source.canvasFormat.bytesPerPixel
    maximumSeekCost = cachePolicy.checkpointInterval(
      frameCount: source.frames.count, canvasByteCount: canvasByteCount)
    dependencies = FrameDependencies(
      of: source.frames, canvas: source.canvasSize, checkpointInterval: maximumSeekCost)
  }

  /// The same animation with another cache, empty at first.
  public func caching(_ policy: FrameCachePolicy) -> ComposedAnimation {
    ComposedAnimation(source, cachePolicy: policy)
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
  public func requiredFrame(for index: Int) -> Int? { dependencies.requiredFrame(for: index) }

  /// The bytes of all pictures that are kept.
  public var cachedByteCount: Int {
    cache.withLock { cache in
      let recent = cache.recent.reduce(0) { $0 + $1.picture.pixels.count }
      return cache.checkpoints.values.reduce(recent) { $0 + $1.pixels.count }
    }
  }

  /// A composed frame, as a player shows it.
  public func frame(at index: Int) throws(DecodeError) -> Bitmap {
    precondition(index >= 0 && index < frameCount, "frame index out of range")
    if let picture = cachedPicture(at: index) { return picture }
    var (chain, canvas) = try drawingPlan(for: index)
    makeRoom()
    for frame in chain.reversed() {
      try source.draw(frameAt: frame, onto: &canvas)
      keepCheckpoint(canvas, at: frame)
      if frame != index { dispose(of: frame, on: &canvas) }
    }
    remember(canvas, at: index)
    return canvas
  }

  /// Forgets all composed frames.
  public func purgeCache() {
    cache.withLock { $0 = Cache() }
  }

  /// The frames to draw, last one first, and what to draw them on.
  private func drawingPlan(for index: Int) throws(DecodeError) -> (chain: [Int], canvas: Bitmap) {
    var chain = [index]
    while let required = dependencies.requiredFrame(for: chain[chain.count - 1]) {
      // What is drawn on a picture to stay takes its place; what will be taken back leaves it for the next frame.
      let isTaken = source.frames[chain[chain.count - 1]].disposal != .restorePrevious
      if var picture = isTaken ? takePicture(at: required) : cachedPicture(at: required) {
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
    cache.withLock { cache in
      guard let position = cache.recent.firstIndex(where: { $0.index == index }) else {
        return cache.checkpoints[index]
      }
      let entry = cache.recent.remove(at: position)
      cache.recent.append(entry)
      return entry.picture
    }
  }

  /// Takes a picture out of the cache, so that drawing on it copies nothing. Checkpoints stay.
  private func takePicture(at index: Int) -> Bitmap? {
    cache.withLock { cache in
      guard let position = cache.recent.firstIndex(where: { $0.index == index }) else {
        return cache.checkpoints[index]
      }
      return cache.recent.remove(at: position).picture
    }
  }

  private func keepCheckpoint(_ picture: Bitmap, at index: Int) {
    guard dependencies.isCheckpoint(index) else { return }
    cache.withLock { $0.checkpoints[index] = picture }
  }

  /// Lets go of the picture that would have to leave anyway, before the canvas is copied.
  private func makeRoom() {
    cache.withLock { if $0.recent.count == Self.recentCapacity { $0.recent.removeFirst() } }
  }

  private func remember(_ picture: Bitmap, at index: Int) {
    cache.withLock { cache in
      cache.recent.removeAll { $0.index == index }
      // Another thread may have been here since room was made.
      if cache.recent.count == Self.recentCapacity { cache.recent.removeFirst() }
      cache.recent.append(CachedFrame(index: index, picture: picture))
    }
  }
}
