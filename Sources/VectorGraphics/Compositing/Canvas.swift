// The drawing surface: a stack of layers, each drawn into until it is taken off.

package import ImageCore

/// How a path becomes coverage.
package struct Fill: Hashable, Sendable {
  /// Which windings are inside.
  package enum Rule: Hashable, Sendable {
    case nonZero, evenOdd
  }

  package var rule: Rule
  /// Whether edges are smooth. Without, a pixel is in or out by its centre (`shape-rendering: crispEdges`).
  package var isAntialiased: Bool

  package init(rule: Rule = .nonZero, isAntialiased: Bool = true) {
    self.rule = rule
    self.isAntialiased = isAntialiased
  }
}

/// How coverage and colours meet what is on the canvas.
package struct Compositing: Sendable {
  /// 0…1; multiplies coverage.
  package var opacity: Double
  package var blendMode: BlendMode
  package var compositeOperator: CompositeOperator
  /// `nil` draws everywhere in the layer.
  package var clip: Clip?

  package init(
    opacity: Double = 1, blendMode: BlendMode = .normal, compositeOperator: CompositeOperator = .over,
    clip: Clip? = nil
  ) {
    self.opacity = opacity
    self.blendMode = blendMode
    self.compositeOperator = compositeOperator
    self.clip = clip
  }

  /// What a pixel costs beside its colour, in units of about a nanosecond.
  var pixelCost: Int { isPlain ? 0 : 12 }
  /// Whether the source is simply put over what is there.
  var isPlain: Bool { blendMode == .normal && compositeOperator == .over }
  /// The opacity that goes into the colours.
  var shaderOpacity: Double { isPlain || !(opacity > 0) ? opacity : 1 }
}

/// A stack of layers and the means to draw into the top one.
///
/// All work is taken from the budget; every method throws ``DecodeError/Kind/limitExceeded`` when it is spent.
package struct Canvas: Sendable {
  /// The layer that is drawn into.
  package private(set) var layer: Layer
  private var below: [Layer] = []
  private var rasterizer = Rasterizer()
  /// What is left of the work.
  package var budget: RasterBudget
  /// Whether coverage is sampled four by four in each pixel in place of exact areas. That is what resvg and Skia's
  /// supersampler do: for comparing drawings with theirs pixel by pixel.
  package var samplesCoverage = false

  /// A transparent canvas.
  package init(bounds: PixelRect, budget: RasterBudget = RasterBudget()) throws(DecodeError) {
    self.budget = budget
    try self.budget.reserveLayer(bounds)
    layer = Layer(bounds: bounds)
    rasterizer.edges.canvasRows = bounds.minY..<bounds.maxY
  }

  /// Some rows of a larger canvas, transparent: each pixel becomes what it is when all rows are drawn at once.
  package init(rows: Range<Int>, of canvas: PixelRect, budget: RasterBudget = RasterBudget()) throws(DecodeError) {
    let band = PixelRect(minX: canvas.minX, minY: rows.lowerBound, maxX: canvas.maxX, maxY: rows.upperBound)
    try self.init(bounds: canvas.intersection(band), budget: budget)
    rasterizer.edges.canvasRows = canvas.minY..<canvas.maxY
  }

  /// A canvas that draws on an existing layer.
  package init(_ layer: consuming Layer, budget: RasterBudget = RasterBudget()) throws(DecodeError) {
    self.budget = budget
    try self.budget.reserveLayer(layer.bounds)
    self.layer = layer
    rasterizer.edges.canvasRows = self.layer.bounds.minY..<self.layer.bounds.maxY
  }

  /// Puts a transparent layer on top. Its bounds may reach beyond those below.
  package mutating func pushLayer(bounds: PixelRect) throws(DecodeError) {
    guard below.count < budget.layerDepth else {
      throw DecodeError(.limitExceeded, "more than \(budget.layerDepth) layers on top of each other")
    }
    try budget.reserveLayer(bounds)
    below.append(layer)
    layer = Layer(bounds: bounds)
  }

  /// Takes the top layer off and gives its pixels back to the budget. The last one stays; a copy of it is returned.
  package mutating func popLayer() -> Layer {
    guard let last = below.popLast() else { return layer }
    budget.releaseLayer(layer.bounds)
    let result = layer
    layer = last
    return result
  }

  /// Fills a path.
  ///
  /// - Parameter transform: from the path's and the paint's space to pixels.
  package mutating func fill(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), paint: Paint,
    compositing: Compositing = Compositing()
  ) throws(DecodeError) {
    let region = region(of: compositing.clip)
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    try drawPath(path, transform, fill, shader, region, compositing)
  }

  /// Strokes a path; the stroke is shaped in the path's space and then transformed.
  package mutating func stroke(
    _ path: Path, style: StrokeStyle, transform: AffineTransform = .identity, isAntialiased: Bool = true,
    paint: Paint, compositing: Compositing = Compositing()
  ) throws(DecodeError) {
    let region = region(of: compositing.clip)
    if samplesCoverage, isAntialiased, let coverage = style.hairlineCoverage(transform) {
      try drawHairline(path, style, coverage: coverage, transform, paint, region, compositing)
      return
    }
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    let outline = try path.stroked(
      style, transform: transform, region: region, isSampled: samplesCoverage, budget: &budget)
    try drawPath(
      outline, transform, Fill(rule: .nonZero, isAntialiased: isAntialiased), shader, region,
      compositing)
  }

  private mutating func drawHairline(
    _ path: Path, _ style: StrokeStyle, coverage: Double, _ transform: AffineTransform, _ paint: Paint,
    _ region: PixelRect, _ compositing: Compositing
  ) throws(DecodeError) {
    var compositing = compositing
    if coverage != 1 {
      // Whole steps of 1/256, then of 1/255.
      compositing.opacity *= (255 * (coverage * 256).rounded(.down) / 256).rounded(.down) / 255
    }
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    let lines = path.dashed(style, precision: .sampled(scale: transform.axisScale))
    let hairline = HairlineStroke(cap: style.cap, transform: transform, surface: layer.bounds)
    var sink = LayerSink(layer: takeLayer(), region: region, shader: shader, compositing: compositing)
    let work: Int
    do throws(DecodeError) {
      work = try hairline.draw(lines, region: region, budget: &budget, into: &sink)
    } catch {
      layer = sink.layer
      throw error
    }
    layer = sink.layer
    try budget.spendPixels(work &* (shader.pixelCost + compositing.pixelCost))
  }

  private mutating func drawPath(
    _ path: Path, _ transform: AffineTransform, _ fill: Fill, _ shader: Shader, _ region: PixelRect,
    _ compositing: Compositing
  ) throws(DecodeError) {
    if samplesCoverage {
      var shape = try SampledShape(
        path, transform: transform, surface: layer.bounds, isAntialiased: fill.isAntialiased, budget: &budget)
      var sink = LayerSink(layer: takeLayer(), region: region, shader: shader, compositing: compositing)
      let work = shape.draw(fill.rule, region: region, into: &sink)
      layer = sink.layer
      try budget.spendPixels(work &* (shader.pixelCost + compositing.pixelCost))
      return
    }
    rasterizer.edges.reset(clip: region)
    try rasterizer.edges.add(path, transform: transform, budget: &budget)
    var sink = LayerSink(layer: takeLayer(), region: region, shader: shader, compositing: compositing)
    let work = rasterizer.rasterize(fill, into: &sink)
    layer = sink.layer
    try budget.spendPixels(work &* (shader.pixelCost + compositing.pixelCost))
  }

  /// Draws a layer pixel on pixel.
  ///
  /// With the operators `in` and `out` everything within the clip counts, also where the source has no pixels.
  package mutating func draw(_ source: Layer, compositing: Compositing = Compositing()) throws(DecodeError) {
    let reach = region(of: compositing.clip)
    let isBounded = compositing.compositeOperator != .sourceIn && compositing.compositeOperator != .out
    let region = isBounded ? reach.intersection(source.bounds) : reach
    let shader = Shader(
      .image(ImagePaint(source, transform: .identity, sampling: .nearest)), transform: .identity,
      opacity: compositing.shaderOpacity)
    guard !region.isEmpty, let shader else { return }
    try cover(region, shader, compositing)
  }

  /// Paints all pixels of the layer that the clip leaves.
  package mutating func paint(
    _ paint: Paint, transform: AffineTransform = .identity, compositing: Compositing = Compositing()
  ) throws(DecodeError) {
    let region = region(of: compositing.clip)
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    try cover(region, shader, compositing)
  }

  /// The coverage of a path within some bounds: no larger than what the path covers of them, but for up to three columns
  /// on the left.
  package mutating func makeMask(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), bounds: PixelRect
  ) throws(DecodeError) -> Mask {
    guard !bounds.isEmpty, max(bounds.width, bounds.height) <= RasterBudget.maximumSide else {
      return Mask(bounds: .empty)
    }
    if samplesCoverage {
      var shape = try SampledShape(
        path, transform: transform, surface: bounds, isAntialiased: fill.isAntialiased, budget: &budget)
      try budget.spendMask(shape.bounds)
      var sink = MaskSink(bounds: shape.bounds, region: bounds)
      try budget.spendPixels(shape.draw(fill.rule, region: bounds, into: &sink))
      return sink.mask
    }
    rasterizer.edges.reset(clip: bounds)
    try rasterizer.edges.add(path, transform: transform, budget: &budget)
    // Columns by the path alone: how a line is cut at the left border must not depend on the rows that are drawn.
    let touched = rasterizer.edges.bounds
    let box = path.controlBounds.map { PixelRect(covering: transform.apply($0)).intersection(bounds) } ?? bounds
    // Runs of coverage begin at multiples of four columns.
    let left = bounds.minX + (min(box.minX, touched.minX) - bounds.minX) & ~3
    let covered = PixelRect(
      minX: left, minY: touched.minY, maxX: max(box.maxX, touched.maxX), maxY: touched.maxY)
    try budget.spendMask(covered)
    var sink = MaskSink(bounds: covered, region: bounds)
    try budget.spendPixels(rasterizer.rasterize(fill, into: &sink))
    return sink.mask
  }

  /// Draws a shader with full coverage.
  private mutating func cover(
    _ region: PixelRect, _ shader: Shader, _ compositing: Compositing
  ) throws(DecodeError) {
    try budget.spendPixels(region.pixelCount &* (shader.pixelCost + compositing.pixelCost))
    var sink = LayerSink(layer: takeLayer(), region: region, shader: shader, compositing: compositing)
    let runs = [CoverageRun(x: 0, count: Int32(truncatingIfNeeded: region.width), solid: 255)]
    let coverage = [UInt8](repeating: 255, count: region.width)
    for y in 0..<region.height { sink.consume(y: y, runs: runs.span, coverage: coverage.span) }
    layer = sink.layer
  }

  /// The pixels that can change.
  private func region(of clip: Clip?) -> PixelRect {
    guard let clip else { return layer.bounds }
    let region = layer.bounds.intersection(clip.bounds)
    return clip.mask.map { region.intersection($0.bounds) } ?? region
  }

  private mutating func makeShader(
    _ paint: Paint, _ transform: AffineTransform, _ compositing: Compositing
  ) throws(DecodeError) -> Shader? {
    if case .image(let image) = paint, image.sampling == .smooth {
      // Every pixel of it may be averaged.
      try budget.spendPixels(image.layer.bounds.pixelCount)
    }
    return Shader(paint, transform: transform, opacity: compositing.shaderOpacity)
  }

  /// The layer, so that only the taker holds its pixels while they change.
  private mutating func takeLayer() -> Layer {
    let taken = layer
    layer = Layer(bounds: .empty)
    return taken
  }
}
