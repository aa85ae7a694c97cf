// The search for the end of an image whose scans arrive in parts.

internal import ImageCoding

/// Finds the EOI marker after the data of a scan. Each byte is searched once.
struct ImageEndSearch {
  /// The file offset at which the search continues.
  private var offset: Int
  private var isInScan = true
  /// Whether the marker has arrived.
  private(set) var isComplete = false

  /// - Parameter offset: the file offset of a scan's data.
  init(from offset: Int) {
    self.offset = offset
  }

  /// Continues in the input received so far, which begins no later than the scan.
  mutating func advance(_ input: InputWindow, _ budget: inout ResourceBudget) throws(CodecError) {
    while !isComplete {
      let position = offset - input.baseOffset
      if isInScan {
        let end = SegmentReader.endOfEntropyCodedData(input.bytes, from: position)
        offset = input.baseOffset + end.index
        try budget.chargeWork(end.index - position, byteOffset: offset)
        guard end.isFound else { return }
        isInScan = false
      } else {
        try budget.chargeWork(SegmentReader.workPerSegment)
        var segments = SegmentReader(position: position)
        let item = segments.next(input.bytes)
        offset = input.baseOffset + segments.position
        if case .incomplete = item { return }
        guard case .segment(let marker, _) = item else { continue }
        isInScan = marker == .startOfScan
        isComplete = marker == .endOfImage
      }
    }
  }
}
