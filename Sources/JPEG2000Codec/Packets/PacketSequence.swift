// The order of the packets of a tile (ITU-T T.800, B.12).

internal import ImageCoding

/// A packet, apart from its layer: a precinct of a resolution of a component.
struct PacketPrecinct: Sendable {
  let component: Int
  let resolution: Int
  let index: Int
}

/// The packets of a tile in their order.
struct PacketSequence: Sendable {
  private let tile: GridArea
  private let components: [TileComponent]
  private let sampling: [CodestreamSize.Component]
  private let layerCount: Int
  private let maximumResolutionCount: Int

  init(_ tile: Tile, _ size: CodestreamSize) {
    self.tile = tile.area
    components = tile.components
    sampling = size.components
    layerCount = tile.style.layerCount
    maximumResolutionCount = tile.components.reduce(0) { max($0, $1.resolutions.count) }
  }

  /// The body of the loops: receives a packet and its layer, and returns whether there may be more.
  typealias Body = (PacketPrecinct, Int, inout ResourceBudget) throws(CodecError) -> Bool

  /// Calls a closure for all packets of a progression until it returns `false`. Returns whether all were visited.
  func forEach(
    _ change: ProgressionChange, _ budget: inout ResourceBudget, _ body: Body
  ) throws(CodecError) -> Bool {
    let resolutions = change.resolutions.clamped(to: 0..<maximumResolutionCount)
    let indices = change.components.clamped(to: 0..<components.count)
    let layers = 0..<min(change.layerEnd, layerCount)
    switch change.progression {
    case .layerResolutionComponentPosition:
      for layer in layers {
        for resolution in resolutions {
          guard try visit(resolution, indices, layer..<layer + 1, &budget, body) else { return false }
        }
      }
    case .resolutionLayerComponentPosition:
      for resolution in resolutions {
        for layer in layers {
          guard try visit(resolution, indices, layer..<layer + 1, &budget, body) else { return false }
        }
      }
    case .resolutionPositionComponentLayer:
      for resolution in resolutions {
        let precincts = try located(indices, resolution..<resolution + 1, &budget)
        guard try visit(precincts, layers, &budget, body) else { return false }
      }
    case .positionComponentResolutionLayer:
      let precincts = try located(indices, resolutions, &budget)
      guard try visit(precincts, layers, &budget, body) else { return false }
    case .componentPositionResolutionLayer:
      for index in indices {
        let precincts = try located(index..<index + 1, resolutions, &budget)
        guard try visit(precincts, layers, &budget, body) else { return false }
      }
    }
    return true
  }

  private func visit(
    _ resolution: Int, _ indices: Range<Int>, _ layers: Range<Int>, _ budget: inout ResourceBudget, _ body: Body
  ) throws(CodecError) -> Bool {
    for index in indices where resolution < components[index].resolutions.count {
      try budget.chargeWork(10)
      for precinct in 0..<components[index].resolutions[resolution].precinctCount {
        let packet = PacketPrecinct(component: index, resolution: resolution, index: precinct)
        for layer in layers {
          guard try body(packet, layer, &budget) else { return false }
        }
      }
    }
    return true
  }

  private func visit(
    _ precincts: [LocatedPrecinct], _ layers: Range<Int>, _ budget: inout ResourceBudget, _ body: Body
  ) throws(CodecError) -> Bool {
    defer { budget.release(precincts.count * MemoryLayout<LocatedPrecinct>.stride) }
    for located in precincts {
      for layer in layers {
        guard try body(located.precinct, layer, &budget) else { return false }
      }
    }
    return true
  }

  /// A precinct, and its top left corner on the reference grid.
  private struct LocatedPrecinct {
    let y: Int64
    let x: Int64
    let precinct: PacketPrecinct

    static func < (one: LocatedPrecinct, other: LocatedPrecinct) -> Bool {
      if one.y != other.y { return one.y < other.y }
      if one.x != other.x { return one.x < other.x }
      let (first, second) = (one.precinct, other.precinct)
      return (first.component, first.resolution, first.index) < (second.component, second.resolution, second.index)
    }
  }

  /// Returns the precincts of components at resolutions in the order of their positions, which are charged.
  private func located(
    _ indices: Range<Int>, _ resolutions: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [LocatedPrecinct] {
    // Those of a resolution are in their order.
    var runs: [[LocatedPrecinct]] = []
    for index in indices {
      for number in resolutions where number < components[index].resolutions.count {
        try budget.chargeWork(20)
        guard components[index].resolutions[number].precinctCount > 0 else { continue }
        runs.append(try located(index, number, &budget))
      }
    }
    while runs.count > 1 {
      var merged: [[LocatedPrecinct]] = []
      for start in stride(from: 0, to: runs.count, by: 2) {
        merged.append(start + 1 < runs.count ? try merge(runs[start], runs[start + 1], &budget) : runs[start])
      }
      runs = merged
    }
    return runs.first ?? []
  }

  private func located(
    _ index: Int, _ number: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [LocatedPrecinct] {
    let resolution = components[index].resolutions[number]
    try budget.allocate(count: resolution.precinctCount, bytesEach: MemoryLayout<LocatedPrecinct>.stride)
    let level = Int64(components[index].resolutions.count - 1 - number)
    let width = sampling[index].dx << (level + Int64(resolution.precinctWidthExponent))
    let height = sampling[index].dy << (level + Int64(resolution.precinctHeightExponent))
    var result: [LocatedPrecinct] = []
    result.reserveCapacity(resolution.precinctCount)
    for row in 0..<resolution.precinctsHigh {
      try budget.chargeWork(count: resolution.precinctsWide, unitsEach: 10)
      let y = max(tile.y0, (resolution.firstPrecinctY + Int64(row)) * height)
      for column in 0..<resolution.precinctsWide {
        let x = max(tile.x0, (resolution.firstPrecinctX + Int64(column)) * width)
        let precinct = PacketPrecinct(
          component: index, resolution: number, index: row * resolution.precinctsWide + column)
        result.append(LocatedPrecinct(y: y, x: x, precinct: precinct))
      }
    }
    return result
  }

  /// Merges two lists that are in their order. The result is charged while both exist.
  private func merge(
    _ first: [LocatedPrecinct], _ second: [LocatedPrecinct], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [LocatedPrecinct] {
    let count = first.count + second.count
    let byteCount = try budget.allocate(count: count, bytesEach: MemoryLayout<LocatedPrecinct>.stride)
    defer { budget.release(byteCount) }
    var result: [LocatedPrecinct] = []
    result.reserveCapacity(count)
    var (left, right) = (0, 0)
    while result.count < count {
      if result.count & 0xFFF == 0 { try budget.chargeWork(min(0x1000, count - result.count) * 10) }
      if right == second.count || (left < first.count && first[left] < second[right]) {
        result.append(first[left])
        left += 1
      } else {
        result.append(second[right])
        right += 1
      }
    }
    return result
  }
}
