// The groups of a VarDCT frame (ISO/IEC 18181-1, G.4).

internal import ImageCoding

/// The data that the groups of a VarDCT frame share.
struct VarDCTGroups: Sendable {
  let frame: VarDCTFrame
  /// The decision tree of the frame.
  let tree: DecisionTree?
  /// The first extra channel that is coded in groups.
  let firstChannel: Int
}

extension FrameDecoder {
  /// Decodes groups that were left for later, and returns the planes of the colours of each. The memory of the planes
  /// remains charged.
  mutating func decodeGroups(
    _ batch: Range<Int>, _ codestream: Span<UInt8>, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [[SamplePlane]] {
    guard let plan = groups else { return [] }
    var planes: [[SamplePlane]] = []
    for decoded in try decodeGroups(batch, plan, codestream, parallelism, &budget) {
      for extra in decoded.extras {
        extra.store(into: &modular)
        extra.release(&budget)
      }
      planes.append(decoded.planes)
    }
    return planes
  }

  /// Decodes groups. Of damaged ones, the passes before the damage remain.
  mutating func decodeGroups(
    _ batch: Range<Int>, _ plan: VarDCTGroups, _ codestream: Span<UInt8>, _ parallelism: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [VarDCTGroup.Decoded] {
    let shapes = shapes
    try budget.chargeWorkInParts(
      count: batch.count * layout.passCount, unitsEach: 200 + 4 * shapes.channels.count)
    guard parallelism > 1, batch.count > 1 else {
      var results: [VarDCTGroup.Decoded] = []
      for index in batch { results.append(try decodeGroup(index, plan, shapes, codestream, &budget)) }
      return results
    }
    var inputs: [GroupInput] = []
    for index in batch { inputs.append(try copyGroup(index, plan, shapes, codestream, &budget)) }
    let (sections, tolerates) = (inputs, toleratesDamage)
    let results = try parallelResults(count: batch.count, parallelism: parallelism, &budget) {
      (index, budget) throws(CodecError) -> (VarDCTGroup.Decoded, CodecError?) in
      var group = try VarDCTGroup(batch.lowerBound + index, plan.frame, budget: &budget)
      var damage: CodecError?
      for (pass, section) in sections[index].sections.enumerated() {
        do throws(CodecError) {
          var bits = BitReader(section.bytes.span, baseOffset: section.offset)
          try group.decode(pass: pass, &bits, extra: section.extra, shapes, plan.tree, budget: &budget)
        } catch {
          guard tolerates, error.isDamage else { throw error }
          damage = error
          break
        }
      }
      return (try group.reconstruct(budget: &budget), damage)
    }
    for input in inputs { budget.release(input.sections.reduce(0) { $0 + $1.bytes.count }) }
    for (index, (_, damage)) in results.enumerated() {
      if let error = damage ?? inputs[index].damage { try tolerate(error) }
    }
    return results.map(\.0)
  }

  private mutating func decodeGroup(
    _ index: Int, _ plan: VarDCTGroups, _ shapes: ModularImage, _ codestream: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> VarDCTGroup.Decoded {
    var group = try VarDCTGroup(index, plan.frame, budget: &budget)
    for pass in plan.frame.highFrequency.passes.indices {
      do throws(CodecError) {
        var bits = try section(layout.section(ofGroup: index, pass: pass), codestream)
        let extra = extraPart(index, pass: pass, plan, shapes)
        try group.decode(pass: pass, &bits, extra: extra, shapes, plan.tree, budget: &budget)
      } catch {
        try tolerate(error)
        break
      }
    }
    return try group.reconstruct(budget: &budget)
  }

  /// The sections of a group, for a thread.
  private struct GroupInput: Sendable {
    /// The sections of the passes up to damage.
    var sections: [(offset: Int, bytes: [UInt8], extra: ModularGroup?)] = []
    var damage: CodecError?
  }

  private func copyGroup(
    _ index: Int, _ plan: VarDCTGroups, _ shapes: ModularImage, _ codestream: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> GroupInput {
    var input = GroupInput()
    for pass in plan.frame.highFrequency.passes.indices {
      do throws(CodecError) {
        let copy = try copyOfSection(layout.section(ofGroup: index, pass: pass), codestream, &budget)
        input.sections.append((copy.offset, copy.bytes, extraPart(index, pass: pass, plan, shapes)))
      } catch {
        guard toleratesDamage, error.isDamage else { throw error }
        input.damage = error
        break
      }
    }
    return input
  }

  /// The part of the extra channels that a section contains.
  func extraPart(_ group: Int, pass: Int, _ plan: VarDCTGroups, _ shapes: ModularImage) -> ModularGroup? {
    guard let shifts = header.passes.channelShifts(ofPass: pass) else { return nil }
    let part = ModularGroup(group, pass: pass, shifts: shifts, layout, firstChannel: plan.firstChannel)
    return part.isUsed(shapes) ? part : nil
  }
}
