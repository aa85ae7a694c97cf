// The frames of a codestream, composed to pictures (ISO/IEC 18181-1, annex F).

internal import ImageCoding

/// Decodes frames in order, and composes the pictures of an image or an animation.
struct FrameSequence: Sendable {
  /// A composed picture.
  enum Picture: Sendable {
    /// The samples of a frame that are the pixels of the image.
    case samples(ModularImage)
    /// A canvas.
    case rendered(RenderedFrame)
  }

  private let headers: JXLHeaders
  private var slots = ReferenceSlots()
  /// The offset in the codestream of the next frame; `nil` before the first one.
  private var offset: Int?
  /// The number of frames that have been decoded, including layers.
  private var frameCount = 0
  /// Whether the last frame has been decoded.
  private(set) var isAtEnd = false

  init(_ headers: JXLHeaders) {
    self.headers = headers
  }

  /// The memory of the frames that are kept for later ones.
  var byteCount: Int { slots.byteCount }

  /// Reads the header of the next frame, and skips the preview before the first one.
  private mutating func nextFrame(
    _ codestream: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameDecoder {
    var start = offset ?? headers.firstFrameOffset
    if offset == nil, let previewSize = headers.image.previewSize {
      start =
        try FrameDecoder(
          parsing: codestream, at: start, image: headers.image, canvas: previewSize, budget: &budget
        ).end
    }
    guard frameCount < budget.limits.maximumFrameCount else {
      throw CodecError(
        .limitExceeded, "the image has more than \(frameCount) frames", format: JXLDecoder.type, byteOffset: start,
        limit: .count)
    }
    let frame = try FrameDecoder(
      parsing: codestream, at: start, image: headers.image, canvas: headers.image.size, budget: &budget)
    offset = frame.end
    frameCount += 1
    isAtEnd = frame.header.isLast
    return frame
  }

  /// Reads the header of the next frame without decoding the frame.
  mutating func skipFrame(
    _ codestream: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameHeader {
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    return try nextFrame(codestream, &budget).header
  }

  /// Decodes frames up to the next picture, whose memory remains charged.
  mutating func nextPicture(
    _ codestream: Span<UInt8>, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> Picture {
    while true {
      var frame = try nextFrame(codestream, &budget)
      let header = frame.header
      try frame.decode(codestream, slots, parallelism: parallelism, budget: &budget)
      let isShown = header.kind == .regular || header.kind == .skipProgressive
      if header.isPicture, !header.canBeReferenced, isDirect(frame) { return .samples(frame.modular) }
      let rendered = try render(frame, &budget)
      frame.free()
      var result = rendered
      if isShown, !(header.isSavedBeforeColorTransform && !header.isPicture) {
        result = try compose(rendered, header, &budget)
      }
      if header.canBeReferenced {
        if header.isPicture { try budget.allocate(rendered.byteCount) }
        let isEarly = header.isSavedBeforeColorTransform
        slots.save(
          ReferenceSlots.Slot(frame: isEarly ? rendered : result, isBeforeColorTransform: isEarly),
          at: header.savedSlot,
          budget: &budget)
      } else if !header.isPicture {
        budget.release(result.byteCount)
      }
      if header.isPicture { return .rendered(result) }
      guard !isAtEnd else {
        throw CodecError(
          .malformed, "the last frame is not shown", format: JXLDecoder.type, byteOffset: codestream.count)
      }
    }
  }

  /// Whether the samples of a frame are the pixels of the image.
  private func isDirect(_ frame: FrameDecoder) -> Bool {
    frame.patches == nil && replacesCanvas(frame.header)
  }

  private func replacesCanvas(_ header: FrameHeader) -> Bool {
    header.sampleSize == headers.image.size && header.x0 == 0 && header.y0 == 0
      && header.blending.mode == .replace && header.extraBlending.allSatisfy { $0.mode == .replace }
  }

  // MARK: Rendering

  /// Runs the stages of a frame that precede its composition. The samples of the decoder are freed.
  private func render(
    _ frame: FrameDecoder, _ budget: inout ResourceBudget
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
    _ frame: RenderedFrame, _ header: FrameHeader, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame {
    if replacesCanvas(header) { return frame }
    var canvas = try RenderedFrame(headers.image.size, planeCount: frame.planes.count, budget: &budget)
    var stage = CompositionStage(frame, header, headers.image, slots)
    try stage.run(on: &canvas, budget: &budget)
    budget.release(frame.byteCount)
    return canvas
  }
}
