// What a codec provides for an animation: a list of frames and a way to draw one. Composition, random access and
// caching are shared by all formats.

/// The frames of an animation as stored: each is drawn onto a common canvas.
public protocol AnimationFrames: Sendable {
  /// The size of the canvas.
  var canvasSize: PixelSize { get }
  /// The pixel format of the canvas; its alpha is straight.
  var canvasFormat: PixelFormat { get }
  /// What the colour samples of all frames mean; unspecified by default.
  var colorSpace: ColorSpace { get }
  /// The number of times the animation plays.
  var loopCount: LoopCount { get }
  /// All frames, in order. Each region must be inside the canvas.
  var frames: [AnimationFrameInfo] { get }
  /// The options with which the animation was opened. Their limits apply to each composed picture.
  var options: DecodingOptions { get }

  /// Decodes a frame and draws it on `canvas` with the blend mode of its info. Changes no pixels outside its region.
  ///
  /// The canvas has ``canvasSize`` and ``canvasFormat``, and contains the picture to draw on.
  /// - Parameter budget: charged for decoding the frame; the canvas has already been charged.
  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError)
}

extension AnimationFrames {
  /// Returns ``ColorSpace/unspecified``.
  public var colorSpace: ColorSpace { .unspecified }

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

extension Bitmap {
  /// Sets the pixels of a region to zero.
  package mutating func clear(_ region: PixelRegion) {
    let from = region.x * format.bytesPerPixel
    let to = (region.x + region.width) * format.bytesPerPixel
    for y in region.y..<region.y + region.height {
      var row = mutableRow(y)
      var index = from
      while index < to {
        row[index] = 0
        index += 1
      }
    }
  }

  /// Copies the pixels of a region to a new bitmap.
  package func copy(of region: PixelRegion) throws(CodecError) -> Bitmap {
    var result = Bitmap()
    try result.reset(width: region.width, height: region.height, format: format, limits: .unlimited)
    let from = region.x * format.bytesPerPixel
    let to = (region.x + region.width) * format.bytesPerPixel
    for y in 0..<region.height {
      var row = result.mutableRow(y)
      copyBytes(self.row(region.y + y).extracting(from..<to), into: &row)
    }
    return result
  }

  /// Replaces the pixels at the given position with those of another bitmap of the same format.
  package mutating func replacePixels(atX x: Int, y: Int, with source: Bitmap) {
    precondition(source.format == format, "the pixel formats differ")
    let from = x * format.bytesPerPixel
    for line in 0..<source.height {
      let input = source.row(line)
      let end = from + input.count
      var row = mutableRow(y + line)
      var part = row._mutatingExtracting(from..<end)
      copyBytes(input, into: &part)
    }
  }
}
