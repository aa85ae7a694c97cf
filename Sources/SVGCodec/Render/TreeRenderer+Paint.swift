// Paint servers to paints: gradients in the user space of the shape, patterns as tiles of pixels at the resolution of
// the canvas.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeRenderer {
  /// The maximum side of a tile in pixels; larger tiles are drawn at a lower resolution.
  private static let maximumTileSide = 8192.0

  /// Returns the paint of a shape; `nil` if it paints nothing.
  mutating func paint(
    _ paint: RenderTree.ShapePaint, _ shape: RenderTree.Shape, _ transform: AffineTransform
  ) throws(CodecError) -> Paint? {
    var bounds = shape.bounds
    var space = AffineTransform.identity
    if let context = paint.context, let known = contexts[Int(context)] {
      guard let inverse = transform.inverted else { return nil }
      bounds = known.bounds
      space = inverse * known.transform
    }
    switch paint.source {
    case .color(let color): return .color(color)
    case .gradient(let index):
      guard let box = box(tree.gradients[Int(index)].units, bounds) else { return fallback(of: paint) }
      return gradient(tree.gradients[Int(index)], space * box)
    case .pattern(let index):
      let pattern = tree.patterns[Int(index)]
      guard let box = box(pattern.units, bounds) else { return fallback(of: paint) }
      return try self.pattern(index, pattern, bounds: bounds, box, space, transform)
    }
  }

  /// Returns the colour of a paint whose server cannot paint.
  private func fallback(of paint: RenderTree.ShapePaint) -> Paint? {
    paint.fallback.map { .color(tree.fallbackColors[Int($0)]) }
  }

  /// Returns the transform to user space from the unit square of a bounding box, or from user space; `nil` for a box
  /// without area.
  func box(_ units: RenderTree.Units, _ bounds: Rect?) -> AffineTransform? {
    guard units == .boundingBox else { return .identity }
    guard let bounds, bounds.width > 0, bounds.height > 0 else { return nil }
    return AffineTransform(bounds.width, 0, 0, bounds.height, bounds.x, bounds.y)
  }

  private func gradient(_ gradient: RenderTree.GradientResource, _ space: AffineTransform) -> Paint {
    let transform = space * gradient.transform
    switch gradient.geometry {
    case .linear(let start, let end):
      return .linearGradient(LinearGradient(gradient.ramp, start: start, end: end, transform: transform))
    case .radial(let center, let radius, let focus, let focusRadius):
      return .radialGradient(
        RadialGradient(
          gradient.ramp, center: center, radius: radius, focus: focus, focusRadius: focusRadius,
          transform: transform))
    case .sweep(let center, let startAngle, let endAngle):
      return .sweepGradient(
        SweepGradient(
          ramp: gradient.ramp, center: center, startAngle: startAngle, endAngle: endAngle, transform: transform))
    }
  }

  private mutating func pattern(
    _ index: RenderTree.Index, _ pattern: RenderTree.PatternResource, bounds: Rect?, _ box: AffineTransform,
    _ space: AffineTransform, _ transform: AffineTransform
  ) throws(CodecError) -> Paint? {
    let rect = box.apply(pattern.rect)
    let toPath = space * pattern.transform
    let full = transform * toPath
    guard rect.width > 0, rect.height > 0, rect.isFinite, full.isFinite, full.determinant != 0 else { return nil }
    // A tile has the number of pixels that it covers on the canvas.
    func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    func pixels(_ count: Double) -> Int {
      count.isFinite ? Int(max(1, min(count.rounded(), Self.maximumTileSide))) : 1
    }
    let width = pixels(rect.width * length(full.a, full.b))
    let height = pixels(rect.height * length(full.c, full.d))
    let tileScale = AffineTransform.scale(x: Double(width) / rect.width, y: Double(height) / rect.height)
    let key = TileKey(
      pattern: index, bounds: pattern.units == .boundingBox || pattern.contentUnits == .boundingBox ? bounds : nil,
      width: width, height: height)
    let tile: Layer
    if let known = tiles.layer(key) {
      tile = known
    } else {
      guard let drawn = try drawTile(pattern, rect, tileScale, bounds: bounds, width: width, height: height) else {
        return nil
      }
      tiles.insert(drawn, for: key, charging: &canvas.budget)
      tile = drawn
    }
    let place = AffineTransform(1 / tileScale.a, 0, 0, 1 / tileScale.d, rect.x, rect.y)
    return .image(ImagePaint(tile, transform: toPath * place, sampling: .bilinear, extend: .repeat))
  }

  private mutating func drawTile(
    _ pattern: RenderTree.PatternResource, _ rect: Rect, _ scale: AffineTransform, bounds: Rect?, width: Int,
    height: Int
  ) throws(CodecError) -> Layer? {
    var content = scale
    if let viewBox = pattern.viewBox {
      let target = Rect(x: 0, y: 0, width: rect.width, height: rect.height)
      content = content * pattern.aspectRatio.transform(from: viewBox, to: target)
    } else if pattern.contentUnits == .boundingBox {
      guard let bounds, bounds.width > 0, bounds.height > 0 else { return nil }
      content = content * .scale(x: bounds.width, y: bounds.height)
    }
    let pixels = PixelRect(minX: 0, minY: 0, maxX: width, maxY: height)
    try enterResource(levels: Self.levelsOfPattern)
    try pushLayer(pixels)
    try draw(pattern.content, transform: content, clip: Clip(bounds: pixels))
    resourceDepth -= Self.levelsOfPattern
    return try popLayer()
  }
}
