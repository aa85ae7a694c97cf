// The frames of an animation: an index built in one pass without decoding, and the drawing of single frames. Blending
// is bit-identical to libwebp's animation decoder.

package import ImageCoding

/// The frames of an animated WebP, which are decoded when they are drawn.
package final class WebPAnimation: AnimationFrames {
  /// The data needed to draw a frame, in addition to its header.
  private struct Drawing: Sendable {
    var header: AnimationFrameHeader
    var chunks: FrameChunks
    /// Whether the canvas is empty before the frame.
    var isKeyFrame: Bool
  }

  private let bytes: [UInt8]
  private let drawings: [Drawing]

  package let canvasSize: PixelSize
  package let frames: [AnimationFrameInfo]
  package let loopCount: LoopCount
  package let colorSpace: ColorSpace
  package let diagnostics: [ImageDiagnostic]
  package let options: DecodingOptions
  package var canvasFormat: PixelFormat { .rgba8 }

  /// The work units for blending a pixel of a frame.
  private static let workPerBlendedPixel = 4

  /// Indexes the frames without decoding them; `nil` if the file is a still image.
  package init?(indexing bytes: [UInt8], options: DecodingOptions) throws(CodecError) {
    var core = WebPCore(.index)
    var budget = ResourceBudget(options)
    var damage = try core.read(bytes.span, options: options, budget: &budget)
    guard let canvas = core.canvas, canvas.isAnimated, !core.frames.isEmpty else { return nil }
    try core.checkEnd(options.tolerance, adding: &damage)
    diagnostics = damage
    self.bytes = bytes
    self.options = options
    canvasSize = canvas.size
    _ = try options.limits.checkedByteCount(
      width: canvas.size.width, height: canvas.size.height, bytesPerPixel: 4, format: WebPDecoder.type)
    loopCount = core.loopCount ?? .infinite
    colorSpace = core.metadata.colorSpace
    drawings = Self.drawings(core.frames, bytes, on: canvas.size)
    frames = drawings.map { drawing in
      AnimationFrameInfo(
        region: drawing.header.region, storedDelay: drawing.header.duration,
        disposal: drawing.header.isDisposed ? .clear : .keep, blend: drawing.header.isBlended ? .over : .replace,
        isOpaque: !drawing.chunks.hasAlpha)
    }
  }

  private static func drawings(
    _ headers: [AnimationFrameHeader], _ bytes: [UInt8], on canvas: PixelSize
  ) -> [Drawing] {
    let whole = PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height)
    var drawings: [Drawing] = []
    for header in headers {
      let chunks = FrameChunks(bytes.span, inFrame: header.payload)
      var isKeyFrame = header.region == whole && (!header.isBlended || !chunks.hasAlpha)
      if let previous = drawings.last {
        if previous.header.isDisposed, previous.isKeyFrame || previous.header.region == whole { isKeyFrame = true }
      } else {
        isKeyFrame = true
      }
      drawings.append(Drawing(header: header, chunks: chunks, isKeyFrame: isKeyFrame))
    }
    return drawings
  }

  package func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    budget.format = WebPDecoder.type
    try budget.checkpoint()
    let drawing = drawings[index]
    let header = drawing.header
    guard header.isBlended, !drawing.isKeyFrame else {
      canvas.clear(header.region)
      return try decode(drawing, at: header.region, into: &canvas, &budget)
    }
    let region = PixelRegion(x: 0, y: 0, width: header.region.width, height: header.region.height)
    let heldByteCount = budget.heldByteCount
    var picture = Bitmap()
    try picture.reset(width: region.width, height: region.height, format: .rgba8, budget: &budget)
    picture.zeroPixels(rows: 0..<region.height)
    let diagnostics = try decode(drawing, at: region, into: &picture, &budget)
    let previous = drawings[index - 1].header
    try blend(
      picture, header.region, over: &canvas, except: previous.isDisposed ? previous.region : nil, &budget)
    budget.settle(heldByteCount: heldByteCount)
    return diagnostics
  }

  /// Decodes a frame into a region of a transparent bitmap. Returns the damage.
  private func decode(
    _ drawing: Drawing, at region: PixelRegion, into bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    let heldByteCount = budget.heldByteCount
    var frame = FrameDecoder(region: region)
    let failure = try drawing.chunks.decode(with: &frame, bytes, into: &bitmap, &budget)
    budget.settle(heldByteCount: heldByteCount)
    guard let failure else { return [] }
    if options.tolerance == .strict { throw failure }
    let missing = frame.completedRowCount..<region.height
    bitmap.clear(PixelRegion(x: region.x, y: region.y + missing.lowerBound, width: region.width, height: missing.count))
    return [ImageDiagnostic(.damage, failure)]
  }

  /// - Parameter cleared: a region of the canvas that the frame replaces instead of being blended.
  private func blend(
    _ picture: Bitmap, _ region: PixelRegion, over canvas: inout Bitmap, except cleared: PixelRegion?,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    // Beyond the limit of work, the canvas stays as it is.
    try budget.requireWork(count: region.width * region.height, unitsEach: Self.workPerBlendedPixel)
    for y in 0..<region.height {
      try budget.chargeWork(count: region.width, unitsEach: Self.workPerBlendedPixel)
      let canvasY = region.y + y
      var excepted = 0..<0
      if let cleared, canvasY >= cleared.y, canvasY < cleared.y + cleared.height {
        let left = min(max(cleared.x - region.x, 0), region.width)
        excepted = left..<min(max(cleared.x + cleared.width - region.x, left), region.width)
      }
      var row = canvas.mutableRow(canvasY)
      var part = row._mutatingExtracting(region.x * 4..<(region.x + region.width) * 4)
      blendPixels(picture.row(y), over: &part, except: excepted)
    }
  }
}
