// Layers of images in their boxes: size, position and repetition (CSS Backgrounds 3, section 2), and the coverage of
// masks that consist of layers (CSS Masking 1, section 7).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeRenderer {
  /// The work units for a layer, in addition to its pixels.
  private static let workPerLayer = 3_000
  /// The maximum side of a tile in pixels; larger tiles are drawn at a lower resolution.
  private static let maximumTileSide = 4096.0

  /// The boxes of an element.
  struct Boxes {
    var bounds: Rect?
    var strokeBounds: Rect?
  }

  // MARK: Masks

  /// Returns the coverage of the layers of a mask.
  ///
  /// - Parameter transform: the transform from the user space of the masked element to pixels.
  mutating func coverage(
    of layers: [RenderTree.MaskLayer], _ transform: AffineTransform, _ boxes: Boxes, _ region: PixelRect
  ) throws(CodecError) -> Mask {
    try enterResource(levels: Self.levelsOfLayers)
    defer { resourceDepth -= Self.levelsOfLayers }
    var result: Mask?
    for layer in layers.reversed() {
      try canvas.budget.resources.chargeWork(Self.workPerLayer)
      if let result { try canvas.budget.reserveMask(result.bounds) }
      let own: Mask
      switch layer.source {
      case .element(let index, let source):
        own = try coverage(
          ofMask: index, transform, boxes.bounds, strokeBounds: boxes.strokeBounds, region, source: source)
      case .image(let image, let source):
        try pushLayer(region)
        try draw(image, boxes, transform, Clip(bounds: region))
        own = try coverage(of: try popLayer(), source)
      case .empty: own = Mask(bounds: .empty)
      }
      if let result { canvas.budget.releaseMask(result.bounds) }
      try canvas.budget.spendPixelsInParts(region.pixelCount &* 4)
      // The operator of the last layer has nothing to combine it with.
      if let below = result {
        result = try own.composited(layer.compositing, over: below, in: region, interruption)
      } else {
        result = own
      }
    }
    return result ?? Mask(bounds: .empty)
  }

  /// Returns the coverage that the pixels of a layer which has left the canvas represent.
  mutating func coverage(of layer: Layer, _ source: Mask.Source) throws(CodecError) -> Mask {
    // The layer has left the budget too, but is held until its mask exists.
    let layerByteCount = try hold(layer.bounds)
    try canvas.budget.spendPixelsInParts(layer.bounds.pixelCount &* 3)
    try canvas.budget.reserveMask(layer.bounds)
    let mask = try Mask(layer, source: source, interruption)
    canvas.budget.releaseMask(layer.bounds)
    canvas.budget.resources.release(layerByteCount)
    return mask
  }

  // MARK: Layers

  /// Draws an image in the boxes of an element.
  mutating func draw(
    _ layer: RenderTree.ImageLayer, _ boxes: Boxes, _ transform: AffineTransform, _ clip: Clip
  ) throws(CodecError) {
    try canvas.budget.resources.chargeWork(Self.workPerLayer)
    guard transform.isFinite, let inverse = transform.inverted,
      let box = layer.box(layer.origin, boxes.bounds, strokeBounds: boxes.strokeBounds), box.width > 0,
      box.height > 0, box.isFinite
    else { return }
    guard let tiling = ImageTiling(layer, in: box) else { return }
    guard case .box(let reference) = layer.area else {
      // Tiles are limited to the visible part of the canvas. How they are drawn must not depend on it.
      let visible = inverse.apply(clip.bounds.rect)
      if tiling.x.isRepeated || tiling.y.isRepeated {
        try drawTiles(layer, tiling, visible, transform, clip)
      } else {
        try draw(layer, in: tiling.rect(0, 0), cut: visible, transform, clip)
      }
      return
    }
    guard let area = layer.box(reference, boxes.bounds, strokeBounds: boxes.strokeBounds) else { return }
    let x = tiling.x.range(in: area.minX, area.maxX)
    let y = tiling.y.range(in: area.minY, area.maxY)
    guard !x.isEmpty, !y.isEmpty else { return }
    if x.count == 1, y.count == 1 {
      try draw(layer, in: tiling.rect(x.lowerBound, y.lowerBound), cut: area, transform, clip)
    } else {
      try drawTiles(layer, tiling, area, transform, clip)
    }
  }

  /// Draws the image once.
  private mutating func draw(
    _ layer: RenderTree.ImageLayer, in rect: Rect, cut: Rect, _ transform: AffineTransform, _ clip: Clip
  ) throws(CodecError) {
    guard let visible = rect.intersection(cut), visible.width > 0, visible.height > 0 else { return }
    switch layer.image {
    case .gradient(let gradient, let colors):
      try canvas.budget.resources.chargeWork(count: gradient.stops.count, unitsEach: GradientLine.workPerStop)
      guard let paint = gradient.paint(colors, in: rect, layer.lengths) else { return }
      try canvas.fill(
        Path(visible), transform: transform, paint: paint, compositing: Compositing(clip: clip))
    case .picture(let content, let isSmooth):
      let size = content.size
      let fitted = AffineTransform(rect.width / size.width, 0, 0, rect.height / size.height, rect.x, rect.y)
      let node = RenderTree.ImageNode(
        content: content, transform: fitted, clip: visible, bounds: rect, isSmooth: isSmooth)
      try draw(node, transform, clip)
    }
  }

  /// Draws a tile at the resolution of the canvas, and repeats its pixels.
  private mutating func drawTiles(
    _ layer: RenderTree.ImageLayer, _ tiling: ImageTiling, _ area: Rect, _ transform: AffineTransform, _ clip: Clip
  ) throws(CodecError) {
    func pixels(_ count: Double, _ x: Double, _ y: Double) -> Int {
      let length = count * (x * x + y * y).squareRoot()
      return length.isFinite ? Int(max(1, min(length.rounded(), Self.maximumTileSide))) : 1
    }
    let (width, height) = (tiling.x.length, tiling.y.length)
    let bounds = PixelRect(
      minX: 0, minY: 0, maxX: pixels(width, transform.a, transform.b), maxY: pixels(height, transform.c, transform.d))
    let scale = Point(x: Double(bounds.width) / width, y: Double(bounds.height) / height)
    guard scale.isFinite else { return }
    try enterResource(levels: Self.levelsOfLayers)
    try pushLayer(bounds)
    let whole = Rect(x: 0, y: 0, width: width, height: height)
    try draw(layer, in: whole, cut: whole, .scale(x: scale.x, y: scale.y), Clip(bounds: bounds))
    resourceDepth -= Self.levelsOfLayers
    let tile = try popLayer()
    let tileByteCount = try hold(tile.bounds)
    defer { canvas.budget.resources.release(tileByteCount) }
    // In a direction without repetition, the area is that of the image.
    var area = area
    if !tiling.x.isRepeated {
      guard let row = area.intersection(Rect(x: tiling.x.start, y: area.y, width: width, height: area.height)) else {
        return
      }
      area = row
    }
    if !tiling.y.isRepeated {
      guard let column = area.intersection(Rect(x: area.x, y: tiling.y.start, width: area.width, height: height))
      else { return }
      area = column
    }
    let place = AffineTransform(1 / scale.x, 0, 0, 1 / scale.y, tiling.x.start, tiling.y.start)
    let paint = ImagePaint(
      tile, transform: place, sampling: .bilinear, extend: .repeat,
      period: Point(x: tiling.x.period * scale.x, y: tiling.y.period * scale.y))
    try canvas.fill(Path(area), transform: transform, paint: .image(paint), compositing: Compositing(clip: clip))
  }
}

extension Mask {
  /// Returns the combination of this coverage with the one below it.
  fileprivate func composited(
    _ operation: MaskCompositing, over below: Mask, in region: PixelRect, _ interruption: Interruption
  ) throws(CodecError) -> Mask {
    if operation == .add || operation == .exclude {
      if bounds.isEmpty { return below }
      if below.bounds.isEmpty { return self }
    }
    switch operation {
    case .intersect: return try intersection(below, interruption)
    case .subtract: return try intersection(try below.inverted(in: region, interruption), interruption)
    case .add:
      var result = Mask(bounds: bounds.union(below.bounds))
      try result.formUnion(below, interruption)
      try result.formUnion(self, interruption)
      return result
    case .exclude:
      var result = Mask(bounds: region)
      try result.formUnion(self, interruption)
      var other = Mask(bounds: region)
      try other.formUnion(below, interruption)
      for row in 0..<region.height {
        try interruption.check(row: row, width: region.width)
        for index in row * region.width..<(row + 1) * region.width {
          let (a, b) = (UInt32(result.coverage[index]), UInt32(other.coverage[index]))
          result.coverage[index] = UInt8(truncatingIfNeeded: (a * (255 - b) + b * (255 - a) + 127) / 255)
        }
      }
      return result
    }
  }

  private func inverted(in region: PixelRect, _ interruption: Interruption) throws(CodecError) -> Mask {
    var result = Mask(bounds: region)
    try result.formUnion(self, interruption)
    result.invert()
    return result
  }
}
