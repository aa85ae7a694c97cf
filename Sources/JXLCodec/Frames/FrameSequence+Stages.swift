// How much of a picture has arrived: its sections as stages, each of which makes a better preview.

internal import ImageCoding

extension FrameSequence {
  /// The number of parts of equal size into which the groups of a frame are divided, each of which is a stage.
  private static let groupStageCount = 8

  /// Returns the number of stages of the first picture that a prefix of the codestream contains: the LF coefficients,
  /// and each eighth of the groups; 0 if it contains nothing that can be shown.
  mutating func receivedStageCount(
    _ codestream: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    while true {
      let frame = try nextFrame(codestream, &budget)
      if frame.header.isPicture {
        try budget.chargeWork(frame.layout.lowFrequencyGroupCount + frame.layout.groupCount * frame.layout.passCount)
        return Self.stageCount(frame, byteCount: codestream.count)
      }
      guard frame.end <= codestream.count else { return 0 }
    }
  }

  private static func stageCount(_ frame: FrameDecoder, byteCount: Int) -> Int {
    let (layout, sections) = (frame.layout, frame.sections)
    guard !layout.isSingleSection,
      (0...layout.lowFrequencyGroupCount).allSatisfy({ sections.isComplete($0, byteCount: byteCount) })
    else { return 0 }
    var completeCount = 0
    for pass in 0..<layout.passCount {
      for group in 0..<layout.groupCount
      where sections.isComplete(layout.section(ofGroup: group, pass: pass), byteCount: byteCount) {
        completeCount += 1
      }
    }
    let groupStages = completeCount * groupStageCount / (layout.groupCount * layout.passCount)
    return frame.header.isModular ? groupStages : 1 + groupStages
  }
}
