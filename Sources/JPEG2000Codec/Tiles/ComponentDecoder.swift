// The decoding of a codestream to the samples of its components.

internal import ImageCoding

/// Decodes components of an image.
struct ComponentDecoder {
  private let header: MainHeader
  private let isComplete: Bool
  private let selected: Set<Int>
  /// The part of the reference grid that is needed.
  private let window: GridArea

  /// - Parameters:
  ///   - isComplete: whether the end of the codestream has been received.
  ///   - selected: the components that are needed.
  ///   - window: the part of the reference grid that is needed.
  init(_ header: MainHeader, isComplete: Bool, selected: Set<Int>, window: GridArea) {
    self.header = header
    self.isComplete = isComplete
    self.selected = selected
    self.window = window
  }

  /// Decodes the components, by index.
  ///
  /// - Parameter chooseDiscarded: returns the number of resolutions that are not decoded, given the largest possible.
  /// - Returns: the components and that number.
  func decode(
    _ file: Span<UInt8>, _ context: inout DecodingContext, chooseDiscarded: (Int) -> Int
  ) throws(CodecError) -> (planes: [Int: ComponentPlane], discarded: Int) {
    for index in selected.sorted() where header.size.components[index].depth > 16 {
      let depth = header.size.components[index].depth
      throw .jpeg2000(.unsupported, "components of \(depth) bits are not supported; 16 are the most")
    }
    let size = header.size
    let parts = try TileParts(scanning: file, header, isComplete: isComplete, &context) { index in
      !size.tile(index).intersection(window).isEmpty
    }
    let discarded = chooseDiscarded(levelCount(parts))
    var planes: [Int: ComponentPlane] = [:]
    for index in selected.sorted() {
      planes[index] = try ComponentPlane(
        area(ofComponent: index, discarded), size.components[index], budget: &context.budget)
    }
    var decoder = TileDecoder(header, selected: selected, discarded: discarded)
    for tile in parts.tiles {
      do throws(CodecError) {
        try decoder.decode(tile, parts, file, into: &planes, &context)
      } catch {
        guard error.isDamage else { throw error }
        try context.tolerateOnce(error, as: .damage)
      }
    }
    for index in selected.sorted() { try planes[index]?.complete(&context.budget) }
    try checkTiles(parts, &context)
    return (planes, discarded)
  }

  /// Reports tiles that are missing.
  private func checkTiles(_ parts: TileParts, _ context: inout DecodingContext) throws(CodecError) {
    var count = 0
    for index in 0..<header.size.tileCount {
      try context.budget.chargeWork(2)
      if !header.size.tile(index).intersection(window).isEmpty { count += 1 }
    }
    guard parts.tiles.count < count else { return }
    let error = CodecError.jpeg2000(.truncated, "\(count - parts.tiles.count) of \(count) tiles are missing")
    guard parts.hasTileParts else { throw error }
    try context.tolerate(error, as: .damage)
  }

  /// The smallest number of decomposition levels of all components in all tiles.
  private func levelCount(_ parts: TileParts) -> Int {
    let main = header.parameters
    var count = 32
    for index in header.size.components.indices {
      count = min(count, main.style(ofComponent: index, main: main)?.levelCount ?? 32)
    }
    for tile in parts.tiles {
      count = min(count, tile.parameters.defaultStyle?.levelCount ?? 32)
      for style in tile.parameters.componentStyles.values { count = min(count, style.levelCount) }
    }
    return count
  }

  /// The samples of a component in the window.
  private func area(ofComponent index: Int, _ discarded: Int) -> GridArea {
    let whole = header.size.area(ofComponent: index, discarded: discarded)
    guard window != header.size.image else { return whole }
    // A pixel shows the sample at or before it; that may be the first one after it at the left and the upper edge.
    let component = header.size.components[index]
    let scale = Int64(1) << Int64(discarded)
    let (dx, dy) = (component.dx * scale, component.dy * scale)
    return GridArea(
      x0: max(whole.x0, window.x0 / dx), y0: max(whole.y0, window.y0 / dy),
      x1: min(whole.x1, max(whole.x0, (window.x1 - 1) / dx) + 1),
      y1: min(whole.y1, max(whole.y0, (window.y1 - 1) / dy) + 1))
  }
}

extension JPEG2000Decoder {
  /// Decodes all components of the codestream that the options select, at their own sizes and in their order.
  ///
  /// - Parameter discarded: the number of the highest resolutions that are not decoded; no more than exist are
  ///   discarded.
  package func components(
    _ bytes: Span<UInt8>, discarded: Int = 0, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> [ComponentPlane] {
    var context = DecodingContext(options, format: Self.type)
    let container = try JP2Container(scanning: bytes, stopsAtCodestream: false, budget: &context.budget)
    let headers = try JPEG2000Headers(
      parsing: bytes, container, index: options.imageIndex ?? 0, budget: &context.budget)
    let size = headers.codestream.size
    let indices = size.components.indices
    context.budget.allowWork(forPixelCount: headers.info.width * headers.info.height)
    let decoder = ComponentDecoder(
      headers.codestream, isComplete: headers.isComplete, selected: Set(indices), window: size.image)
    let planes = try decoder.decode(bytes, &context) { min($0, discarded) }.planes
    return indices.compactMap { planes[$0] }
  }
}
