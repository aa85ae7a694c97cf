// Sequential playback of an animation on a single canvas.

/// Composes the frames of an animation in order, on a single canvas.
///
/// Besides the canvas, it holds a copy of the region of a frame whose disposal is
/// ``AnimationFrameInfo/Disposal/restorePrevious``.
public struct AnimationCursor: ~Copyable {
  private let source: any AnimationFrames
  private var canvas: Bitmap
  /// The pixels that frame `nextIndex - 1` overwrote, if they must be restored.
  private var restored: Bitmap?
  /// Changes the pictures that are returned, but not the canvas.
  private var convert: (@Sendable (Bitmap) throws(CodecError) -> Bitmap)?
  /// The index of the frame that ``next()`` will return.
  public private(set) var nextIndex: Int

  /// Creates a cursor before the first frame.
  public init(_ source: any AnimationFrames) {
    self.source = source
    canvas = Bitmap()
    nextIndex = 0
  }

  /// Creates a cursor positioned after `index`, whose composed picture is `picture`.
  ///
  /// That frame's disposal must not be ``AnimationFrameInfo/Disposal/restorePrevious``.
  init(_ source: any AnimationFrames, after index: Int, picture: Bitmap) {
    self.source = source
    canvas = picture
    nextIndex = index + 1
  }

  /// Returns this cursor with a conversion of the pictures that it returns.
  package consuming func converting(
    _ convert: @escaping @Sendable (Bitmap) throws(CodecError) -> Bitmap
  ) -> AnimationCursor {
    var cursor = self
    cursor.convert = convert
    return cursor
  }

  /// Composes and returns the next frame, or `nil` after the last one.
  ///
  /// The bitmap shares its storage with the cursor. Release it before the next call to avoid a copy.
  public mutating func next() throws(CodecError) -> Bitmap? {
    guard nextIndex < source.frames.count else { return nil }
    try advance()
    return try convert?(canvas) ?? canvas
  }

  /// Returns to before the first frame.
  public mutating func reset() {
    nextIndex = 0
    restored = nil
  }

  /// Draws the next frame. If that fails, the canvas is unchanged and the frame counts as drawn.
  private mutating func advance() throws(CodecError) {
    let frame = source.frames[nextIndex]
    if nextIndex == 0 || canvas.isEmpty {
      if canvas.isEmpty { canvas = try source.makeCanvas() } else { canvas.zeroPixels(rows: 0..<canvas.height) }
    } else {
      disposeOfPreviousFrame()
    }
    restored = frame.disposal == .restorePrevious ? try canvas.copy(of: frame.region) : nil
    nextIndex += 1
    var budget = try source.makeBudget()
    try source.draw(frameAt: nextIndex - 1, onto: &canvas, budget: &budget)
    canvas.colorSpace = source.colorSpace
  }

  private mutating func disposeOfPreviousFrame() {
    let previous = source.frames[nextIndex - 1]
    switch previous.disposal {
    case .keep: break
    case .clear: canvas.clear(previous.region)
    case .restorePrevious:
      if let restored { canvas.replacePixels(atX: previous.region.x, y: previous.region.y, with: restored) }
    }
  }
}
