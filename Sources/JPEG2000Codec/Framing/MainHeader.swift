// The main header of a codestream (ITU-T T.800, A.3).

internal import ImageCoding

/// The main header of a codestream.
struct MainHeader: Sendable {
  let size: CodestreamSize
  private(set) var parameters = CodingParameters()
  /// The packet headers of all tile-parts (PPM), if they are in the main header.
  private(set) var packedHeaders: PackedHeaders?
  /// The range of the tile-parts in the file.
  let tileParts: Range<Int>

  /// Reads the header up to the first tile-part.
  init(parsing file: Span<UInt8>, codestream: Range<Int>, budget: inout ResourceBudget) throws(CodecError) {
    let end = codestream.upperBound
    let start = try MarkerSegment(file, at: codestream.lowerBound, end: end)
    guard start.marker == .startOfCodestream else {
      throw .jpeg2000(.malformed, "the codestream does not start with SOC", at: start.offset)
    }
    var segment = try MarkerSegment(file, at: start.end, end: end)
    guard segment.marker == .size else {
      throw .jpeg2000(.malformed, "SIZ does not follow SOC", at: segment.offset)
    }
    var reader = segment.reader(file)
    size = try CodestreamSize(parsing: &reader, budget: &budget)
    var packed = PackedHeaders()
    while true {
      segment = try MarkerSegment(file, at: segment.end, end: end)
      try budget.chargeWork(50, byteOffset: segment.offset)
      if segment.marker == .startOfTilePart || segment.marker == .endOfCodestream { break }
      if let name = segment.marker.extensionName {
        throw .jpeg2000(.unsupported, "\(name) are not supported", at: segment.offset)
      }
      if segment.marker == .packedHeadersMain {
        try packed.add(segment, file, budget: &budget)
      } else {
        try parameters.read(segment, file, componentCount: size.components.count, budget: &budget)
      }
    }
    tileParts = segment.offset..<end
    if !packed.isEmpty { packedHeaders = packed }
    guard parameters.style != nil else { throw .jpeg2000(.malformed, "there is no COD", at: segment.offset) }
    guard parameters.defaultQuantization != nil || parameters.componentQuantizations.count == size.components.count
    else { throw .jpeg2000(.malformed, "there is no QCD", at: segment.offset) }
  }
}
