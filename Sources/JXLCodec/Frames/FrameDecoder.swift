// One frame: its sections, in the order in which they depend on each other (ISO/IEC 18181-1, F.1 and G).

internal import ImageCoding

/// Decodes the channels of a frame, before any filter and colour transform.
struct FrameDecoder {
  let image: ImageHeader
  let header: FrameHeader
  let layout: FrameLayout
  let sections: FrameSections
  /// The colour channels and extra channels of a Modular frame, or the extra channels of a VarDCT frame.
  var modular: ModularImage
  /// The colours of a VarDCT frame: X, Y and B, or Cb, Y and Cr, which may be reduced.
  var colors: [SamplePlane] = []
  /// The region whose samples are wanted; `nil` for all. Others may be zeros.
  var region: PixelRegion?
  /// The factor by which the picture may be reduced afterwards, for which fewer passes may suffice.
  var reductionFactor = 1
  /// The greatest binary logarithm of a factor by which the channels of a Modular frame may be reduced.
  var maximumLevel = 0
  /// The binary logarithm of the factor by which they are reduced.
  private(set) var level = 0
  /// Whether what is damaged is left out: groups, or the rest of a section.
  var toleratesDamage = false
  /// The first damage that was tolerated.
  private(set) var damage: CodecError?
  /// The channels of a VarDCT frame of which the quantised coefficients are retained. Then its colours are not
  /// reconstructed.
  var retainedChannels: [Int] = []
  /// The quantised coefficients, if they are retained.
  var coefficients: JPEGCoefficients?
  /// The strength of the edge-preserving filter.
  var strengths: EdgeStrengths
  private(set) var patches: PatchDictionary?
  private(set) var splines: SplineDictionary?
  private(set) var noise: NoiseParameters?
  /// The factors of X, Y and B.
  private(set) var colorFactors: [Float] = []
  /// The correlation of X and B with Y.
  private(set) var correlation = ColorCorrelation()
  /// The data of the groups of a VarDCT frame, if they are decoded on demand, by ``decodeGroups(_:_:_:_:)``.
  var groups: VarDCTGroups?

  /// Reads the header and the table of contents, which start at an offset in the codestream.
  init(
    parsing codestream: Span<UInt8>, at offset: Int, image: ImageHeader, canvas: PixelSize,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self.image = image
    guard offset < codestream.count else {
      throw CodecError(
        .truncated, "the codestream ends before its last frame", format: JXLDecoder.type, byteOffset: codestream.count)
    }
    var bits = BitReader(codestream.extracting(offset..<codestream.count), baseOffset: offset)
    header = try FrameHeader(parsing: &bits, image: image, canvas: canvas)
    layout = FrameLayout(header)
    strengths = EdgeStrengths(header.filter)
    guard let sectionCount = layout.sectionCount else { throw bits.error(.malformed, "a frame has too many groups") }
    let table = try TableOfContents(parsing: &bits, sectionCount: sectionCount, budget: &budget)
    sections = FrameSections(table, start: offset + bits.bytePosition)
    modular = ModularImage(bitCount: image.bitDepth.bitCount)
  }

  /// The offset in the codestream of the next frame.
  var end: Int { sections.end }

  /// Allows the work of a Modular frame, which is far more for each pixel than that of other formats, as its bytes pay
  /// for it.
  func allowWork(_ budget: inout ResourceBudget) {
    let size = header.codedSize
    budget.allowWork(
      forPixelCount: size.width * size.height, unitsEach: Self.workPerSample * (colorCount + image.extraChannels.count),
      byteCount: sections.byteCount)
  }

  /// More than a sample of a channel costs.
  private static let workPerSample = 150

  /// Decodes all sections.
  ///
  /// - Parameter inBands: whether the groups of a VarDCT frame are left for later if there are several and they suffice
  ///   for the samples; then ``groups`` is set.
  mutating func decode(
    _ codestream: Span<UInt8>, _ slots: ReferenceSlots, inBands: Bool = false, parallelism: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    try checkFeatures()
    addChannels()
    try budget.chargeWork(1000)
    let held = budget.heldByteCount
    var reader = try section(0, codestream)
    let global = try GlobalSection(
      parsing: &reader, header, image, &modular, layout, slots, channels: .reduced(maximumLevel: maximumLevel), &budget)
    level = global.level
    patches = global.patches
    splines = global.splines
    noise = global.noise
    colorFactors = global.lowFrequencyFactors
    if let damage = global.damage {
      try tolerate(damage)
      // The LF coefficients would follow in the same section.
      if global.varDCT != nil, layout.isSingleSection { throw damage }
    }
    if let varDCT = global.varDCT {
      correlation = varDCT.correlation
      let frame = try decodeLowFrequencies(
        global, varDCT, &reader, codestream, lowFrequencyFrame: try lowFrequencyFrame(slots), parallelism, &budget)
      let plan = VarDCTGroups(frame: frame, tree: global.tree, firstChannel: global.decodedChannelCount)
      if inBands, !layout.isSingleSection, global.stream?.hasTransforms != true {
        groups = plan
        return
      }
      try decodeAllGroups(plan, global, &reader, codestream, parallelism, &budget)
    } else if layout.isSingleSection {
      if global.damage == nil { try decodeSingleGroup(global, &reader, &budget) }
    } else {
      try decodeGroups(global, codestream, parallelism, &budget)
    }
    try global.stream?.undoTransforms(&modular, budget: &budget)
    guard modular.channels.count == image.extraChannels.count + (header.isModular ? colorCount : 0) else {
      throw CodecError(
        .malformed, "the transforms of a frame change its channels", format: JXLDecoder.type,
        byteOffset: reader.byteOffset)
    }
    budget.settle(heldByteCount: held + sampleByteCount)
  }

  /// The memory of the samples.
  var sampleByteCount: Int {
    modular.channels.reduce(strengths.byteCount) { $0 + $1.samples.count * 4 } + colors.reduce(0) { $0 + $1.byteCount }
      + (coefficients?.byteCount ?? 0)
  }

  /// The channel of opacity of the whole frame, and the conversion of its samples.
  var alpha: (channel: ModularChannel, conversion: SampleConversion)? {
    guard let index = image.alphaIndex else { return nil }
    let channel = modular.channels[index + (header.isModular ? colorCount : 0)]
    return (channel, SampleConversion(image.extraChannels[index].bitDepth))
  }

  /// Frees the samples, which have been converted and whose memory has been credited.
  mutating func free() {
    modular.channels = []
    colors = []
  }

  /// The number of colour channels.
  var colorCount: Int {
    !header.isModular || image.isXYB || header.isYCbCr || image.colorEncoding.model != .gray ? 3 : 1
  }

  @_lifetime(copy codestream)
  func section(_ index: Int, _ codestream: Span<UInt8>) throws(CodecError) -> BitReader {
    let range = try sectionRange(index, codestream)
    return BitReader(codestream.extracting(range), baseOffset: range.lowerBound)
  }

  /// Returns a copy of a section, for a thread, to which spans cannot be passed, and its offset.
  func copyOfSection(
    _ index: Int, _ codestream: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (offset: Int, bytes: [UInt8]) {
    let range = try sectionRange(index, codestream)
    try budget.allocate(range.count)
    try budget.chargeWork(range.count / 4)
    return (range.lowerBound, Array(copying: codestream.extracting(range)))
  }

  private func sectionRange(_ index: Int, _ codestream: Span<UInt8>) throws(CodecError) -> Range<Int> {
    try sections.range(index, in: codestream, isPartial: toleratesDamage)
  }

  /// Records damage, or throws it if it is not tolerated.
  mutating func tolerate(_ error: CodecError) throws(CodecError) {
    guard toleratesDamage, error.isDamage else { throw error }
    damage = damage ?? error
  }

  /// The frame that contains the LF coefficients, if the header refers to one.
  func lowFrequencyFrame(_ slots: ReferenceSlots) throws(CodecError) -> RenderedFrame? {
    guard header.flags.contains(.usesLowFrequencyFrame) else { return nil }
    let grid = BlockGrid(header, layout)
    guard let frame = slots.lowFrequencyFrame(level: header.lowFrequencyLevel + 1), frame.planes.count >= 3,
      frame.width == grid.columns, frame.height == grid.rows
    else {
      throw CodecError(
        .malformed, "a frame has no low-frequency frame of an eighth of its size", format: JXLDecoder.type,
        byteOffset: sections.start)
    }
    return frame
  }

  private func checkFeatures() throws(CodecError) {
    func unsupported(_ feature: String) -> CodecError {
      CodecError(.unsupported, "\(feature) are not supported", format: JXLDecoder.type)
    }
    if header.flags.contains(.noise), colorCount != 3 { throw unsupported("grey frames with noise") }
    if header.flags.contains(.patches), header.extraUpsampling.contains(where: { $0 != header.upsampling }),
      header.upsampling != 1
    {
      throw unsupported("patches of frames with extra channels that are upsampled more than the colours")
    }
  }

  mutating func addChannels() {
    let size = layout.size
    if header.isModular {
      let grid = BlockGrid(header, layout)
      for plane in 0..<colorCount {
        let (right, down) = (grid.horizontalShifts[plane], grid.verticalShifts[plane])
        modular.channels.append(
          ModularChannel(
            width: (size.width - 1) >> right + 1, height: (size.height - 1) >> down + 1, horizontalShift: right,
            verticalShift: down))
      }
    }
    for factor in header.extraUpsampling {
      let shift = factor.trailingZeroBitCount - header.upsampling.trailingZeroBitCount
      let full = header.sampleSize
      modular.channels.append(
        ModularChannel(
          width: (full.width - 1) / factor + 1, height: (full.height - 1) / factor + 1, horizontalShift: shift,
          verticalShift: shift))
    }
  }

  // MARK: Groups

  /// Decodes a frame of one group, whose parts follow one another.
  private mutating func decodeSingleGroup(
    _ global: GlobalSection, _ bits: inout BitReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    for part in groupParts(global, modular) {
      let decoded = try part.decode(&bits, modular, global.tree, budget: &budget)
      store(decoded, &budget)
      if let damage = decoded.damage { return try tolerate(damage) }
    }
  }

  /// The passes of a VarDCT frame that are decoded.
  var neededPasses: Range<Int> {
    // Later passes may contain extra channels.
    0..<(image.extraChannels.isEmpty ? header.passes.count(forReductionBy: reductionFactor) : header.passes.count)
  }

  /// The groups that have samples that are wanted.
  var neededGroups: [Int] { region.map { FrameRegion($0, layout).groups(layout) } ?? Array(0..<layout.groupCount) }

  /// The parts of groups that are decoded.
  private func groupParts(_ global: GlobalSection, _ shapes: ModularImage) -> [ModularGroup] {
    let reach = global.stream?.reach ?? .sample
    let region = reach == .squeezed ? region.map { SqueezedRegion($0, layout) } : nil
    var parts: [ModularGroup] = []
    for group in 0..<layout.lowFrequencyGroupCount {
      parts.append(ModularGroup(lowFrequency: group, layout, firstChannel: global.decodedChannelCount))
    }
    let groups = reach > .sample ? Array(0..<layout.groupCount) : neededGroups
    for pass in 0..<layout.passCount {
      guard let shifts = header.passes.channelShifts(ofPass: pass) else { continue }
      for group in groups {
        parts.append(
          ModularGroup(group, pass: pass, shifts: shifts, layout, firstChannel: global.decodedChannelCount))
      }
    }
    return parts.filter { part in region.map { part.isUsed(shapes, in: $0) } ?? part.isUsed(shapes) }
  }

  private mutating func decodeGroups(
    _ global: GlobalSection, _ codestream: Span<UInt8>, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    for index in global.decodedChannelCount..<modular.channels.count where modular.channels[index].isNeeded {
      try modular.channels[index].allocate(&budget)
    }
    var shapes = modular
    for index in shapes.channels.indices { shapes.channels[index].samples = [] }
    // Each group looks for its parts of all channels, here and when it is decoded.
    try budget.chargeWorkInParts(
      count: layout.groupCount * (layout.passCount + 1), unitsEach: 200 + 4 * shapes.channels.count)
    let parts = groupParts(global, shapes)
    let (tree, tolerates) = (global.tree, toleratesDamage)
    var decodedCount = 0
    let batchSize = parallelism > 1 ? 2 * parallelism : 1
    for start in stride(from: 0, to: parts.count, by: batchSize) {
      let batch = Array(parts[start..<min(start + batchSize, parts.count)])
      let held = budget.heldByteCount
      guard batch.count > 1 else {
        do throws(CodecError) {
          var bits = try section(batch[0].section, codestream)
          let decoded = try batch[0].decode(&bits, shapes, tree, budget: &budget)
          store(decoded, &budget)
          decodedCount += 1
          if let damage = decoded.damage { throw damage }
        } catch {
          try tolerate(error)
          budget.settle(heldByteCount: held)
        }
        continue
      }
      var copies: [(offset: Int, bytes: [UInt8], error: CodecError?)] = []
      for part in batch {
        do throws(CodecError) {
          let copy = try copyOfSection(part.section, codestream, &budget)
          copies.append((copy.offset, copy.bytes, nil))
        } catch {
          guard tolerates, error.isDamage else { throw error }
          copies.append((0, [], error))
        }
      }
      let (inputs, channels) = (copies, shapes)
      let results = try parallelResults(count: batch.count, parallelism: parallelism, &budget) {
        (index, budget) throws(CodecError) -> (ModularGroup.Decoded?, CodecError?) in
        let (input, held) = (inputs[index], budget.heldByteCount)
        if let error = input.error { return (nil, error) }
        do throws(CodecError) {
          var bits = BitReader(input.bytes.span, baseOffset: input.offset)
          return (try batch[index].decode(&bits, channels, tree, budget: &budget), nil)
        } catch {
          guard tolerates, error.isDamage else { throw error }
          budget.settle(heldByteCount: held)
          return (nil, error)
        }
      }
      for (decoded, error) in results {
        if let error = error ?? decoded?.damage { try tolerate(error) }
        guard let decoded else { continue }
        store(decoded, &budget)
        decodedCount += 1
      }
      budget.settle(heldByteCount: held)
    }
    if decodedCount == 0, global.decodedChannelCount == 0, let damage { throw damage }
  }

  private mutating func store(_ decoded: ModularGroup.Decoded, _ budget: inout ResourceBudget) {
    decoded.store(into: &modular)
    decoded.release(&budget)
  }
}
