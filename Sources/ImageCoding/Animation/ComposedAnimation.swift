// Random access to composed frames: determines which earlier frames to draw first, and keeps a bounded cache.

public import ImageCore
internal import Threading

/// An animation whose frames are composed on demand from the frames a codec draws.
///
/// Requesting frames in order draws each of them once. It uses a single canvas if the caller releases each picture
/// before requesting the next. ``FrameCachePolicy`` controls what else is kept.
public final class ComposedAnimation: AnimatedImageSource {
  /// The number of composed frames kept besides the checkpoints. Together with the canvas being drawn, there are three.
  static let recentCapacity = 2
  /// The number of frames whose damage is kept. That of others is found by drawing them again.
  private static let diagnosticsCapacity = 1000

  private struct CachedFrame {
    var index: Int
    var picture: Bitmap
  }

  private struct Cache {
    /// Sorted from least to most recently used.
    var recent: [CachedFrame] = []
    var checkpoints: [Int: Bitmap] = [:]
    /// The damage of frames that have been drawn.
    var diagnostics: [Int: [ImageDiagnostic]] = [:]
  }

  private let source: any AnimationFrames
  private let canvasByteCount: Int
  private let dependencies: FrameDependencies
  private let cache = Mutex(Cache())

  /// The maximum number of frames drawn to reach any frame, once the frames before it have been visited; `nil` if there
  /// is no such bound.
  public let maximumSeekCost: Int?

  /// Creates an animation from a codec's frames.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if the canvas exceeds the limits of the source's options,
  ///   `CodecError.Kind.invalidArgument` if a frame extends outside the canvas.
  public convenience init(
    _ source: any AnimationFrames, cachePolicy: FrameCachePolicy = .minimal
  ) throws(CodecError) {
    let canvas = source.canvasSize
    let canvasByteCount = try source.options.limits.checkedByteCount(
      width: canvas.width, height: canvas.height, bytesPerPixel: source.canvasFormat.bytesPerPixel)
    guard source.frames.allSatisfy({ $0.region.fits(in: canvas) }) else {
      throw CodecError(.invalidArgument, "a frame extends outside the canvas")
    }
    self.init(source, cachePolicy: cachePolicy, canvasByteCount: canvasByteCount)
  }

  /// Creates an animation from validated frames.
  private init(_ source: any AnimationFrames, cachePolicy: FrameCachePolicy, canvasByteCount: Int) {
    self.source = source
    self.canvasByteCount = canvasByteCount
    maximumSeekCost = cachePolicy.checkpointInterval(
      frameCount: source.frames.count, canvasByteCount: canvasByteCount)
    dependencies = FrameDependencies(
      of: source.frames, canvas: source.canvasSize, checkpointInterval: maximumSeekCost)
  }

  /// Returns the same animation with a different cache policy and an empty cache.
  public func caching(_ policy: FrameCachePolicy) -> ComposedAnimation {
    ComposedAnimation(source, cachePolicy: policy, canvasByteCount: canvasByteCount)
  }

  /// The size of every composed frame.
  public var canvasSize: PixelSize { source.canvasSize }
  /// The number of frames.
  public var frameCount: Int { source.frames.count }
  /// The number of times the animation plays.
  public var loopCount: LoopCount { source.loopCount }
  /// The damage that was tolerated when the frames were listed.
  public var diagnostics: [ImageDiagnostic] { source.diagnostics }

  /// Returns the stored properties of a frame.
  public func frameInfo(at index: Int) -> AnimationFrameInfo { source.frames[index] }

  /// Creates a cursor that plays from the first frame, using a single canvas.
  public func makeCursor() -> AnimationCursor { AnimationCursor(source) }

  /// Returns the frame whose composed picture a frame is drawn on; `nil` if there is none.
  public func requiredFrame(for index: Int) -> Int? { dependencies.requiredFrame(for: index) }

  /// The total byte count of all cached pictures.
  public var cachedByteCount: Int {
    cache.withLock { cache in
      let recent = cache.recent.reduce(0) { $0 + $1.picture.pixels.count }
      return cache.checkpoints.values.reduce(recent) { $0 + $1.pixels.count }
    }
  }

  /// Returns a composed frame, as a player shows it. Each is a separate call: a seek, with all frames that it draws,
  /// may not cost more than a decode.
  public func frame(at index: Int) throws(CodecError) -> Bitmap {
    precondition(index >= 0 && index < frameCount, "the frame index is out of range")
    if let picture = cachedPicture(at: index) { return picture }
    var budget = try source.makeBudget()
    return try compose(index, &budget)
  }

  /// Returns a composed frame as a part of a call with a budget, which is charged for all frames that are drawn, and on
  /// return holds the bytes of the frame.
  public func frame(at index: Int, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    precondition(index >= 0 && index < frameCount, "the frame index is out of range")
    try budget.checkpoint()
    try budget.allocatePixels(
      width: canvasSize.width, height: canvasSize.height, bytesPerPixel: source.canvasFormat.bytesPerPixel)
    if let picture = cachedPicture(at: index) { return picture }
    budget.allowWork(forFrameCount: index + 1, canvas: canvasSize)
    let (heldByteCount, format) = (budget.heldByteCount, budget.format)
    defer {
      budget.settle(heldByteCount: heldByteCount)
      budget.format = format
    }
    return try compose(index, &budget)
  }

  /// Draws a frame that is not cached, and those that it is drawn on.
  private func compose(_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    try composition(of: index, &budget).canvas
  }

  private func composition(
    of index: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameComposition {
    var (chain, composition) = drawingPlan(for: index)
    makeRoom()
    for frame in chain.reversed() {
      try budget.checkpoint()
      try composition.draw(frameAt: frame, of: source, isLast: frame == index, budget: &budget)
      keep(composition.diagnostics, ofFrameAt: frame)
      keepCheckpoint(composition.canvas, at: frame)
    }
    remember(composition.canvas, at: index)
    return composition
  }

  /// Returns the damage of a frame that was tolerated when it was drawn, without that of frames that it is drawn on. A
  /// frame that has not been drawn lately is drawn, with those that it is drawn on, as a separate call.
  public func diagnostics(ofFrameAt index: Int) throws(CodecError) -> [ImageDiagnostic] {
    precondition(index >= 0 && index < frameCount, "the frame index is out of range")
    if let known = cache.withLock({ $0.diagnostics[index] }) { return known }
    var budget = try source.makeBudget()
    return try composition(of: index, &budget).diagnostics
  }

  /// Discards all cached frames.
  public func purgeCache() {
    cache.withLock { $0 = Cache() }
  }

  /// Returns the frames to draw, last one first, and the composition to draw them on. All but the requested frame are
  /// required frames, which never restore the previous picture.
  private func drawingPlan(for index: Int) -> (chain: [Int], composition: FrameComposition) {
    var chain = [index]
    while let required = dependencies.requiredFrame(for: chain[chain.count - 1]) {
      // Take the cached canvas unless this frame restores it; if it does, keep it cached for the next frame.
      let isTaken = source.frames[chain[chain.count - 1]].disposal != .restorePrevious
      if let picture = isTaken ? takePicture(at: required) : cachedPicture(at: required) {
        return (chain, FrameComposition(picture, of: source.frames[required]))
      }
      chain.append(required)
    }
    return (chain, FrameComposition())
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

  /// Takes a picture out of the cache so that it can be drawn on without a copy. Checkpoints remain cached.
  private func takePicture(at index: Int) -> Bitmap? {
    cache.withLock { cache in
      guard let position = cache.recent.firstIndex(where: { $0.index == index }) else {
        return cache.checkpoints[index]
      }
      return cache.recent.remove(at: position).picture
    }
  }

  private func keep(_ diagnostics: [ImageDiagnostic], ofFrameAt index: Int) {
    cache.withLock { cache in
      if cache.diagnostics.count >= Self.diagnosticsCapacity { cache.diagnostics = [:] }
      cache.diagnostics[index] = diagnostics
    }
  }

  private func keepCheckpoint(_ picture: Bitmap, at index: Int) {
    guard dependencies.isCheckpoint(index) else { return }
    cache.withLock { $0.checkpoints[index] = picture }
  }

  /// Evicts the picture that would be evicted anyway, before the canvas is copied.
  private func makeRoom() {
    cache.withLock { if $0.recent.count == Self.recentCapacity { $0.recent.removeFirst() } }
  }

  private func remember(_ picture: Bitmap, at index: Int) {
    cache.withLock { cache in
      cache.recent.removeAll { $0.index == index }
      // Another thread may have filled the cache since room was made.
      if cache.recent.count == Self.recentCapacity { cache.recent.removeFirst() }
      cache.recent.append(CachedFrame(index: index, picture: picture))
    }
  }
}
