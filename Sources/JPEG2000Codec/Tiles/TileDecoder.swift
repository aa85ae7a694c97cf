// The decoding of a tile: packets, code-blocks, wavelets, components.

internal import ImageCoding

/// Decodes the tiles of an image, one after the other.
struct TileDecoder {
  private let header: MainHeader
  /// The components that are needed.
  private let selected: Set<Int>
  /// The number of resolutions that are not decoded.
  private let discarded: Int
  /// Whether the codestream has its end. Otherwise tiles that end before their last packet are incomplete.
  private var isWhole = true
  /// The memory for the code-blocks that this thread decodes.
  private var worker: BlockWorker?

  init(_ header: MainHeader, selected: Set<Int>, discarded: Int) {
    self.header = header
    self.selected = selected
    self.discarded = discarded
  }

  /// Decodes a tile into the components of the image, which contain those that are needed only.
  mutating func decode(
    _ data: TileData, _ parts: TileParts, _ file: Span<UInt8>, into planes: inout [Int: ComponentPlane],
    _ context: inout DecodingContext
  ) throws(CodecError) {
    let heldByteCount = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: heldByteCount) }
    isWhole = parts.hasEnd
    let tile = try Tile(data, header, &context)
    let headers = try packedHeaders(data, parts, file, &context.budget)
    if data.packets.count == 1, let range = data.packets.first {
      try decode(tile, file.extracting(range), headers, into: &planes, &context)
    } else {
      let packets = try join(data.packets, file, &context.budget)
      try decode(tile, packets.span, headers, into: &planes, &context)
    }
  }

  /// Returns the packet headers if they are apart from the packets.
  private func packedHeaders(
    _ data: TileData, _ parts: TileParts, _ file: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    if !data.packedHeaders.isEmpty { return try data.packedHeaders.joined(file, budget: &budget) }
    guard !data.mainPackedHeaders.isEmpty else { return nil }
    return try join(data.mainPackedHeaders, parts.mainPackedHeaders.span, &budget)
  }

  private func join(
    _ ranges: [Range<Int>], _ source: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let count = ranges.reduce(0) { $0 + $1.count }
    try budget.allocate(count)
    try budget.chargeWork(count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for range in ranges {
      let part = source.extracting(range)
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  private mutating func decode(
    _ tile: Tile, _ data: Span<UInt8>, _ headers: [UInt8]?, into planes: inout [Int: ComponentPlane],
    _ context: inout DecodingContext
  ) throws(CodecError) {
    var reader = try PacketDecoder(tile, header.size, hasPackedHeaders: headers != nil, &context.budget)
    var damage: CodecError?
    let headerBytes = headers ?? []
    let packets = try reader.decode(data, headers: headerBytes.span, &context.budget, damage: &damage)
    if let damage { try context.tolerateOnce(damage, as: .damage) }
    if packets.endsEarly, !isWhole {
      try context.tolerateOnce(.jpeg2000(.truncated, "packets of a tile are missing"), as: .damage)
    }
    // The transform needs all of the first three components.
    let transformed = tile.style.usesComponentTransform ? try transformedComponents(tile, &context) : []
    let needed = transformed.contains { selected.contains($0) } ? transformed : []
    if !needed.isEmpty { try decode(needed, tile, packets, data, into: &planes, &context) }
    for index in selected.sorted() where !needed.contains(index) {
      try decode([index], tile, packets, data, into: &planes, &context)
    }
  }

  /// The components that the component transform applies to.
  private func transformedComponents(
    _ tile: Tile, _ context: inout DecodingContext
  ) throws(CodecError) -> [Int] {
    guard tile.components.count >= 3,
      tile.components[1].area == tile.components[0].area, tile.components[2].area == tile.components[0].area,
      tile.components[1].style.isReversible == tile.components[0].style.isReversible,
      tile.components[2].style.isReversible == tile.components[0].style.isReversible
    else {
      let error = CodecError.jpeg2000(.malformed, "the components of the component transform differ")
      try context.tolerateOnce(error, as: .damage)
      return []
    }
    return [0, 1, 2]
  }

  // MARK: Components

  /// Decodes components that are reconstructed together.
  private mutating func decode(
    _ indices: [Int], _ tile: Tile, _ packets: TilePackets, _ data: Span<UInt8>,
    into planes: inout [Int: ComponentPlane], _ context: inout DecodingContext
  ) throws(CodecError) {
    let heldByteCount = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: heldByteCount) }
    if tile.components[indices[0]].style.isReversible {
      try decode(indices, as: ReversibleWavelet.self, tile, packets, data, into: &planes, &context)
    } else {
      try decode(indices, as: IrreversibleWavelet.self, tile, packets, data, into: &planes, &context)
    }
  }

  private mutating func decode<Kind: Wavelet>(
    _ indices: [Int], as kind: Kind.Type, _ tile: Tile, _ packets: TilePackets, _ data: Span<UInt8>,
    into planes: inout [Int: ComponentPlane], _ context: inout DecodingContext
  ) throws(CodecError) {
    // Components that only the component transform needs have no plane, but the area of those that have one.
    let wanted = indices.compactMap { planes[$0]?.area }.reduce(nil) { $0?.union($1) ?? $1 } ?? tile.area
    var components: [ComponentBands<Kind>] = []
    for index in indices {
      let component = tile.components[index]
      components.append(
        try ComponentBands(
          component, top: max(0, component.style.levelCount - discarded), wanted: wanted,
          depth: header.size.components[index].depth, packets, &context.budget))
    }
    var group = ComponentGroup(components, packets.pieces)
    try group.decode(data, &worker, &context) { (component, area, samples, budget) throws(CodecError) in
      try planes[indices[component]]?.store(samples, area, &budget)
    }
  }
}
