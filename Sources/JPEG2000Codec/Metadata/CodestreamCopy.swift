// Copies of codestreams without their comments (ITU-T T.800, A.9.2).

internal import ImageCoding

/// Copies a codestream. Its comments are overwritten with spaces, not removed, because the lengths of tile-parts include
/// them.
enum CodestreamCopy {
  /// Returns the codestream up to its end marker; one whose structure is damaged up to its last byte.
  static func make(of codestream: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.allocate(codestream.count)
    defer { budget.release(codestream.count) }
    var copy = Array(copying: codestream)
    // After SOC.
    guard copy.count > 4 else { return copy }
    var offset = 2
    var tilePart = 0..<0
    while let marker = Marker(codestream, at: offset) {
      try budget.chargeWork(50, byteOffset: offset)
      if marker == .endOfCodestream {
        copy.removeSubrange((offset + 2)...)
        break
      }
      if marker == .startOfData {
        guard tilePart.upperBound > offset else { break }
        offset = tilePart.upperBound
        continue
      }
      guard let segment = try? MarkerSegment(codestream, at: offset, end: codestream.count) else { break }
      if marker == .startOfTilePart {
        var reader = segment.reader(codestream)
        guard (try? reader.skip(2)) != nil, let length = try? reader.readUInt32BigEndian(), length > 0,
          let end = Int(exactly: UInt64(offset) + UInt64(length)), end < codestream.count
        else {
          tilePart = 0..<0
          offset = segment.end
          continue
        }
        tilePart = offset..<end
      } else if marker == .comment {
        // After the length and the registration value.
        for index in min(offset + 6, segment.end)..<segment.end { copy[index] = 0x20 }
      }
      offset = segment.end
    }
    return copy
  }
}
