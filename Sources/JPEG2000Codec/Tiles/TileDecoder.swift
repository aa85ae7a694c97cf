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
  private var blocks = ComponentBlocks()

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
    // Blocks of a tile that could not be decoded may be left.
    blocks = ComponentBlocks()
    isWhole = parts.hasEnd
    let tile = try Tile(data, header, &context)
    try context.budget.allocate(CodeBlockDecoder.byteCount)
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
    var results: [CoefficientPlane] = []
    for index in needed { results.append(try decode(tile, index, packets, data, planes, &context)) }
    if !needed.isEmpty {
      try ComponentTransform.invert(&results, &context.budget)
      for index in needed { try store(results[index], tile, index, into: &planes, &context.budget) }
    }
    let byteCount = results.reduce(0) { $0 + $1.byteCount }
    results = []
    context.budget.release(byteCount)
    for index in selected.sorted() where !needed.contains(index) {
      let plane = try decode(tile, index, packets, data, planes, &context)
      try store(plane, tile, index, into: &planes, &context.budget)
      context.budget.release(plane.byteCount)
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

  private func store(
    _ plane: CoefficientPlane, _ tile: Tile, _ index: Int, into planes: inout [Int: ComponentPlane],
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard var target = planes.removeValue(forKey: index) else { return }
    defer { planes[index] = target }
    try target.store(plane, tile.components[index].area.reduced(by: discarded), &budget)
  }

  // MARK: Components

  /// Decodes a component of a tile at the resolution that is needed.
  private mutating func decode(
    _ tile: Tile, _ index: Int, _ packets: TilePackets, _ data: Span<UInt8>, _ planes: [Int: ComponentPlane],
    _ context: inout DecodingContext
  ) throws(CodecError) -> CoefficientPlane {
    let component = tile.components[index]
    let kept = max(0, component.style.levelCount - discarded)
    let area = component.resolutions[kept].area
    var plane = try CoefficientPlane(area, isReversible: component.style.isReversible, budget: &context.budget)
    // Components that only the component transform needs have no plane, but the area of those that have one.
    let similar = planes[index] ?? planes.first { tile.components[$0.key].area == component.area }?.value
    let wanted = similar?.area ?? area
    for number in 0...kept {
      let resolution = component.resolutions[number]
      let lower = number == 0 ? resolution.area : component.resolutions[number - 1].area
      let window = Self.window(wanted, levels: number == 0 ? kept : kept - number + 1)
      for (_, bands) in packets.resolutions[index][number].precincts.sorted(by: { $0.key < $1.key }) {
        for precinct in bands {
          let band = resolution.bands[precinct.bandIndex]
          let placement = BandPlacement(
            band: band, component: component, x: band.orientation.isHighX ? Int(lower.width) : 0,
            y: band.orientation.isHighY ? Int(lower.height) : 0, window: window)
          try blocks.decode(precinct, placement, packets.pieces, data, into: &plane, &context)
        }
      }
    }
    try blocks.finish(into: &plane, &context)
    try transform(&plane, component, kept, &context.budget)
    return plane
  }

  /// The coefficients of a band, or the samples of a lower resolution, that an area depends on, and some more.
  private static func window(_ area: GridArea, levels: Int) -> GridArea {
    var result = area
    for _ in 0..<levels {
      result = GridArea(
        x0: max(0, result.x0 / 2 - 4), y0: max(0, result.y0 / 2 - 4), x1: result.x1 / 2 + 5, y1: result.y1 / 2 + 5)
    }
    return result
  }

  private func transform(
    _ plane: inout CoefficientPlane, _ component: TileComponent, _ kept: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard kept > 0 else { return }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let side = max(plane.width, plane.height)
    let resolutions = component.resolutions
    if plane.isReversible {
      var transform = try InverseTransform<ReversibleWavelet>(side: side, budget: &budget)
      for number in 1...kept {
        try transform.reconstruct(
          &plane.integers, pitch: plane.width, resolutions[number].area, lower: resolutions[number - 1].area, &budget)
      }
    } else {
      var transform = try InverseTransform<IrreversibleWavelet>(side: side, budget: &budget)
      for number in 1...kept {
        try transform.reconstruct(
          &plane.reals, pitch: plane.width, resolutions[number].area, lower: resolutions[number - 1].area, &budget)
      }
    }
  }
}
