// The frames of a codestream, composed to an image (ISO/IEC 18181-1, annex F).

internal import ImageCoding

/// Decodes the still image: the first picture of an animation.
struct ImageDecoder {
  private let headers: JXLHeaders

  init(_ headers: JXLHeaders) {
    self.headers = headers
  }

  func decode(
    _ codestream: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let image = headers.image
    let size = image.size
    try context.checkSize(width: size.width, height: size.height, format: .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    var offset = headers.firstFrameOffset
    if let previewSize = image.previewSize {
      let preview = try FrameDecoder(
        parsing: codestream, at: offset, image: image, canvas: previewSize, budget: &context.budget)
      offset = preview.end
    }
    var slots = ReferenceSlots()
    for index in 0... {
      guard index < context.limits.maximumFrameCount else {
        throw CodecError(
          .limitExceeded, "the image has more than \(index) frames", format: JXLDecoder.type, byteOffset: offset,
          limit: .count)
      }
      var frame = try FrameDecoder(
        parsing: codestream, at: offset, image: image, canvas: size, budget: &context.budget)
      offset = frame.end
      try frame.decode(codestream, slots, parallelism: context.options.parallelism, budget: &context.budget)
      if isPicture(frame) {
        let output = SampleOutput(image)
        try write(output.natural, into: &bitmap, &context) { y, pixels in
          output.write(frame.modular, row: y, into: &pixels)
        }
        break
      }
      let rendered = try render(frame, slots, &context.budget)
      let isShown = frame.header.kind == .regular || frame.header.kind == .skipProgressive
      let isSavedEarly = frame.header.isSavedBeforeColorTransform
      if frame.header.isPicture {
        let canvas = try compose(rendered, frame.header, slots, &context.budget)
        let natural = SampleOutput(image).natural
        let output = RenderedOutput(image, natural)
        try write(natural, into: &bitmap, &context) { y, pixels in output.write(canvas, row: y, into: &pixels) }
        break
      }
      guard frame.header.canBeReferenced else {
        context.budget.release(rendered.byteCount)
        continue
      }
      let saved = isShown && !isSavedEarly ? try compose(rendered, frame.header, slots, &context.budget) : rendered
      slots.save(
        ReferenceSlots.Slot(frame: saved, isBeforeColorTransform: isSavedEarly), at: frame.header.savedSlot,
        budget: &context.budget)
    }
    bitmap.orientation = image.orientation
  }

  /// Writes all rows of pixels.
  private func write(
    _ natural: PixelFormat, into bitmap: inout Bitmap, _ context: inout DecodingContext,
    _ body: (Int, inout MutableSpan<UInt8>) -> Void
  ) throws(CodecError) {
    let size = headers.image.size
    var rows = try RowOutput(
      natural, size: size, colorSpace: headers.colorSpace, byteOffset: 0, into: &bitmap, &context)
    for y in 0..<size.height {
      try context.budget.chargeWork(count: size.width, unitsEach: natural.samplesPerPixel)
      try rows.write(into: &bitmap, &context) { pixels in body(y, &pixels) }
    }
  }

  /// Whether the samples of a frame are the pixels of the image.
  private func isPicture(_ frame: FrameDecoder) -> Bool {
    frame.header.isPicture && frame.patches == nil && replacesCanvas(frame.header)
  }

  private func replacesCanvas(_ header: FrameHeader) -> Bool {
    header.sampleSize == headers.image.size && header.x0 == 0 && header.y0 == 0
      && header.blending.mode == .replace && header.extraBlending.allSatisfy { $0.mode == .replace }
  }

  // MARK: Rendering

  /// Runs the stages of a frame that precede its composition. The samples of the decoder are freed.
  private func render(
    _ frame: FrameDecoder, _ slots: ReferenceSlots, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame {
    var rendered = try RenderedFrame(
      frame.header.sampleSize, planeCount: frame.modular.channels.count, budget: &budget)
    var samples = SampleStage(frame.modular, headers.image)
    try samples.run(on: &rendered, budget: &budget)
    if let patches = frame.patches {
      try PatchStage(patches, headers.image, slots).run(on: &rendered, budget: &budget)
    }
    budget.release(rendered.byteCount)
    return rendered
  }

  /// Places a frame on the canvas. Its memory becomes that of the canvas.
  private func compose(
    _ frame: RenderedFrame, _ header: FrameHeader, _ slots: ReferenceSlots, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame {
    if replacesCanvas(header) { return frame }
    var canvas = try RenderedFrame(headers.image.size, planeCount: frame.planes.count, budget: &budget)
    var stage = CompositionStage(frame, header, headers.image, slots)
    try stage.run(on: &canvas, budget: &budget)
    budget.release(frame.byteCount)
    return canvas
  }
}
