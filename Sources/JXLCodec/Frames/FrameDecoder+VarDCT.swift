// The sections of a VarDCT frame, in the order in which they depend on each other (ISO/IEC 18181-1, G).

internal import ImageCoding

extension FrameDecoder {
  /// Decodes the low-frequency groups, the global HF data and the groups.
  ///
  /// - Parameters:
  ///   - bits: the rest of the first section.
  ///   - source: the low-frequency frame that replaces the LF coefficients of the frame, if it refers to one.
  mutating func decodeVarDCT(
    _ global: GlobalSection, _ varDCT: LowFrequencyGlobal, _ bits: inout BitReader, _ codestream: Span<UInt8>,
    lowFrequencyFrame source: RenderedFrame?, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    for index in global.decodedChannelCount..<modular.channels.count { try modular.channels[index].allocate(&budget) }
    let grid = BlockGrid(header, layout)
    let smooths = !header.flags.contains(.skipsSmoothing) && source == nil
    guard !grid.isReduced || !smooths && source == nil else {
      throw bits.error(.malformed, "a frame with reduced channels smooths its LF coefficients")
    }
    var image = try LowFrequencyImage(
      grid, hasClasses: varDCT.contexts.lowFrequencyClassCount > 1, budget: &budget)
    if !retainedChannels.isEmpty { try image.retainQuantized(budget: &budget) }
    var blocks = try BlockMap(columns: grid.columns, rows: grid.rows, budget: &budget)
    if let source {
      try budget.chargeWork(count: grid.blockCount, unitsEach: 10)
      image.replace(with: source)
    }
    var decodedCount = 0
    for group in 0..<layout.lowFrequencyGroupCount {
      let held = budget.heldByteCount
      do throws(CodecError) {
        if layout.isSingleSection {
          try decodeLowFrequency(group, &bits, global, varDCT, grid, source == nil, &image, &blocks, &budget)
        } else {
          var bits = try section(layout.lowFrequencySection(group), codestream)
          try decodeLowFrequency(group, &bits, global, varDCT, grid, source == nil, &image, &blocks, &budget)
        }
        decodedCount += 1
      } catch {
        try tolerate(error)
        budget.settle(heldByteCount: held)
      }
    }
    if decodedCount == 0, let damage { throw damage }
    guard !grid.isReduced || TransformKind.largeMask & blocks.usedTransforms == 0 else {
      throw bits.error(.malformed, "a frame with reduced channels has large varblocks")
    }
    if smooths {
      let scale = varDCT.quantizer.lowFrequencyScale
      try image.smooth(scales: global.lowFrequencyFactors.map { $0 * scale }, budget: &budget)
    }
    strengths = try EdgeStrengths(header.filter, blocks, varDCT.quantizer, budget: &budget)
    for channel in 0..<(retainedChannels.isEmpty ? 3 : 0) {
      let (right, down) = (grid.horizontalShifts[channel], grid.verticalShifts[channel])
      colors.append(
        try SamplePlane(
          width: (layout.size.width - 1) >> right + 1, height: (layout.size.height - 1) >> down + 1, budget: &budget))
    }
    let highFrequency = try decodeHighFrequencyGlobal(&bits, codestream, blocks, varDCT, global, &budget)
    let frame = try makeFrame(grid, blocks, image, highFrequency, varDCT, &budget)
    guard layout.isSingleSection else {
      return try decodeVarDCTGroups(global, frame, codestream, parallelism, &budget)
    }
    var group = try VarDCTGroup(0, frame, budget: &budget)
    if !highFrequency.passes.isEmpty {
      let shapes = shapes
      let extra = extraPart(0, pass: 0, global, shapes)
      do throws(CodecError) {
        try group.decode(pass: 0, &bits, extra: extra, shapes, global.tree, budget: &budget)
      } catch {
        try tolerate(error)
      }
    }
    try store(try group.reconstruct(budget: &budget), frame, &budget)
  }

  /// Decodes the global HF data. If they are damaged, the coefficients are left out.
  private mutating func decodeHighFrequencyGlobal(
    _ bits: inout BitReader, _ codestream: Span<UInt8>, _ blocks: BlockMap, _ varDCT: LowFrequencyGlobal,
    _ global: GlobalSection, _ budget: inout ResourceBudget
  ) throws(CodecError) -> HighFrequencyGlobal {
    let held = budget.heldByteCount
    do throws(CodecError) {
      if layout.isSingleSection {
        return try HighFrequencyGlobal(parsing: &bits, layout, blocks, varDCT.contexts, global.tree, budget: &budget)
      }
      var bits = try section(layout.highFrequencySection, codestream)
      return try HighFrequencyGlobal(parsing: &bits, layout, blocks, varDCT.contexts, global.tree, budget: &budget)
    } catch {
      try tolerate(error)
      budget.settle(heldByteCount: held)
      return try HighFrequencyGlobal(defaultsFor: blocks, budget: &budget)
    }
  }

  /// Collects what the groups share, and allocates their coefficients if these are retained.
  private mutating func makeFrame(
    _ grid: BlockGrid, _ blocks: BlockMap, _ image: LowFrequencyImage, _ highFrequency: HighFrequencyGlobal,
    _ varDCT: LowFrequencyGlobal, _ budget: inout ResourceBudget
  ) throws(CodecError) -> VarDCTFrame {
    var frame = VarDCTFrame(grid, blocks, image, highFrequency, varDCT, header, self.image)
    if !retainedChannels.isEmpty {
      frame.retainsCoefficients = true
      coefficients = try JPEGCoefficients(frame, header, channels: retainedChannels, budget: &budget)
    }
    return frame
  }

  /// Copies the samples, or the coefficients, of a group to their places.
  private mutating func store(
    _ decoded: VarDCTGroup.Decoded, _ frame: VarDCTFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    decoded.store(into: &colors, frame.grid, &modular)
    if let group = decoded.coefficients {
      try coefficients?.store(group, decoded.region, frame, budget: &budget)
    }
  }

  /// Decodes a low-frequency group.
  private mutating func decodeLowFrequency(
    _ index: Int, _ bits: inout BitReader, _ global: GlobalSection, _ varDCT: LowFrequencyGlobal, _ grid: BlockGrid,
    _ hasCoefficients: Bool, _ image: inout LowFrequencyImage, _ blocks: inout BlockMap,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let group = LowFrequencyGroup(index, layout, grid, global.tree)
    if hasCoefficients {
      try group.decodeCoefficients(
        &bits, varDCT, factors: global.lowFrequencyFactors, into: &image, budget: &budget)
    }
    let part = ModularGroup(lowFrequency: index, layout, firstChannel: global.decodedChannelCount)
    if part.isUsed(modular) {
      let decoded = try part.decode(&bits, shapes, global.tree, budget: &budget)
      decoded.store(into: &modular)
      decoded.release(&budget)
    }
    try group.decodeBlocks(&bits, into: &blocks, budget: &budget)
  }

  /// The channels without samples.
  private var shapes: ModularImage {
    var shapes = modular
    for index in shapes.channels.indices { shapes.channels[index].samples = [] }
    return shapes
  }

  /// The part of the extra channels that a section contains.
  private func extraPart(_ group: Int, pass: Int, _ global: GlobalSection, _ shapes: ModularImage) -> ModularGroup? {
    guard let shifts = header.passes.channelShifts(ofPass: pass) else { return nil }
    let part = ModularGroup(
      group, pass: pass, shifts: shifts, layout, firstChannel: global.decodedChannelCount)
    return part.isUsed(shapes) ? part : nil
  }

  private mutating func decodeVarDCTGroups(
    _ global: GlobalSection, _ frame: VarDCTFrame, _ codestream: Span<UInt8>, _ parallelism: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (shapes, tree, tolerates) = (shapes, global.tree, toleratesDamage)
    let passes = frame.highFrequency.passes.indices
    try budget.chargeWorkInParts(
      count: layout.groupCount * layout.passCount, unitsEach: 200 + 4 * shapes.channels.count)
    let batchSize = parallelism > 1 ? 2 * parallelism : 1
    for start in stride(from: 0, to: layout.groupCount, by: batchSize) {
      let held = budget.heldByteCount
      let batch = start..<min(start + batchSize, layout.groupCount)
      if batch.count == 1 {
        var group = try VarDCTGroup(start, frame, budget: &budget)
        for pass in passes {
          do throws(CodecError) {
            var bits = try section(layout.section(ofGroup: start, pass: pass), codestream)
            let extra = extraPart(start, pass: pass, global, shapes)
            try group.decode(pass: pass, &bits, extra: extra, shapes, tree, budget: &budget)
          } catch {
            try tolerate(error)
            break
          }
        }
        try store(try group.reconstruct(budget: &budget), frame, &budget)
        budget.settle(heldByteCount: held)
        continue
      }
      var inputs: [[(offset: Int, bytes: [UInt8], extra: ModularGroup?)]] = []
      var missing = [CodecError?](repeating: nil, count: batch.count)
      for group in batch {
        var sections: [(offset: Int, bytes: [UInt8], extra: ModularGroup?)] = []
        for pass in passes {
          do throws(CodecError) {
            let copy = try copyOfSection(layout.section(ofGroup: group, pass: pass), codestream, &budget)
            sections.append((copy.offset, copy.bytes, extraPart(group, pass: pass, global, shapes)))
          } catch {
            guard tolerates, error.isDamage else { throw error }
            missing[group - start] = error
            break
          }
        }
        inputs.append(sections)
      }
      let sections = inputs
      let results = try parallelResults(count: batch.count, parallelism: parallelism, &budget) {
        (index, budget) throws(CodecError) -> (VarDCTGroup.Decoded, CodecError?) in
        var group = try VarDCTGroup(start + index, frame, budget: &budget)
        var damage: CodecError?
        for (pass, section) in sections[index].enumerated() {
          do throws(CodecError) {
            var bits = BitReader(section.bytes.span, baseOffset: section.offset)
            try group.decode(pass: pass, &bits, extra: section.extra, shapes, tree, budget: &budget)
          } catch {
            guard tolerates, error.isDamage else { throw error }
            damage = error
            break
          }
        }
        return (try group.reconstruct(budget: &budget), damage)
      }
      for (index, (decoded, damage)) in results.enumerated() {
        if let error = damage ?? missing[index] { try tolerate(error) }
        try store(decoded, frame, &budget)
      }
      budget.settle(heldByteCount: held)
    }
  }
}
