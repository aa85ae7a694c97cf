// The drawing surface: a stack of layers, of which the top one is drawn into.

package import ImageCore

/// The conversion of a path to coverage.
package struct Fill: Hashable, Sendable {
  /// The fill rule: the winding numbers that are inside.
  package enum Rule: Hashable, Sendable {
    case nonZero, evenOdd
  }

  package var rule: Rule
  /// Whether edges are antialiased. If not, a pixel is covered if its centre is inside (`shape-rendering: crispEdges`).
  package var isAntialiased: Bool

  package init(rule: Rule = .nonZero, isAntialiased: Bool = true) {
    self.rule = rule
    self.isAntialiased = isAntialiased
  }
}

/// The compositing of coverage and colours with the canvas.
package struct Compositing: Sendable {
  /// 0…1; multiplied with the coverage.
  package var opacity: Double
  package var blendMode: BlendMode
  package var compositeOperator: CompositeOperator
  /// The clip; `nil` draws to the whole layer.
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

  /// The cost of compositing a pixel, in units of about a nanosecond, not counting its colour.
  var pixelCost: Int { (isPlain ? 0 : 36) + (clip?.mask == nil ? 0 : 3) }
  /// The cost of compositing a row besides that of its pixels.
  var rowCost: Int { clip?.mask == nil ? 0 : 100 }
  /// Whether this is plain source-over compositing.
  var isPlain: Bool { blendMode == .normal && compositeOperator == .over }
  /// The opacity to be applied by the shader.
  var shaderOpacity: Double { isPlain || !(opacity > 0) ? opacity : 1 }
}

/// A stack of layers and operations that draw into the top one.
///
/// All work is charged to the budget. Every method throws `CodecError.Kind.limitExceeded` once it is exhausted.
package struct Canvas: ~Copyable, Sendable {
  /// The top layer.
  private var surface: DrawingSurface
  private var below: [DrawingSurface] = []
  private var rasterizer = Rasterizer()
  /// The remaining budget.
  package var budget: RasterBudget

  /// The area of the top layer.
  package var bounds: PixelRect { surface.bounds }
  /// The pixels of the top layer. Slow until all rows have been drawn into.
  package var layer: Layer { surface.layer }

  /// Creates a transparent canvas.
  package init(bounds: PixelRect, budget: consuming RasterBudget = RasterBudget()) throws(CodecError) {
    self.init(uncharged: bounds, budget: budget)
    try chargeFirstLayer()
  }

  /// Creates a transparent canvas. Call ``chargeFirstLayer()`` before drawing, which does not lose the budget if it
  /// throws.
  package init(uncharged bounds: PixelRect, budget: consuming RasterBudget) {
    self.budget = budget
    surface = DrawingSurface(bounds: bounds)
    rasterizer.edges.canvasRows = bounds.minY..<bounds.maxY
  }

  /// Charges the memory of the canvas and the work of clearing it.
  package mutating func chargeFirstLayer() throws(CodecError) { try budget.reserveLayer(surface.bounds) }

  /// Ends the drawing and returns its budget.
  package consuming func takeBudget() -> RasterBudget { budget }

  /// Creates a transparent canvas for some rows of a larger one, which are drawn in their band of the larger picture.
  /// Each pixel is the same as if all rows were drawn at once.
  ///
  /// The memory of the pixels is not charged. Call ``finishBand()`` at the end. Its precondition is that no copy of the
  /// canvas existed while it was drawn on.
  package init(
    rows: Range<Int>, of canvas: PixelRect, band: consuming PictureBand,
    budget: consuming RasterBudget = RasterBudget()
  ) throws(CodecError) {
    self.budget = budget
    let area = canvas.intersection(
      PixelRect(minX: canvas.minX, minY: rows.lowerBound, maxX: canvas.maxX, maxY: rows.upperBound))
    try self.budget.spendLayer(area)
    surface = DrawingSurface(bounds: area, band: band)
    rasterizer.edges.canvasRows = canvas.minY..<canvas.maxY
  }

  /// Creates a canvas that draws on an existing layer.
  package init(_ layer: consuming Layer, budget: consuming RasterBudget = RasterBudget()) throws(CodecError) {
    self.budget = budget
    try self.budget.reserveLayer(layer.bounds)
    let bounds = layer.bounds
    surface = DrawingSurface(layer)
    rasterizer.edges.canvasRows = bounds.minY..<bounds.maxY
  }

  /// Pushes a transparent layer. Its bounds may extend beyond those of the layers below.
  package mutating func pushLayer(bounds: PixelRect) throws(CodecError) {
    guard below.count < budget.layerDepth else {
      throw CodecError(.limitExceeded, "the layers are nested more than \(budget.layerDepth) levels deep")
    }
    try budget.reserveLayer(bounds)
    below.append(takeSurface())
    surface = DrawingSurface(bounds: bounds)
  }

  /// Pops the top layer and returns its pixels to the budget. The last layer is not removed; a copy of it is returned.
  ///
  /// - Throws: `CodecError.Kind.cancelled`, `CodecError.Kind.deadlineExceeded`.
  package mutating func popLayer() throws(CodecError) -> Layer {
    let interruption = budget.resources.interruption
    guard let last = below.popLast() else {
      try surface.clearRemainingRows(interruption)
      return surface.layer
    }
    budget.releaseLayer(surface.bounds)
    var top = takeSurface()
    surface = last
    try top.clearRemainingRows(interruption)
    return top.layer
  }

  /// Ends the drawing of a band, whose rows are then all in its picture.
  ///
  /// - Throws: `CodecError.Kind.cancelled`, `CodecError.Kind.deadlineExceeded`.
  package mutating func finishBand() throws(CodecError) { try surface.finishBand(budget.resources.interruption) }

  /// Fills a path.
  ///
  /// - Parameter transform: the transform from the space of path and paint to pixels.
  package mutating func fill(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), paint: Paint,
    compositing: Compositing = Compositing()
  ) throws(CodecError) {
    let region = region(of: compositing.clip)
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    try drawPath(path, transform, fill, shader, region, compositing)
  }

  /// Strokes a path. The outline of the stroke is computed in the path's space and then transformed.
  package mutating func stroke(
    _ path: Path, style: StrokeStyle, transform: AffineTransform = .identity, isAntialiased: Bool = true,
    paint: Paint, compositing: Compositing = Compositing()
  ) throws(CodecError) {
    let region = region(of: compositing.clip)
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    let outline = try path.stroked(style, transform: transform, region: region, budget: &budget)
    try drawPath(
      outline, transform, Fill(rule: .nonZero, isAntialiased: isAntialiased), shader, region, compositing,
      strokeSurvey: StrokeSurvey(path, width: style.width * transform.maximumScale, transform))
  }

  private mutating func drawPath(
    _ path: Path, _ transform: AffineTransform, _ fill: Fill, _ shader: Shader, _ region: PixelRect,
    _ compositing: Compositing, strokeSurvey: StrokeSurvey? = nil
  ) throws(CodecError) {
    rasterizer.edges.reset(clip: region)
    try rasterizer.edges.add(path, transform: transform, budget: &budget)
    // The sides of a stroke overlap slightly at every join, so its outline tells nothing.
    let examination =
      strokeSurvey.map { $0.mayOverlap ? OverlapExamination.allRows : .none } ?? examination(of: path, transform)
    var sink = LayerSink(surface: takeSurface(), region: region, shader: shader, compositing: compositing)
    try rasterizer.rasterize(
      fill, examination: examination, pixelCost: shader.pixelCost + compositing.pixelCost,
      rowCost: shader.rowCost + compositing.rowCost, into: &sink, budget: &budget)
    surface = sink.surface
  }

  private func examination(of path: Path, _ transform: AffineTransform) -> OverlapExamination {
    OverlapSurvey.isSuspect(path, transform: transform) ? .allRows : .suspectRows
  }

  /// Draws a layer without resampling.
  ///
  /// With an unbounded operator the whole clip is affected, including areas outside the source.
  package mutating func draw(
    _ source: consuming Layer, compositing: Compositing = Compositing()
  ) throws(CodecError) {
    let reach = region(of: compositing.clip)
    let region = compositing.compositeOperator.isUnbounded ? reach : reach.intersection(source.bounds)
    guard !region.isEmpty else { return }
    if surface.isUndrawn, region == surface.bounds, region == source.bounds, compositing.isPlain,
      compositing.opacity >= 1
    {
      // Over transparent pixels, the layer is the result: its memory is kept, and that of the canvas never written.
      try budget.spendPixelsInParts(
        region.pixelCount &* (1 + compositing.pixelCost) &+ region.height &* compositing.rowCost)
      surface.replace(with: source)
      if let mask = compositing.clip?.mask { try surface.multiply(by: mask, budget.resources.interruption) }
      return
    }
    let shader = Shader(
      .image(ImagePaint(source, transform: .identity, sampling: .nearest)), transform: .identity,
      opacity: compositing.shaderOpacity)
    guard let shader else { return }
    try cover(region, shader, compositing)
  }

  /// Paints all pixels of the layer inside the clip.
  package mutating func paint(
    _ paint: Paint, transform: AffineTransform = .identity, compositing: Compositing = Compositing()
  ) throws(CodecError) {
    let region = region(of: compositing.clip)
    guard !region.isEmpty, let shader = try makeShader(paint, transform, compositing) else { return }
    try cover(region, shader, compositing)
  }

  /// Returns the coverage of a path within some bounds. The mask is no larger than the area the path covers, except for
  /// up to three columns on the left.
  package mutating func makeMask(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), bounds: PixelRect
  ) throws(CodecError) -> Mask {
    guard !bounds.isEmpty, max(bounds.width, bounds.height) <= RasterBudget.maximumSide else {
      return Mask(bounds: .empty)
    }
    rasterizer.edges.reset(clip: bounds)
    try rasterizer.edges.add(path, transform: transform, budget: &budget)
    // The columns depend only on the path: how a line is cut at the left border must not depend on the rows being
    // drawn.
    let touched = rasterizer.edges.bounds
    let box = path.controlBounds.map { PixelRect(covering: transform.apply($0)).intersection(bounds) } ?? bounds
    // Coverage runs begin at multiples of four columns.
    let left = bounds.minX + (min(box.minX, touched.minX) - bounds.minX) & ~3
    let covered = PixelRect(
      minX: left, minY: touched.minY, maxX: max(box.maxX, touched.maxX), maxY: touched.maxY)
    try budget.spendMask(covered)
    var sink = MaskSink(bounds: covered, region: bounds)
    try rasterizer.rasterize(
      fill, examination: examination(of: path, transform), pixelCost: 1, rowCost: 10, into: &sink, budget: &budget)
    return sink.mask
  }

  /// Draws a shader with full coverage.
  private mutating func cover(
    _ region: PixelRect, _ shader: Shader, _ compositing: Compositing
  ) throws(CodecError) {
    let workPerRow =
      region.width &* (shader.pixelCost + compositing.pixelCost) &+ shader.rowCost &+ compositing.rowCost
    try budget.resources.requireWork(count: region.height, unitsEach: workPerRow)
    var sink = LayerSink(surface: takeSurface(), region: region, shader: shader, compositing: compositing)
    let runs = [CoverageRun(x: 0, count: Int32(truncatingIfNeeded: region.width), solid: 255)]
    let coverage = [UInt8](repeating: 255, count: region.width)
    for y in 0..<region.height {
      try budget.spendPixels(workPerRow)
      sink.consume(y: y, runs: runs.span, coverage: coverage.span)
    }
    surface = sink.surface
  }

  /// The pixels that can change.
  private func region(of clip: Clip?) -> PixelRect {
    guard let clip else { return surface.bounds }
    let region = surface.bounds.intersection(clip.bounds)
    return clip.mask.map { region.intersection($0.bounds) } ?? region
  }

  private mutating func makeShader(
    _ paint: Paint, _ transform: AffineTransform, _ compositing: Compositing
  ) throws(CodecError) -> Shader? {
    let shader = Shader(paint, transform: transform, opacity: compositing.shaderOpacity)
    if let shader { try budget.spendPixels(shader.preparationCost) }
    return shader
  }

  /// Moves the top layer out of the stack, so that its pixels have a single owner while they are mutated.
  private mutating func takeSurface() -> DrawingSurface {
    let taken = surface
    surface = DrawingSurface(bounds: .empty)
    return taken
  }
}
