// What a codec provides for an animation: the list of frames and the drawing of one. Composition, random access and
// caching are then the same for every format.

/// The frames of an animation as its file holds them: each one a drawing on a canvas.
public protocol AnimationFrames: Sendable {
  /// The size of the canvas.
  var canvasSize: PixelSize { get }
  /// The format of the canvas; has straight alpha.
  var canvasFormat: PixelFormat { get }
  /// How often the animation plays.
  var loopCount: LoopCount { get }
  /// All frames, in order.
  var frames: [AnimationFrameInfo] { get }

  /// Decodes a frame and draws it on `canvas`, blended as its info says. Touches no pixel outside of its region.
  ///
  /// The canvas has ``canvasSize`` and ``canvasFormat`` and shows what the frame is to be drawn on.
  func draw(frameAt index: Int, onto canvas: inout Bitmap) throws(DecodeError)
}

extension AnimationFrames {
  /// An empty canvas: transparent.
  func makeCanvas() throws(DecodeError) -> Bitmap {
    // Codecs check the canvas against the caller's limits when they open the animation.
    try Bitmap(width: canvasSize.width, height: canvasSize.height, format: canvasFormat, limits: .unlimited)
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

  /// The pixels of a region, as a bitmap of their own.
  package func copy(of region: PixelRegion) throws(DecodeError) -> Bitmap {
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

  /// Replaces the pixels at a place by those of another bitmap of the same format.
  package mutating func replacePixels(atX x: Int, y: Int, with source: Bitmap) {
    precondition(source.format == format, "formats differ")
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
