// Reduced pictures: an eighth of the size, from the LF coefficients of a VarDCT frame, which are the means of blocks of
// 8 × 8 samples, or powers of two, from the averages of squeezed channels.

internal import ImageCoding

extension FrameSequence {
  /// Returns the first picture reduced to an eighth, rounded up; `nil` if its LF coefficients are not all of it. The
  /// memory of the picture remains charged.
  mutating func nextReducedPicture(
    _ codestream: Span<UInt8>, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame? {
    let held = budget.heldByteCount
    var frame = try nextFrame(codestream, &budget)
    guard canBeReduced(frame.header) else {
      budget.settle(heldByteCount: held)
      return nil
    }
    frame.toleratesDamage = toleratesDamage
    guard var picture = try frame.decodeReduced(codestream, parallelism: parallelism, budget: &budget) else {
      budget.settle(heldByteCount: held)
      return nil
    }
    damage = damage ?? frame.damage
    try transformColors(&picture, frame.header, &budget)
    budget.settle(heldByteCount: held + picture.byteCount)
    return picture
  }

  /// Whether nothing but blocks, and noise, whose mean is zero, contributes to the pixels of a frame.
  private func canBeReduced(_ header: FrameHeader) -> Bool {
    canBeRenderedInBands(header) && isAtFullSize(header) && header.flags.isDisjoint(with: [.patches, .splines])
      && !header.flags.contains(.usesLowFrequencyFrame)
      && headers.image.extraChannels.isEmpty
  }

  /// Whether nothing but the channels of a Modular frame contributes to its pixels. Filters are left out of reduced
  /// pictures.
  func canBeReducedByLevels(_ header: FrameHeader) -> Bool {
    header.isModular && !needsExtraChannels && header.isLast && header.isPicture && replacesCanvas(header)
      && header.flags.isDisjoint(with: [.noise, .patches, .splines])
      && isAtFullSize(header) && !header.isYCbCr
      && !headers.image.extraChannels.contains { $0.isSpot }
  }

  /// Returns the picture that the reduced channels of a frame are. Its memory remains charged.
  func reducedPicture(_ frame: FrameDecoder, _ budget: inout ResourceBudget) throws(CodecError) -> Picture {
    guard headers.image.isXYB, let channel = frame.modular.channels.first else { return .samples(frame.modular) }
    let size = PixelSize(width: channel.width, height: channel.height)
    var picture = try RenderedFrame(size, planeCount: frame.modular.channels.count, budget: &budget)
    var samples = SampleStage(frame)
    try samples.run(on: &picture, budget: &budget)
    try transformColors(&picture, frame.header, &budget)
    budget.release(frame.sampleByteCount)
    return .rendered(picture)
  }
}

extension FrameDecoder {
  /// Decodes the LF coefficients of a frame without extra channels. Returns `nil` if they are damaged or the frame has
  /// none.
  fileprivate mutating func decodeReduced(
    _ codestream: Span<UInt8>, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> RenderedFrame? {
    addChannels()
    try budget.chargeWork(1000)
    let slots = ReferenceSlots()
    var reader = try section(0, codestream)
    let global = try GlobalSection(parsing: &reader, header, image, &modular, layout, slots, &budget)
    guard let varDCT = global.varDCT, global.damage == nil else { return nil }
    let frame = try decodeLowFrequencies(
      global, varDCT, &reader, codestream, lowFrequencyFrame: nil, parallelism, &budget)
    return try frame.lowFrequency.picture(
      PixelSize(width: (layout.size.width + 7) / 8, height: (layout.size.height + 7) / 8), budget: &budget)
  }
}

extension LowFrequencyImage {
  /// Returns the coefficients as a picture, without those of blocks beyond its edges. Reduced channels are enlarged.
  fileprivate func picture(_ size: PixelSize, budget: inout ResourceBudget) throws(CodecError) -> RenderedFrame {
    var picture = try RenderedFrame(size, planeCount: 3, budget: &budget)
    for plane in 0..<3 {
      let channel = try channel(plane, within: size, budget: &budget)
      if channel.width < size.width || channel.height < size.height {
        picture.planes[plane] = try ChromaUpsampling.enlarge(channel, to: size, budget: &budget)
      } else {
        picture.store(channel, plane: plane, x: 0, y: 0)
      }
    }
    return picture
  }

  /// Returns the coefficients of a channel, without those beyond a size.
  private func channel(
    _ plane: Int, within size: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) -> SamplePlane {
    var channel = try SamplePlane(
      width: min(columns[plane], size.width), height: min(rows[plane], size.height), budget: &budget)
    channel.store(planes[plane], width: columns[plane], height: rows[plane], x: 0, y: 0)
    return channel
  }
}
