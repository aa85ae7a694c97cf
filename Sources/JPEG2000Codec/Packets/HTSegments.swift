// The codeword segments of high-throughput code-blocks in packet headers (ITU-T T.814, annex B).

internal import ImageCoding

/// A part of a codeword segment that a packet announces.
struct AnnouncedSegment {
  var passCount: Int
  var startsSegment: Bool
}

extension CodeBlock {
  /// The next part of a codeword segment of a high-throughput code-block, given the passes of the packet that remain.
  ///
  /// Passes are sets of a cleanup pass, which is a segment, and up to two refinement passes, which share one. Before the
  /// first segment with data, all passes up to a cleanup pass are announced together: those before it have no data.
  func nextHighThroughputSegment(passes: Int) -> AnnouncedSegment {
    let first = Int(passCount)
    guard hasData else {
      let refinementCount = (first + passes - 1) % 3
      let count = passes > refinementCount ? passes - refinementCount : passes
      return AnnouncedSegment(passCount: count, startsSegment: true)
    }
    switch first % 3 {
    case 0: return AnnouncedSegment(passCount: 1, startsSegment: true)
    case 1: return AnnouncedSegment(passCount: min(2, passes), startsSegment: true)
    default: return AnnouncedSegment(passCount: 1, startsSegment: false)
    }
  }

  /// Decides about the first lengths of a code-block: as long as they are 0, it may be of either kind if both are mixed.
  ///
  /// - Parameters:
  ///   - length: the length of the announced segment.
  ///   - width: the number of its bits.
  ///   - passes: the passes of the packet that remain.
  ///   - extended: reads the further bits of a length of all these passes.
  /// - Returns: the length.
  mutating func resolve(
    _ length: UInt32, _ width: Int, passes: Int, _ announced: inout AnnouncedSegment,
    _ style: ComponentCodingStyle.BlockStyle, _ extended: (UInt32) -> UInt32
  ) throws(CodecError) -> UInt32 {
    let isMixed = style.contains(.mixed)
    var length = length
    var isCleanup = length > 0
    if isMixed, isCleanup {
      isCleanup = lengthBitCount > 3 && length > 1 && length >> UInt32(width - 1) == 0
    }
    if isCleanup { return length }
    let mayExtend = announced.passCount < passes
    if mayExtend {
      length = extended(length)
      announced.passCount = passes
    }
    guard length > 0 else { return 0 }
    guard isMixed else {
      throw .jpeg2000(.malformed, "the refinement of a high-throughput code-block precedes its cleanup pass")
    }
    isOrdinary = true
    announced.startsSegment = passCount == 0
    segmentRoom = .max
    return length
  }
}
