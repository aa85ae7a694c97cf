// The part of an animation that a codec provides: a list of frames and a way to draw one. Composition, random access
// and caching are shared by all formats.

public import ImageCore

/// The frames of an animation as stored: each is drawn onto a common canvas.
public protocol AnimationFrames: AnyObject, Sendable {
  /// The size of the canvas.
  var canvasSize: PixelSize { get }
  /// The pixel format of the canvas; its alpha is straight.
  var canvasFormat: PixelFormat { get }
  /// The colour space of all frames; unspecified by default.
  var colorSpace: ColorSpace { get }
  /// The number of times the animation plays.
  var loopCount: LoopCount { get }
  /// All frames, in order. Each region must be inside the canvas.
  var frames: [AnimationFrameInfo] { get }
  /// The options with which the animation was opened. Their limits apply to each composed picture.
  var options: DecodingOptions { get }
  /// The damage of the file that was tolerated when the frames were listed; none by default.
  var diagnostics: [ImageDiagnostic] { get }

  /// Decodes a frame and draws it on `canvas` with the blend mode of its info. Changes no pixels outside its region.
  ///
  /// The canvas has ``canvasSize`` and ``canvasFormat``, and contains the picture to draw on.
  /// - Parameters:
  ///   - index: `0..<frames.count`.
  ///   - canvas: the canvas, composed up to the frame before.
  ///   - budget: charged for decoding the frame; the canvas has already been charged.
  /// - Returns: the damage of the frame that was tolerated, without that of frames that it is drawn on. The index of the
  ///   frame is added to it.
  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic]
}

extension AnimationFrames {
  /// Returns ``ColorSpace/unspecified``.
  public var colorSpace: ColorSpace { .unspecified }
  /// No damage.
  public var diagnostics: [ImageDiagnostic] { [] }

  /// Creates a transparent canvas.
  func makeCanvas() throws(CodecError) -> Bitmap {
    try Bitmap(width: canvasSize.width, height: canvasSize.height, format: canvasFormat, limits: options.limits)
  }

  /// Creates a budget for composing one picture on a canvas.
  func makeBudget() throws(CodecError) -> ResourceBudget {
    var budget = ResourceBudget(options)
    try budget.allocatePixels(
      width: canvasSize.width, height: canvasSize.height, bytesPerPixel: canvasFormat.bytesPerPixel)
    budget.allowWork(forPixelCount: canvasSize.width * canvasSize.height)
    return budget
  }
}
