// The sections of a VarDCT frame, in the order in which they depend on each other (ISO/IEC 18181-1, G).

internal import ImageCoding

extension FrameDecoder {
  /// Decodes the low-frequency groups and the global HF data, and returns what the groups share.
  ///
  /// - Parameters:
  ///   - bits: the rest of the first section.
  ///   - source: the low-frequency frame that replaces the LF coefficients of the frame, if it refers to one.
  mutating func decodeLowFrequencies(
    _ global: GlobalSection, _ varDCT: LowFrequencyGlobal, _ bits: inout BitReader, _ codestream: Span<UInt8>,
    lowFrequencyFrame source: RenderedFrame?, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> VarDCTFrame {
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
    let groups = (0..<layout.lowFrequencyGroupCount).map { LowFrequencyGroup($0, layout, grid, global.tree) }
    var decodedCount = 0
    let batchSize = parallelism > 1 ? 2 * parallelism : 1
    for start in stride(from: 0, to: groups.count, by: batchSize) {
      let held = budget.heldByteCount
      let batch = Array(groups[start..<min(start + batchSize, groups.count)])
      let parts = try decodeLowFrequencyGroups(
        batch, &bits, codestream, hasCoefficients: source == nil, firstChannel: global.decodedChannelCount, parallelism,
        &budget)
      for (group, part) in zip(batch, parts) {
        part.extra?.store(into: &modular)
        do throws(CodecError) {
          try group.store(
            part, varDCT, factors: global.lowFrequencyFactors, into: &image, &blocks, budget: &budget)
          if let damage = part.damage { throw damage }
          decodedCount += 1
        } catch {
          try tolerate(error)
        }
      }
      budget.settle(heldByteCount: held)
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
    let highFrequency = try decodeHighFrequencyGlobal(&bits, codestream, blocks, varDCT, global, &budget)
    return try makeFrame(grid, blocks, image, highFrequency, varDCT, &budget)
  }

  /// Decodes all groups to whole planes.
  mutating func decodeAllGroups(
    _ plan: VarDCTGroups, _ global: GlobalSection, _ bits: inout BitReader, _ codestream: Span<UInt8>,
    _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (frame, grid) = (plan.frame, plan.frame.grid)
    for channel in 0..<(retainedChannels.isEmpty ? 3 : 0) {
      let (right, down) = (grid.horizontalShifts[channel], grid.verticalShifts[channel])
      colors.append(
        try SamplePlane(
          width: (layout.size.width - 1) >> right + 1, height: (layout.size.height - 1) >> down + 1, budget: &budget))
    }
    guard layout.isSingleSection else {
      let batchSize = parallelism > 1 ? 2 * parallelism : 1
      let groups = global.stream.map { $0.reach > .sample } == true ? Array(0..<layout.groupCount) : neededGroups
      for start in stride(from: 0, to: groups.count, by: batchSize) {
        let held = budget.heldByteCount
        let batch = Array(groups[start..<min(start + batchSize, groups.count)])
        for decoded in try decodeGroups(batch, plan, codestream, parallelism, &budget) {
          try store(decoded, frame, &budget)
        }
        budget.settle(heldByteCount: held)
      }
      return
    }
    var group = try VarDCTGroup(0, frame, budget: &budget)
    if !frame.highFrequency.passes.isEmpty {
      let shapes = shapes
      let extra = extraPart(0, pass: 0, plan, shapes)
      do throws(CodecError) {
        try group.decode(pass: 0, &bits, extra: extra, shapes, plan.tree, budget: &budget)
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
  mutating func store(
    _ decoded: VarDCTGroup.Decoded, _ frame: VarDCTFrame, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    decoded.store(into: &colors, frame.grid, &modular)
    if let group = decoded.coefficients {
      try coefficients?.store(group, decoded.region, frame, budget: &budget)
    }
  }

  /// Decodes low-frequency groups, on several threads on request.
  private func decodeLowFrequencyGroups(
    _ groups: [LowFrequencyGroup], _ bits: inout BitReader, _ codestream: Span<UInt8>, hasCoefficients: Bool,
    firstChannel: Int, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [LowFrequencyGroup.Decoded] {
    let (layout, shapes) = (layout, shapes)
    func extra(_ group: LowFrequencyGroup) -> ModularGroup {
      ModularGroup(lowFrequency: group.index, layout, firstChannel: firstChannel)
    }
    if layout.isSingleSection {
      return [
        try groups[0].decode(
          &bits, hasCoefficients: hasCoefficients, extra: extra(groups[0]), shapes, budget: &budget)
      ]
    }
    var results: [LowFrequencyGroup.Decoded] = []
    guard groups.count > 1 else {
      for group in groups {
        do throws(CodecError) {
          var bits = try section(layout.lowFrequencySection(group.index), codestream)
          results.append(
            try group.decode(
              &bits, hasCoefficients: hasCoefficients, extra: extra(group), shapes, budget: &budget))
        } catch {
          guard error.isDamage else { throw error }
          results.append(LowFrequencyGroup.Decoded(damage: error))
        }
      }
      return results
    }
    var inputs: [(offset: Int, bytes: [UInt8], damage: CodecError?)] = []
    for group in groups {
      do throws(CodecError) {
        let copy = try copyOfSection(layout.lowFrequencySection(group.index), codestream, &budget)
        inputs.append((copy.offset, copy.bytes, nil))
      } catch {
        guard error.isDamage else { throw error }
        inputs.append((0, [], error))
      }
    }
    let (sections, extras) = (inputs, groups.map(extra))
    return try parallelResults(count: groups.count, parallelism: parallelism, &budget) {
      (index, budget) throws(CodecError) -> LowFrequencyGroup.Decoded in
      let input = sections[index]
      if let damage = input.damage { return LowFrequencyGroup.Decoded(damage: damage) }
      var bits = BitReader(input.bytes.span, baseOffset: input.offset)
      return try groups[index].decode(
        &bits, hasCoefficients: hasCoefficients, extra: extras[index], shapes, budget: &budget)
    }
  }

  /// The channels without samples.
  var shapes: ModularImage {
    var shapes = modular
    for index in shapes.channels.indices { shapes.channels[index].samples = [] }
    return shapes
  }
}
