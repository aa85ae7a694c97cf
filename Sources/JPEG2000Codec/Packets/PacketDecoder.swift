// Packets: their headers, and the pieces of code-blocks in their bodies (ITU-T T.800, B.9 and B.10).

internal import ImageCoding

/// The precincts of a tile that packets have contributed to.
struct TilePackets: Sendable {
  /// The precincts of a resolution; `nil` for those without data so far.
  struct ResolutionPrecincts: Sendable {
    var precincts: [Int: [PrecinctBand]] = [:]
    /// The first layer that has not been read, by precinct.
    var nextLayers: [UInt16]
  }

  /// By component and resolution.
  fileprivate(set) var resolutions: [[ResolutionPrecincts]] = []
  /// The pieces of all code-blocks.
  fileprivate(set) var pieces: [SegmentPiece] = []
  /// Whether the data ended before the last packet.
  fileprivate(set) var endsEarly = false
}

/// Reads the packets of a tile.
struct PacketDecoder {
  private let tile: Tile
  private let sequence: PacketSequence
  private var result = TilePackets()
  /// The offset of the next byte of a packet.
  private var position = 0
  /// The offset of the next header if headers are apart from the packets.
  private var headerPosition = 0
  private let hasPackedHeaders: Bool

  /// - Parameter hasPackedHeaders: whether headers are apart from the packets.
  init(
    _ tile: Tile, _ size: CodestreamSize, hasPackedHeaders: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.tile = tile
    self.hasPackedHeaders = hasPackedHeaders
    sequence = PacketSequence(tile, size)
    for component in tile.components {
      try budget.allocate(component.resolutions.count * (MemoryLayout<TilePackets.ResolutionPrecincts>.stride + 32))
      var resolutions: [TilePackets.ResolutionPrecincts] = []
      for resolution in component.resolutions {
        try budget.allocate(count: resolution.precinctCount, bytesEach: 2)
        try budget.chargeWork(resolution.precinctCount / 8)
        resolutions.append(
          TilePackets.ResolutionPrecincts(nextLayers: [UInt16](repeating: 0, count: resolution.precinctCount)))
      }
      result.resolutions.append(resolutions)
    }
  }

  /// Reads all packets.
  ///
  /// - Parameters:
  ///   - bytes: the packets of the tile.
  ///   - headers: the packet headers, if they are apart from the packets.
  ///   - damage: receives the defect at which reading ended.
  mutating func decode(
    _ bytes: Span<UInt8>, headers: Span<UInt8>, _ budget: inout ResourceBudget, damage: inout CodecError?
  ) throws(CodecError) -> TilePackets {
    let sequence = sequence
    do throws(CodecError) {
      for progression in tile.progressions {
        let isWhole = try sequence.forEach(progression, &budget) { (packet, layer, budget) throws(CodecError) in
          try read(packet, layer, bytes, headers, &budget)
        }
        if !isWhole {
          result.endsEarly = true
          break
        }
      }
    } catch {
      guard error.isDamage else { throw error }
      damage = error
    }
    return result
  }

  /// Reads a packet unless it has been read before. Returns whether there may be more.
  private mutating func read(
    _ packet: PacketPrecinct, _ layer: Int, _ bytes: Span<UInt8>, _ headers: Span<UInt8>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    try budget.chargeWork(30)
    let next = Int(result.resolutions[packet.component][packet.resolution].nextLayers[packet.index])
    guard layer >= next else { return true }
    // The end of the data is the end of the packets.
    guard hasPackedHeaders ? headerPosition < headers.count : position < bytes.count else { return false }
    result.resolutions[packet.component][packet.resolution].nextLayers[packet.index] = UInt16(
      truncatingIfNeeded: layer + 1)
    // The marker may be missing, and it may be there without being announced.
    if Marker(bytes, at: position) == .startOfPacket, bytes.count - position >= 6 {
      if tile.style.allowsPacketMarkers || (bytes[position + 2] == 0 && bytes[position + 3] == 4) { position += 6 }
    }
    let firstPiece = result.pieces.count
    do throws(CodecError) {
      if hasPackedHeaders {
        headerPosition = try readHeader(packet, layer, headers, at: headerPosition, &budget)
      } else {
        position = try readHeader(packet, layer, bytes, at: position, &budget)
      }
    } catch {
      dropPieces(from: firstPiece)
      throw error
    }
    return try readBody(firstPiece, bytes)
  }

  /// Assigns the bytes of the body to the pieces that the header has announced.
  private mutating func readBody(_ firstPiece: Int, _ bytes: Span<UInt8>) throws(CodecError) -> Bool {
    for index in firstPiece..<result.pieces.count {
      result.pieces[index].offset = position
      let length = result.pieces[index].length
      guard length <= bytes.count - position else {
        result.pieces[index].length = bytes.count - position
        dropPieces(from: index + 1)
        position = bytes.count
        throw .jpeg2000(.truncated, "tile \(tile.index) ends in a packet")
      }
      position += length
    }
    return true
  }

  /// Removes the passes of pieces that have no data because their packet is damaged.
  private mutating func dropPieces(from start: Int) {
    for index in start..<result.pieces.count {
      result.pieces[index].length = 0
      result.pieces[index].passCount = 0
    }
  }

  /// Reads a packet header, and returns the offset of its end.
  private mutating func readHeader(
    _ packet: PacketPrecinct, _ layer: Int, _ bytes: Span<UInt8>, at start: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    var bits = PacketBitReader(at: start)
    if bits.read(bytes) == 1 {
      var bands = try takePrecinct(packet, &budget)
      defer { result.resolutions[packet.component][packet.resolution].precincts[packet.index] = bands }
      for index in bands.indices {
        try readBlocks(of: &bands[index], packet, layer, &bits, bytes, &budget)
      }
    }
    bits.align(bytes)
    guard !bits.isExhausted else { throw .jpeg2000(.truncated, "tile \(tile.index) ends in a packet header") }
    let end = bits.position
    return Marker(bytes, at: end) == .endOfPacketHeader ? end + 2 : end
  }

  /// Moves a precinct out of the result, or creates it.
  private mutating func takePrecinct(
    _ packet: PacketPrecinct, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [PrecinctBand] {
    if let bands = result.resolutions[packet.component][packet.resolution].precincts.removeValue(forKey: packet.index) {
      return bands
    }
    let resolution = tile.components[packet.component].resolutions[packet.resolution]
    let x = resolution.firstPrecinctX + Int64(packet.index % resolution.precinctsWide)
    let y = resolution.firstPrecinctY + Int64(packet.index / resolution.precinctsWide)
    try budget.allocate(MemoryLayout<PrecinctBand>.stride * 3 + 256)
    var bands: [PrecinctBand] = []
    for (index, band) in resolution.bands.enumerated() {
      bands.append(try PrecinctBand(band, index: index, precinctX: x, precinctY: y, budget: &budget))
    }
    return bands
  }

  private mutating func readBlocks(
    of band: inout PrecinctBand, _ packet: PacketPrecinct, _ layer: Int, _ bits: inout PacketBitReader,
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let component = tile.components[packet.component]
    let maximumPlaneCount =
      component.resolutions[packet.resolution].bands[band.bandIndex].planeCount + component.regionShift
    for y in 0..<band.blocksHigh {
      try budget.chargeWork(count: band.blocksWide, unitsEach: 20)
      for x in 0..<band.blocksWide {
        let index = y * band.blocksWide + x
        if band.blocks[index].isIncluded {
          if bits.read(bytes) == 0 { continue }
        } else {
          guard band.inclusion.isLess(than: UInt16(clamping: layer + 1), x: x, y: y, &bits, bytes) else { continue }
          var planes: UInt16 = 1
          while !band.zeroPlanes.isLess(than: planes, x: x, y: y, &bits, bytes) {
            planes += 1
            guard Int(planes) <= maximumPlaneCount + 1, !bits.isExhausted else {
              throw .jpeg2000(.malformed, "a code-block has more zero bit-planes than bit-planes")
            }
          }
          band.blocks[index].isIncluded = true
          band.blocks[index].zeroPlaneCount = UInt8(clamping: planes - 1)
        }
        try readSegments(of: &band.blocks[index], component.style.blockStyle, &bits, bytes, &budget)
      }
      guard !bits.isExhausted else { throw .jpeg2000(.truncated, "tile \(tile.index) ends in a packet header") }
    }
  }

  /// Reads the numbers of passes and the lengths of the pieces of codeword segments.
  private mutating func readSegments(
    of block: inout CodeBlock, _ style: ComponentCodingStyle.BlockStyle, _ bits: inout PacketBitReader,
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var passes = bits.readPassCount(bytes)
    while bits.read(bytes) == 1 {
      block.lengthBitCount += 1
      guard block.lengthBitCount <= 32 else {
        throw .jpeg2000(.malformed, "lengths of codeword segments have more than 32 bits")
      }
    }
    while passes > 0 {
      let usesHighThroughput = style.contains(.highThroughput) && !block.isOrdinary
      var announced =
        usesHighThroughput
        ? block.nextHighThroughputSegment(passes: passes) : Self.nextSegment(of: &block, passes, style)
      let width = Int(block.lengthBitCount) + Self.logarithm(announced.passCount)
      guard width <= 31 else { throw .jpeg2000(.malformed, "lengths of codeword segments have more than 31 bits") }
      var length = bits.read(width, bytes)
      if usesHighThroughput, !block.hasData {
        let extraCount = Self.logarithm(passes) - Self.logarithm(announced.passCount)
        let extended = try block.resolve(length, width, passes: passes, &announced, style) {
          // The length is that of all passes, as for ordinary code-blocks.
          $0 << UInt32(extraCount) | bits.read(extraCount, bytes)
        }
        length = extended
      }
      let count = announced.passCount
      try budget.allocate(MemoryLayout<SegmentPiece>.stride)
      append(
        SegmentPiece(
          length: Int(clamping: length), passCount: UInt8(clamping: count), startsSegment: announced.startsSegment),
        to: &block)
      if length > 0 { block.hasData = true }
      passes -= count
      let (total, overflow) = block.passCount.addingReportingOverflow(UInt16(clamping: count))
      guard !overflow else { throw .jpeg2000(.malformed, "a code-block has more than 65,535 coding passes") }
      block.passCount = total
    }
  }

  /// The binary logarithm of a positive number, rounded down.
  private static func logarithm(_ number: Int) -> Int { Int.bitWidth - 1 - number.leadingZeroBitCount }

  /// The next part of a codeword segment, given the passes of the packet that remain.
  private static func nextSegment(
    of block: inout CodeBlock, _ passes: Int, _ style: ComponentCodingStyle.BlockStyle
  ) -> AnnouncedSegment {
    let startsSegment = block.segmentRoom == 0
    if startsSegment { block.segmentRoom = segmentLimit(pass: Int(block.passCount), style) }
    let count = min(passes, Int(block.segmentRoom))
    block.segmentRoom -= UInt16(clamping: count)
    return AnnouncedSegment(passCount: count, startsSegment: startsSegment)
  }

  private mutating func append(_ piece: SegmentPiece, to block: inout CodeBlock) {
    let index = Int32(truncatingIfNeeded: result.pieces.count)
    result.pieces.append(piece)
    if block.lastPiece >= 0 { result.pieces[Int(block.lastPiece)].next = index } else { block.firstPiece = index }
    block.lastPiece = index
  }

  /// The number of passes of the codeword segment that starts with a pass (B.10.7).
  static func segmentLimit(pass: Int, _ style: ComponentCodingStyle.BlockStyle) -> UInt16 {
    if style.contains(.terminatesPasses) { return 1 }
    guard style.contains(.bypass) else { return .max }
    // Ten passes with arithmetic coding, then two raw ones and one with arithmetic coding in turns.
    if pass < 10 { return UInt16(10 - pass) }
    return (pass - 10) % 3 == 2 ? 1 : 2
  }
}
