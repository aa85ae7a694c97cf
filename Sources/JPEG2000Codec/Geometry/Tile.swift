// A tile: its components, and the packets that have been read (ITU-T T.800, B.3).

internal import ImageCoding

/// The structure of a tile, which exists only while it is decoded.
struct Tile: Sendable {
  let index: Int
  /// The area on the reference grid.
  let area: GridArea
  let style: TileCodingStyle
  let components: [TileComponent]
  let progressions: [ProgressionChange]

  init(_ data: TileData, _ header: MainHeader, _ context: inout DecodingContext) throws(CodecError) {
    index = data.index
    area = header.size.tile(data.index)
    guard let style = data.parameters.style ?? header.parameters.style else {
      throw .jpeg2000(.malformed, "there is no COD")
    }
    self.style = style
    let main = header.parameters
    var components: [TileComponent] = []
    try context.budget.allocate(
      count: header.size.components.count, bytesEach: MemoryLayout<TileComponent>.stride)
    for (index, component) in header.size.components.enumerated() {
      guard let style = data.parameters.style(ofComponent: index, main: main),
        let quantization = data.parameters.quantization(ofComponent: index, main: main)
      else { throw .jpeg2000(.malformed, "there is no coding style or quantisation of component \(index)") }
      try style.checkSupport()
      let component = try TileComponent(
        index, area, component, style, quantization,
        regionShift: data.parameters.regionShift(ofComponent: index, main: main), budget: &context.budget)
      components.append(component)
    }
    self.components = components
    let changes =
      data.parameters.progressionChanges.isEmpty ? main.progressionChanges : data.parameters.progressionChanges
    progressions = changes.isEmpty ? [ProgressionChange(style, componentCount: components.count)] : changes
  }

  /// The smallest number of decomposition levels.
  var levelCount: Int { components.reduce(32) { min($0, $1.style.levelCount) } }
}
