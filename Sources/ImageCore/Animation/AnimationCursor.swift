// Playing through an animation with one canvas.

/// Composes the frames of an animation in order, on one canvas.
///
/// Holds one canvas and, for frames that restore what was before them, a copy of their region.
public struct AnimationCursor: ~Copyable {
  private let source: any AnimationFrames
  private var canvas: Bitmap
  /// What `nextIndex - 1` drew over, when it must be restored.
  private var restored: Bitmap?
  /// The index of the frame that ``next()`` gives.
  public private(set) var nextIndex: Int

  /// A cursor before the first frame.
  public init(_ source: any AnimationFrames) {
    self.source = source
    canvas = Bitmap()
    nextIndex = 0
  }

  /// A cursor behind `index`, whose composed picture is `picture`.
  ///
  /// The frame must not be one that restores what was before it.
  init(_ source: any AnimationFrames, after index: Int, picture: Bitmap) {
    self.source = source
    canvas = picture
    nextIndex = index + 1
  }

  /// Composes the next frame; `nil` behind the last one.
  ///
  /// The bitmap shares its pixels with the cursor until the next call: let go of it first and nothing is copied.
  public mutating func next() throws(DecodeError) -> Bitmap? {
    guard nextIndex < source.frames.count else { return nil }
    try advance()
    return canvas
  }

  /// Goes back to before the first frame.
  public mutating func reset() {
    nextIndex = 0
    restored = nil
  }

  /// Draws the next frame. On an error the canvas keeps what was there, and the frame counts as drawn.
  private mutating func advance() throws(DecodeError) {
    let frame = source.frames[nextIndex]
    if nextIndex == 0 || canvas.isEmpty {
      if canvas.isEmpty { canvas = try source.makeCanvas() } else { canvas.zeroPixels(rows: 0..<canvas.height) }
    } else {
      disposeOfPreviousFrame()
    }
    restored = frame.disposal == .restorePrevious ? try canvas.copy(of: frame.region) : nil
    nextIndex += 1
    try source.draw(frameAt: nextIndex - 1, onto: &canvas)
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
