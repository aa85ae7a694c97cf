// Sequential playback of an animation on a single canvas.

public import ImageCore

/// Composes the frames of an animation in order, on a single canvas.
///
/// Besides the canvas, it holds a copy of the region of a frame whose disposal is
/// ``AnimationFrameInfo/Disposal/restorePrevious``.
public struct AnimationCursor: ~Copyable {
  private let source: any AnimationFrames
  private var composition = FrameComposition()
  /// Changes the pictures that are returned, but not the canvas.
  private var convert: (@Sendable (Bitmap, inout ResourceBudget) throws(CodecError) -> Bitmap)?
  /// The bytes that the caller's budget has been charged for the canvas, and for a copy of it if a frame needs one.
  private var chargedByteCount = 0
  private var chargesCopy = false
  /// The index of the frame that ``next()`` will return.
  public private(set) var nextIndex = 0

  /// The damage of the latest frame that was tolerated, without that of the frames before it.
  public var diagnostics: [ImageDiagnostic] { composition.diagnostics }

  /// Creates a cursor before the first frame.
  public init(_ source: any AnimationFrames) {
    self.source = source
  }

  /// Returns this cursor with a conversion of the pictures that it returns.
  package consuming func converting(
    _ convert: @escaping @Sendable (Bitmap, inout ResourceBudget) throws(CodecError) -> Bitmap
  ) -> AnimationCursor {
    var cursor = self
    cursor.convert = convert
    return cursor
  }

  /// Composes and returns the next frame, or `nil` after the last one. Each frame is a separate call, with the limits
  /// of the options.
  ///
  /// The bitmap shares its storage with the cursor. Release it before the next call to avoid a copy.
  public mutating func next() throws(CodecError) -> Bitmap? {
    guard nextIndex < source.frames.count else { return nil }
    var budget = try source.makeBudget()
    let frame = source.frames[nextIndex]
    if frame.disposal == .restorePrevious {
      // The copy of the pixels that it covers.
      try budget.allocatePixels(
        width: frame.region.width, height: frame.region.height, bytesPerPixel: source.canvasFormat.bytesPerPixel)
    }
    return try advance(&budget)
  }

  /// Composes and returns the next frame, or `nil` after the last one, as a part of a call with a budget: the limits
  /// are those of all frames together.
  ///
  /// The bitmap shares its storage with the cursor. Release it before the next call to avoid a copy.
  /// - Parameter budget: the same one for all frames. It is charged for the canvas once, until ``release(to:)``, and
  ///   for each frame for all that decoding and composing it costs; the work limit grows with the number of frames.
  /// - Throws: the errors of the decoder, `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  public mutating func next(budget: inout ResourceBudget) throws(CodecError) -> Bitmap? {
    guard nextIndex < source.frames.count else { return nil }
    try budget.checkpoint()
    let canvas = source.canvasSize
    if chargedByteCount == 0 {
      chargedByteCount = try budget.allocatePixels(
        width: canvas.width, height: canvas.height, bytesPerPixel: source.canvasFormat.bytesPerPixel)
      budget.allowWork(forFrameCount: source.frames.count, canvas: canvas)
    }
    let region = source.frames[nextIndex].region
    if source.frames[nextIndex].disposal == .restorePrevious, !chargesCopy {
      // Charged once: the size of the copy changes from frame to frame, up to that of the canvas.
      chargedByteCount += try budget.allocatePixels(
        width: canvas.width, height: canvas.height, bytesPerPixel: source.canvasFormat.bytesPerPixel)
      chargesCopy = true
    }
    // For clearing, saving or restoring the region.
    try budget.chargeWork(count: region.width * region.height, unitsEach: 1)
    let heldByteCount = budget.heldByteCount
    let format = budget.format
    defer {
      budget.settle(heldByteCount: heldByteCount)
      budget.format = format
    }
    return try advance(&budget)
  }

  /// Credits the canvas to the budget that ``next(budget:)`` has charged, before the cursor is discarded.
  public mutating func release(to budget: inout ResourceBudget) {
    budget.release(chargedByteCount)
    (chargedByteCount, chargesCopy) = (0, false)
    composition = FrameComposition()
    nextIndex = 0
  }

  /// Returns to before the first frame.
  public mutating func reset() {
    nextIndex = 0
    composition.restart()
  }

  /// Draws the next frame. If that fails, the canvas is unchanged and the frame counts as drawn.
  private mutating func advance(_ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    nextIndex += 1
    try composition.draw(frameAt: nextIndex - 1, of: source, budget: &budget)
    return try convert?(composition.canvas, &budget) ?? composition.canvas
  }
}
