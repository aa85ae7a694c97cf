// Tile-parts: the headers and the packets of the tiles, in any order (ITU-T T.800, A.4.2).

internal import ImageCoding

/// Everything in a codestream that belongs to one tile.
struct TileData: Sendable {
  let index: Int
  var parameters = CodingParameters()
  /// The packets, in the file.
  var packets: [Range<Int>] = []
  /// The packet headers in the headers of the tile-parts.
  var packedHeaders = PackedHeaders()
  /// The packet headers in the main header: ranges of its contents.
  var mainPackedHeaders: [Range<Int>] = []
}

/// The tiles of a codestream, in the order in which they start.
struct TileParts: Sendable {
  private(set) var tiles: [TileData] = []
  /// Whether there are tile-parts, of tiles that are needed or not.
  private(set) var hasTileParts = false
  /// Whether the codestream ends where its markers say. Otherwise packets may be missing.
  private(set) var hasEnd = true
  /// The contents of the packet headers in the main header.
  let mainPackedHeaders: [UInt8]
  private var positions: [Int: Int] = [:]
  private var unusedHeaders: [Range<Int>]

  /// Finds all tile-parts.
  ///
  /// - Parameter isSelected: whether a tile is needed.
  init(
    scanning file: Span<UInt8>, _ header: MainHeader, isComplete: Bool, _ context: inout DecodingContext,
    isSelected: (Int) -> Bool
  ) throws(CodecError) {
    mainPackedHeaders = try header.packedHeaders?.joined(file, budget: &context.budget) ?? []
    unusedHeaders = try PackedHeaders.tileParts(in: mainPackedHeaders, budget: &context.budget)
    unusedHeaders.reverse()
    var offset = header.tileParts.lowerBound
    do throws(CodecError) {
      while let end = try readTilePart(file, at: offset, header, &context, isSelected) { offset = end }
    } catch {
      guard error.isDamage else { throw error }
      try context.tolerate(error, as: .damage)
    }
    if !isComplete {
      let error = CodecError.jpeg2000(.truncated, "the file ends in the codestream", at: file.count)
      try tolerateEnd(error, &context)
    }
  }

  /// Notes that the end is missing. All packets may be there nevertheless.
  private mutating func tolerateEnd(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    hasEnd = false
    try context.tolerate(error, as: .warning)
  }

  /// Reads a tile-part, and returns its end; `nil` after the last one.
  private mutating func readTilePart(
    _ file: Span<UInt8>, at offset: Int, _ header: MainHeader, _ context: inout DecodingContext,
    _ isSelected: (Int) -> Bool
  ) throws(CodecError) -> Int? {
    let end = header.tileParts.upperBound
    try context.budget.chargeWork(200, byteOffset: offset)
    guard let marker = Marker(file.extracting(0..<end), at: offset) else {
      try tolerateEnd(.jpeg2000(.truncated, "the codestream has no end marker", at: offset), &context)
      return nil
    }
    if marker == .endOfCodestream { return nil }
    guard marker == .startOfTilePart else {
      throw .jpeg2000(.malformed, "there is no tile-part where one is expected", at: offset)
    }
    let start = try MarkerSegment(file, at: offset, end: end)
    var reader = start.reader(file)
    let index = Int(try reader.readUInt16BigEndian())
    let length = Int(clamping: try reader.readUInt32BigEndian())
    guard index < header.size.tileCount else {
      throw .jpeg2000(.malformed, "there is no tile \(index)", at: offset)
    }
    let partEnd = try self.end(ofLength: length, file, offset, end, &context)
    hasTileParts = true
    let headers = unusedHeaders.popLast()
    guard isSelected(index) else { return partEnd }
    let position = try tilePosition(index, &context.budget)
    if let headers { tiles[position].mainPackedHeaders.append(headers) }
    let data = try readHeader(file, after: start, partEnd, position, header, &context.budget)
    tiles[position].packets.append(data..<max(data, partEnd))
    return max(partEnd, data)
  }

  /// The end of a tile-part, which extends to the end of the codestream if its length is 0 or wrong.
  private mutating func end(
    ofLength length: Int, _ file: Span<UInt8>, _ offset: Int, _ end: Int, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    if length == 0 {
      let last = Marker(file.extracting(0..<end), at: end - 2)
      return last == .endOfCodestream ? end - 2 : end
    }
    guard length >= 12 else { throw .jpeg2000(.malformed, "a tile-part has \(length) bytes", at: offset) }
    guard length <= end - offset else {
      let error = CodecError.jpeg2000(.truncated, "the codestream ends in a tile-part", at: offset)
      try tolerateEnd(error, &context)
      return end
    }
    return offset + length
  }

  private mutating func tilePosition(_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Int {
    try budget.allocate(16)
    if let position = positions[index] { return position }
    try budget.allocate(MemoryLayout<TileData>.stride + 64)
    positions[index] = tiles.count
    tiles.append(TileData(index: index))
    return tiles.count - 1
  }

  /// Reads the segments of a tile-part's header, and returns the offset of its packets.
  private mutating func readHeader(
    _ file: Span<UInt8>, after start: MarkerSegment, _ end: Int, _ position: Int, _ header: MainHeader,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    var offset = start.end
    while true {
      let segment = try MarkerSegment(file, at: offset, end: max(end, offset))
      if segment.marker == .startOfData { return segment.end }
      if let name = segment.marker.extensionName {
        throw .jpeg2000(.unsupported, "\(name) are not supported", at: segment.offset)
      }
      if segment.marker == .packedHeadersTile {
        try tiles[position].packedHeaders.add(segment, file, budget: &budget)
      } else {
        try tiles[position].parameters.read(
          segment, file, componentCount: header.size.components.count, budget: &budget)
      }
      offset = segment.end
    }
  }
}
