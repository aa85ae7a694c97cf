// The groups of a VarDCT frame (ISO/IEC 18181-1, G.4).

internal import ImageCoding
internal import Threading

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
  ///
  /// - Parameter spare: the planes of other groups, in reverse order, whose memory is used if possible.
  mutating func decodeGroups(
    _ batch: [Int], reusing spare: consuming [[SamplePlane]], _ codestream: Span<UInt8>, _ parallelism: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [[SamplePlane]] {
    guard let plan = groups else { return [] }
    var planes: [[SamplePlane]] = []
    for decoded in try decodeGroups(batch, plan, reusing: spare, codestream, parallelism, &budget) {
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
    _ batch: [Int], _ plan: VarDCTGroups, reusing spare: consuming [[SamplePlane]] = [],
    _ codestream: Span<UInt8>, _ parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [VarDCTGroup.Decoded] {
    let shapes = shapes
    try budget.chargeWorkInParts(
      count: batch.count * layout.passCount, unitsEach: 200 + 4 * shapes.channels.count)
    guard parallelism > 1, batch.count > 1 else {
      return try decodeInOrder(batch, plan, reusing: spare, shapes, codestream, &budget)
    }
    var inputs: [GroupInput] = []
    for index in batch { inputs.append(try copyGroup(index, plan, shapes, codestream, &budget)) }
    let (sections, tolerates) = (inputs, toleratesDamage)
    let planes = Mutex(spare)
    // Coefficients that are zeros again, for the next groups of the same size.
    let coefficients = Mutex([GroupCoefficients]())
    let results = try parallelResults(count: batch.count, parallelism: parallelism, &budget) {
      (index, budget) throws(CodecError) -> (decoded: VarDCTGroup.Decoded, damage: CodecError?) in
      let region = plan.frame.grid.region(ofGroup: batch[index])
      let reusable = coefficients.withLock { list in
        list.lastIndex { $0.fits(region, plan.frame.grid) }.map { list.remove(at: $0) }
      }
      var group = try VarDCTGroup(batch[index], plan.frame, reusing: reusable, budget: &budget)
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
      let reused = planes.withLock { $0.popLast() ?? [] }
      let decoded = try group.reconstruct(into: reused, budget: &budget)
      if !plan.frame.retainsCoefficients {
        let cleared = group.takeCoefficients()
        coefficients.withLock { $0.append(cleared) }
      }
      return (decoded, damage)
    }
    budget.release(coefficients.withLock { $0.reduce(0) { $0 + $1.byteCount } })
    for input in inputs { budget.release(input.sections.reduce(0) { $0 + $1.bytes.count }) }
    for (index, result) in results.enumerated() {
      if let error = result.damage ?? inputs[index].damage { try tolerate(error) }
    }
    return results.map { $0.decoded }
  }

  /// Decodes groups on this thread.
  private mutating func decodeInOrder(
    _ batch: [Int], _ plan: VarDCTGroups, reusing spare: consuming [[SamplePlane]], _ shapes: ModularImage,
    _ codestream: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [VarDCTGroup.Decoded] {
    var planes = spare
    var coefficients: GroupCoefficients?
    var results: [VarDCTGroup.Decoded] = []
    for index in batch {
      var group = try VarDCTGroup(index, plan.frame, reusing: coefficients.take(), budget: &budget)
      for pass in plan.frame.highFrequency.passes.indices.clamped(to: neededPasses) {
        do throws(CodecError) {
          var bits = try section(layout.section(ofGroup: index, pass: pass), codestream)
          let extra = extraPart(index, pass: pass, plan, shapes)
          try group.decode(pass: pass, &bits, extra: extra, shapes, plan.tree, budget: &budget)
        } catch {
          try tolerate(error)
          break
        }
      }
      results.append(try group.reconstruct(into: planes.popLast() ?? [], budget: &budget))
      coefficients = group.takeCoefficients()
    }
    budget.release(coefficients?.byteCount ?? 0)
    return results
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
    for pass in plan.frame.highFrequency.passes.indices.clamped(to: neededPasses) {
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
