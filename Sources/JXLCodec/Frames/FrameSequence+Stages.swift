// How much of a picture has arrived: its sections as stages, each of which makes a better preview.

internal import ImageCoding

extension FrameSequence {
  /// The number of parts of equal size into which the groups of a frame are divided, each of which is a stage.
  private static let groupStageCount = 8

  /// Returns the number of stages of the first picture that a prefix of the codestream contains: the LF coefficients, or
  /// the squeezed channels of the first section and of low-frequency groups, and each eighth of the groups; 0 if it
  /// contains nothing that can be shown. Squeezed frames of one section have a stage for each eighth of it.
  ///
  /// - Parameter isSqueezed: whether the first picture is a squeezed frame, if it is known.
  mutating func receivedStageCount(
    _ codestream: Span<UInt8>, isSqueezed: inout Bool?, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    while true {
      let frame = try nextFrame(codestream, &budget)
      if frame.header.isPicture {
        try budget.chargeWork(frame.layout.lowFrequencyGroupCount + frame.layout.groupCount * frame.layout.passCount)
        isSqueezed = isSqueezed ?? frame.isSqueezed(codestream, &budget)
        return Self.stageCount(frame, byteCount: codestream.count, isSqueezed: isSqueezed == true)
      }
      guard frame.end <= codestream.count else { return 0 }
    }
  }

  private static func stageCount(_ frame: FrameDecoder, byteCount: Int, isSqueezed: Bool) -> Int {
    let (layout, sections) = (frame.layout, frame.sections)
    if layout.isSingleSection {
      let received = min(byteCount - sections.start, sections.byteCount)
      return isSqueezed && received > 0 ? received / max(1, sections.byteCount / groupStageCount) : 0
    }
    guard sections.isComplete(0, byteCount: byteCount) else { return 0 }
    guard (1...layout.lowFrequencyGroupCount).allSatisfy({ sections.isComplete($0, byteCount: byteCount) })
    else { return isSqueezed ? 1 : 0 }
    var completeCount = 0
    for pass in 0..<layout.passCount {
      for group in 0..<layout.groupCount
      where sections.isComplete(layout.section(ofGroup: group, pass: pass), byteCount: byteCount) {
        completeCount += 1
      }
    }
    let groupStages = completeCount * groupStageCount / (layout.groupCount * layout.passCount)
    return (frame.header.isModular ? isSqueezed ? 2 : 0 : 1) + groupStages
  }
}

extension FrameDecoder {
  /// Whether the channels of a Modular frame are squeezed; `nil` if the header of their stream is missing or damaged.
  fileprivate func isSqueezed(_ codestream: Span<UInt8>, _ budget: inout ResourceBudget) -> Bool? {
    guard header.isModular else { return false }
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    var copy = self
    copy.toleratesDamage = true
    copy.addChannels()
    do throws(CodecError) {
      var bits = try copy.section(0, codestream)
      let global = try GlobalSection(
        parsing: &bits, header, image, &copy.modular, layout, ReferenceSlots(), channels: .none, &budget)
      return global.stream?.isSqueezed == true
    } catch {
      return nil
    }
  }
}
