// The frames of a codestream, composed to pictures (ISO/IEC 18181-1, annex F).

internal import ImageCoding

/// Decodes frames in order, and composes the pictures of an image or an animation.
struct FrameSequence: Sendable {
  /// A composed picture.
  enum Picture: Sendable {
    case none
    /// The samples of a frame that are the pixels of the image.
    case samples(ModularImage)
    /// A canvas.
    case rendered(RenderedFrame)
    /// A frame that is decoded as its rows are written.
    case bands(PictureBands)

    /// The damage that was tolerated while rows were written.
    var damage: CodecError? {
      guard case .bands(let bands) = self else { return nil }
      return bands.frame.damage
    }
  }

  let headers: JXLHeaders
  private var slots = ReferenceSlots()
  /// The offset in the codestream of the next frame; `nil` before the first one.
  private var offset: Int?
  /// The number of frames that have been decoded, including layers.
  private(set) var frameCount = 0
  /// The number of pictures so far, and that of frames since the last one, from which noise is generated.
  private var visibleCount: UInt32 = 0
  private var invisibleCount: UInt32 = 0
  /// The region of the canvas whose pixels are wanted; `nil` for all. Others may be zeros.
  var region: PixelRegion?
  /// The factor by which pictures may be reduced afterwards.
  var reductionFactor = 1
  /// The greatest binary logarithm of a factor by which squeezed pictures may be reduced.
  var maximumLevel = 0
  /// The binary logarithm of the factor by which the latest picture is reduced.
  private(set) var level = 0
  /// Whether channels other than colours and opacity are wanted.
  var needsExtraChannels = false
  /// Whether what is damaged is left out of pictures.
  var toleratesDamage = false
  /// The first damage that was tolerated, at an offset in the codestream.
  var damage: CodecError?
  /// Whether the last frame has been decoded.
  private(set) var isAtEnd = false

  init(_ headers: JXLHeaders) {
    self.headers = headers
  }

  /// Whether the latest frame is the last one of a picture.
  var isAtPicture: Bool { visibleCount > 0 && invisibleCount == 0 }

  /// The memory of the frames that are kept for later ones.
  var byteCount: Int { slots.byteCount }

  /// Reads the header of the next frame, and skips the preview before the first one.
  mutating func nextFrame(
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
    if frame.header.isPicture {
      visibleCount += 1
      invisibleCount = 0
    } else {
      invisibleCount += 1
    }
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
      let held = budget.heldByteCount
      var frame = try nextFrame(codestream, &budget)
      let header = frame.header
      frame.toleratesDamage = toleratesDamage
      if header.isLast, header.isPicture, replacesCanvas(header), isAtFullSize(header) {
        frame.region = region
        frame.reductionFactor = reductionFactor
      }
      if canBeReducedByLevels(header) { frame.maximumLevel = maximumLevel }
      if header.isModular { frame.allowWork(&budget) }
      let inBands = canBeRenderedInBands(header)
      if !inBands, frame.maximumLevel == 0 { try requireMemory(header, budget) }
      try frame.decode(codestream, slots, inBands: inBands, parallelism: parallelism, budget: &budget)
      damage = damage ?? frame.damage
      if frame.groups != nil {
        let number = (visibleCount, invisibleCount)
        return .bands(try PictureBands(frame, slots, number: number, budget: &budget))
      }
      budget.settle(heldByteCount: held + frame.sampleByteCount)
      level = frame.level
      if level > 0 { return try reducedPicture(frame, &budget) }
      let isShown = header.kind == .regular || header.kind == .skipProgressive
      if header.isPicture, !header.canBeReferenced, isDirect(frame) { return .samples(frame.modular) }
      let rendered = try render(frame, parallelism, &budget)
      frame.free()
      var result = rendered
      if isShown, !(header.isSavedBeforeColorTransform && !header.isPicture) {
        if header.isSavedBeforeColorTransform { try budget.allocate(rendered.byteCount) }
        try transformColors(&result, header, &budget)
        result = try compose(result, header, &budget)
      }
      if header.canBeReferenced {
        let isEarly = header.isSavedBeforeColorTransform
        if header.isPicture, !isEarly { try budget.allocate(result.byteCount) }
        slots.save(
          ReferenceSlots.Slot(frame: isEarly ? rendered : result, isBeforeColorTransform: isEarly),
          at: header.savedSlot,
          budget: &budget)
      } else if header.kind == .lowFrequency {
        slots.saveLowFrequency(rendered, level: header.lowFrequencyLevel, budget: &budget)
      } else if !header.isPicture {
        budget.release(result.byteCount)
      }
      if header.isPicture {
        if var spots = SpotColorStage(
          headers.image, colorCount: result.planes.count - headers.image.extraChannels.count)
        {
          try spots.run(on: &result, budget: &budget)
        }
        return .rendered(result)
      }
      guard !isAtEnd else {
        throw CodecError(
          .malformed, "the last frame is not shown", format: JXLDecoder.type, byteOffset: codestream.count)
      }
    }
  }

  /// Whether the samples of a frame are the pixels of the image.
  private func isDirect(_ frame: FrameDecoder) -> Bool {
    frame.header.isModular && frame.patches == nil && frame.splines == nil && !frame.header.isYCbCr
      && frame.noise == nil && replacesCanvas(frame.header)
      && !headers.image.isXYB
      && frame.header.filter.isIdentity
      && isAtFullSize(frame.header)
      && !headers.image.extraChannels.contains { $0.isSpot }
  }

  /// Whether a frame is rendered while its groups are decoded.
  func canBeRenderedInBands(_ header: FrameHeader) -> Bool {
    !needsExtraChannels && !header.isModular && header.isPicture && !header.canBeReferenced && replacesCanvas(header)
      && header.extraUpsampling.allSatisfy { $0 == header.upsampling }
      && headers.image.blackIndex == nil && !headers.image.extraChannels.contains { $0.isSpot }
  }

  /// Checks that the planes of a frame fit into memory before anything is decoded.
  private func requireMemory(_ header: FrameHeader, _ budget: borrowing ResourceBudget) throws(CodecError) {
    let (size, planeCount) = (header.codedSize, 3 + headers.image.extraChannels.count)
    // Lossless samples are converted as they are written; others are decoded and rendered.
    let copyCount = header.isModular ? 1 : 2
    let bytesPerPixel =
      (header.isModular && headers.image.colorEncoding.model == .gray ? 1 : planeCount) * 4 * copyCount
    let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    let (total, isHuge) = count.multipliedReportingOverflow(by: bytesPerPixel)
    try budget.requireMemory(overflow || isHuge ? .max : total)
  }

  /// Whether no channel is smaller than the frame.
  func isAtFullSize(_ header: FrameHeader) -> Bool {
    header.upsampling == 1 && header.extraUpsampling.allSatisfy { $0 == 1 }
  }

  func replacesCanvas(_ header: FrameHeader) -> Bool {
    header.sampleSize == headers.image.size && header.x0 == 0 && header.y0 == 0
      && header.blending.mode == .replace && header.extraBlending.allSatisfy { $0.mode == .replace }
  }

  // MARK: Rendering

  /// Runs the stages of a frame that precede its composition. The samples of the decoder are freed.
  private func render(
    _ frame: FrameDecoder, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame {
    let (header, image) = (frame.header, headers.image)
    let (colorCount, planeCount) = (frame.colorCount, frame.colorCount + image.extraChannels.count)
    let held = budget.heldByteCount - frame.sampleByteCount
    var rendered = try RenderedFrame(
      header.codedSize, planeCount: planeCount, budget: &budget)
    var samples = SampleStage(frame)
    try samples.run(on: &rendered, budget: &budget)
    if header.isYCbCr { try enlargeColors(frame, &rendered, &budget) }
    if !header.filter.isIdentity {
      try TileRenderer(frame).filterColors(of: &rendered, parallelism: parallelism, budget: &budget)
    }
    try enlargeReduced(frame, colorCount, &rendered, &budget)
    if let patches = frame.patches { try PatchStage(patches, image, slots).run(on: &rendered, budget: &budget) }
    if let splines = frame.splines {
      try SplineStage(splines, frame.correlation, colorCount: colorCount).run(on: &rendered, budget: &budget)
    }
    if header.upsampling > 1 {
      let upsampling = Upsampling(header.upsampling, image.transform)
      var larger = try RenderedFrame(header.sampleSize, planeCount: 0, budget: &budget)
      for (index, plane) in rendered.planes.enumerated() {
        // Extra channels with other factors have been enlarged already.
        let isReduced = index < colorCount || header.extraUpsampling[index - colorCount] == header.upsampling
        larger.planes.append(
          isReduced
            ? try upsampling.enlarge(plane, header.codedSize, to: header.sampleSize, budget: &budget) : plane)
      }
      rendered = larger
    }
    if let noise = NoiseStage(frame, number: (visibleCount, invisibleCount)) {
      try noise.run(on: &rendered, budget: &budget)
    }
    budget.settle(heldByteCount: held + rendered.byteCount)
    return rendered
  }

  /// Converts the colours of a frame to those of the image.
  func transformColors(
    _ frame: inout RenderedFrame, _ header: FrameHeader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let image = headers.image
    try ColorConversion(image, isYCbCr: header.isYCbCr).run(on: &frame, budget: &budget)
    // The colours of grey frames that are coded as three channels are equal.
    if !image.isXYB, image.colorEncoding.model == .gray, frame.planes.count == 3 + image.extraChannels.count {
      budget.release((frame.planes[1].count + frame.planes[2].count) * 4)
      frame.planes.removeSubrange(1...2)
    }
  }

  /// Enlarges the colours that are smaller than the frame.
  private func enlargeColors(
    _ frame: FrameDecoder, _ rendered: inout RenderedFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let size = frame.header.codedSize
    let conversion = SampleConversion(headers.image.bitDepth)
    for plane in 0..<frame.colorCount {
      let held = budget.heldByteCount
      var color: SamplePlane
      if frame.header.isModular {
        let channel = frame.modular.channels[plane]
        guard channel.width != size.width || channel.height != size.height else { continue }
        color = try SamplePlane(width: channel.width, height: channel.height, budget: &budget)
        color.store(
          channel.samples.map(conversion.float), width: channel.width, height: channel.height, x: 0, y: 0)
      } else {
        color = frame.colors[plane]
        guard color.width != size.width || color.height != size.height else { continue }
      }
      rendered.planes[plane] = try ChromaUpsampling.enlarge(color, to: size, budget: &budget)
      budget.settle(heldByteCount: held)
    }
  }

  /// Enlarges the extra channels that are smaller than the frame.
  private func enlargeReduced(
    _ frame: FrameDecoder, _ colorCount: Int, _ rendered: inout RenderedFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    for (index, factor) in frame.header.extraUpsampling.enumerated() where factor != frame.header.upsampling {
      let channel = frame.modular.channels[(frame.header.isModular ? colorCount : 0) + index]
      let conversion = SampleConversion(headers.image.extraChannels[index].bitDepth)
      try budget.allocate(count: channel.samples.count, bytesEach: 4)
      try budget.chargeWork(channel.samples.count)
      rendered.planes[colorCount + index] = try Upsampling(factor, headers.image.transform).enlarge(
        channel.samples.map(conversion.float), PixelSize(width: channel.width, height: channel.height),
        to: frame.header.sampleSize, budget: &budget)
    }
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
