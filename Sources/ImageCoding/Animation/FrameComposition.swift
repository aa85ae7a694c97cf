// The canvas of an animation from frame to frame: the disposal of a frame, then the drawing of the next one.

internal import ImageCore

/// Composes frames on one canvas.
///
/// Besides the canvas, it holds a copy of the region of a frame whose disposal is
/// ``AnimationFrameInfo/Disposal/restorePrevious``.
struct FrameComposition {
  /// The picture of the frame drawn last; empty before the first frame.
  private(set) var canvas: Bitmap
  /// The frame drawn last, if the canvas is not to be cleared entirely.
  private var previous: AnimationFrameInfo?
  /// The pixels that the previous frame covers, if they must be restored.
  private var covered: Bitmap?
  /// The damage of the frame drawn last.
  private(set) var diagnostics: [ImageDiagnostic] = []

  /// Creates a composition before its first frame, whose canvas is created when that is drawn, or from the picture of a
  /// frame, whose disposal must not be ``AnimationFrameInfo/Disposal/restorePrevious``.
  init(_ picture: Bitmap = Bitmap(), of frame: AnimationFrameInfo? = nil) {
    (canvas, previous) = (picture, frame)
  }

  /// Returns to before the first frame. The canvas is cleared when that is drawn.
  mutating func restart() {
    (previous, covered, diagnostics) = (nil, nil, [])
  }

  /// Disposes of the previous frame and draws another one. If that fails, the pixels of the canvas are those that the
  /// frame should have been drawn on, and the frame counts as drawn.
  ///
  /// - Parameter isLast: whether no frame follows, so that a region to be restored is not copied.
  mutating func draw(
    frameAt index: Int, of source: any AnimationFrames, isLast: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    let frame = source.frames[index]
    if canvas.isEmpty { canvas = try source.makeCanvas() } else { disposeOfPreviousFrame() }
    covered = frame.disposal == .restorePrevious && !isLast ? try canvas.copy(of: frame.region) : nil
    previous = frame
    diagnostics = []
    diagnostics = try source.draw(frameAt: index, onto: &canvas, budget: &budget).map {
      ImageDiagnostic($0.severity, $0.reason, byteOffset: $0.byteOffset, frame: index)
    }
    canvas.colorSpace = source.colorSpace
  }

  private mutating func disposeOfPreviousFrame() {
    guard let previous else { return canvas.zeroPixels(rows: 0..<canvas.height) }
    switch previous.disposal {
    case .keep: break
    case .clear: canvas.clear(previous.region)
    case .restorePrevious:
      if let covered { canvas.replacePixels(atX: previous.region.x, y: previous.region.y, with: covered) }
    }
  }
}
