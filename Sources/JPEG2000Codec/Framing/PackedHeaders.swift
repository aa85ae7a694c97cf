// PPM and PPT: packet headers apart from the packets (ITU-T T.800, A.7.4 and A.7.5).

internal import ImageCoding

/// The segments with packet headers of the main header, or of a tile.
struct PackedHeaders: Sendable {
  private var segments: [(index: UInt8, content: Range<Int>)] = []

  var isEmpty: Bool { segments.isEmpty }

  /// Adds a segment.
  mutating func add(_ segment: MarkerSegment, _ file: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    var reader = segment.reader(file)
    let index = try reader.readUInt8()
    try budget.allocate(32)
    segments.append((index, segment.parameters.lowerBound + 1..<segment.parameters.upperBound))
  }

  /// Returns the contents of all segments, in the order of their indices.
  func joined(_ file: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.allocate(segments.reduce(0) { $0 + $1.content.count })
    var bytes: [UInt8] = []
    for index in UInt8.min...UInt8.max {
      for segment in segments where segment.index == index {
        let content = file.extracting(segment.content)
        for position in content.indices { bytes.append(content[position]) }
      }
    }
    return bytes
  }

  /// Returns the ranges of the headers of each tile-part in the joined contents of the main header.
  static func tileParts(in bytes: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var offset = 0
    while let length = FourCharacterCode(bytes.span, at: offset)?.rawValue {
      try budget.allocate(16)
      let start = offset + 4
      let end = start + min(bytes.count - start, Int(clamping: length))
      ranges.append(start..<end)
      offset = end
    }
    return ranges
  }
}
