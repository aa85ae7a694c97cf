// A render tree onto a canvas. Groups are kept on an explicit stack; only the contents of patterns, masks, clips and
// pictures are drawn by a nested call, whose depth is bounded.

internal import ImageCore
internal import VectorGraphics

/// Draws the nodes of a tree.
struct TreeRenderer {
  /// How deep contents of resources may be nested. Each level takes a few kilobytes of the stack.
  static let maximumResourceDepth = 24

  /// The user space and the bounds of an element that others take their paint from.
  struct ContextSpace {
    var transform: AffineTransform
    var bounds: Rect?
  }

  struct OpenGroup {
    var end: Int
    /// What to go back to.
    var transform: AffineTransform
    var clip: Clip
    /// How the layer meets the one below; `nil` when there is no layer.
    var compositing: Compositing?
    /// What happens to the layer before.
    var plan: FilterPlan?
  }

  var tree: RenderTree
  var canvas: Canvas
  let limits: SVGDocument.Limits
  let shouldCancel: (@Sendable () -> Bool)?
  /// From the document's units to pixels.
  private var documentTransform = AffineTransform.identity
  private let maximumVisitCount: Int
  var visitCount = 0
  var resourceDepth = 0
  var layerDepth = 0
  /// What filters may still cost.
  var filterWork: Int
  var contexts: [ContextSpace?]
  var tiles: [TileKey: Layer] = [:]

  init(
    _ tree: RenderTree, canvas: Canvas, limits: SVGDocument.Limits, shouldCancel: (@Sendable () -> Bool)?
  ) {
    self.tree = tree
    self.canvas = canvas
    self.limits = limits
    self.shouldCancel = shouldCancel
    maximumVisitCount = limits.maximumRepeatedVisitCount + tree.totalNodeCount
    filterWork = max(limits.maximumFilterWork, canvas.layer.bounds.pixelCount * 512)
    contexts = Array(repeating: nil, count: tree.contextCount)
  }

  /// Draws the whole document, or what of it is in the rows that the canvas holds.
  ///
  /// - Parameter transform: from CSS pixels to the canvas.
  mutating func draw(background: RGBA8?, transform: AffineTransform) throws(DecodeError) {
    if let background {
      let color = Color(
        red8: background.red, green8: background.green, blue8: background.blue,
        alpha: Double(background.alpha) / 255)
      try canvas.paint(.color(color))
    }
    guard tree.width > 0, tree.height > 0 else { return }
    documentTransform = transform
    try draw(tree.content, transform: transform, clip: Clip(bounds: canvas.layer.bounds))
  }

  /// The pixels.
  consuming func finish() throws(DecodeError) -> Bitmap {
    try canvas.popLayer().makeBitmap()
  }

  // MARK: Nodes

  /// Draws some nodes.
  mutating func draw(
    _ range: Range<RenderTree.Index>, transform: AffineTransform, clip: Clip
  ) throws(DecodeError) {
    var open: [OpenGroup] = []
    var transform = transform
    var clip = clip
    var index = Int(range.lowerBound)
    while true {
      while let last = open.last, last.end <= index {
        open.removeLast()
        try close(last)
        transform = last.transform
        clip = last.clip
      }
      guard index < Int(range.upperBound) else { return }
      try visit()
      switch tree.nodes[index] {
      case .group(let group, let end):
        let next = try enter(
          tree.groups[Int(group)], first: index + 1, nodeCount: Int(end) - index - 1, transform, clip)
        guard let next else {
          index = Int(end)
          continue
        }
        open.append(
          OpenGroup(
            end: Int(end), transform: transform, clip: clip, compositing: next.compositing, plan: next.plan))
        transform = next.transform
        clip = next.clip
      case .shape(let shape): try draw(tree.shapes[Int(shape)], transform, clip)
      case .image(let image): try draw(tree.images[Int(image)], transform, clip)
      }
      index += 1
    }
  }

  mutating func visit() throws(DecodeError) {
    visitCount += 1
    guard visitCount <= maximumVisitCount else {
      throw DecodeError(.limitExceeded, "more than \(maximumVisitCount) nodes are drawn")
    }
    if visitCount & 63 == 0, let shouldCancel, shouldCancel() {
      throw DecodeError(.cancelled, "the caller asked to stop")
    }
  }

  // MARK: Groups

  private struct Entered {
    var transform: AffineTransform
    var clip: Clip
    var compositing: Compositing?
    var plan: FilterPlan?
  }

  /// Prepares for the children of a group; `nil` when none of them shows.
  private mutating func enter(
    _ group: RenderTree.Group, first: Int, nodeCount: Int, _ outer: AffineTransform, _ clip: Clip
  ) throws(DecodeError) -> Entered? {
    let transform = outer * group.transform
    guard transform.isFinite, transform.determinant != 0, let visibleBounds = group.visibleBounds else {
      return nil
    }
    // A pixel more on each side for the smooth edges.
    let covered = PixelRect(covering: transform.apply(visibleBounds).expanded(by: 1))
    var clip = clip
    clip.bounds = clip.bounds.intersection(covered)
    guard !clip.bounds.isEmpty else { return nil }
    if let context = group.context { contexts[Int(context)] = ContextSpace(transform: transform, bounds: group.bounds) }
    var hasSmoothClip = group.clip != nil
    if let rect = group.clipRect, group.filters.isEmpty {
      let window = try self.clip(to: rect, transform, clip.bounds)
      hasSmoothClip = hasSmoothClip || window.mask != nil
      clip = clip.intersection(window)
    }
    if let index = group.clip {
      clip = try clip.intersection(Clip(coverage(ofClip: index, transform, group.bounds, clip.bounds)))
    }
    guard !clip.bounds.isEmpty else { return nil }
    // Children that meet at the clip's edge must not show through each other there, nor a fill through its stroke.
    let isClippedTogether = hasSmoothClip && (nodeCount > 1 || hasFillAndStroke(first))
    guard group.needsLayer || isClippedTogether else {
      return Entered(transform: transform, clip: clip, compositing: nil)
    }
    if let index = group.mask {
      clip = try clip.intersection(Clip(coverage(ofMask: index, transform, group.bounds, clip.bounds)))
      guard !clip.bounds.isEmpty else { return nil }
    }
    let compositing = Compositing(opacity: group.opacity, blendMode: group.blendMode, clip: clip)
    if !group.filters.isEmpty { return try enterFiltered(group, transform, compositing, clip.bounds) }
    try pushLayer(clip.bounds)
    return Entered(transform: transform, clip: Clip(bounds: clip.bounds), compositing: compositing)
  }

  /// Whether a node is a shape with both a fill and a stroke.
  private func hasFillAndStroke(_ index: Int) -> Bool {
    guard index < tree.nodes.count, case .shape(let shape) = tree.nodes[index] else { return false }
    return tree.shapes[Int(shape)].fill != nil && tree.shapes[Int(shape)].stroke != nil
  }

  private mutating func close(_ group: OpenGroup) throws(DecodeError) {
    guard let compositing = group.compositing else { return }
    let layer = popLayer()
    if let plan = group.plan {
      try draw(layer, plan, compositing)
    } else {
      try canvas.draw(layer, compositing: compositing)
    }
  }

  /// Prepares for the children of a group with filters, which are drawn as far as the filters need them.
  private mutating func enterFiltered(
    _ group: RenderTree.Group, _ transform: AffineTransform, _ compositing: Compositing, _ wanted: PixelRect
  ) throws(DecodeError) -> Entered? {
    guard
      let plan = FilterPlan(group.filters, of: tree, transform: transform, bounds: group.bounds, wanted: wanted)
    else { return nil }
    if let context = group.context { contexts[Int(context)]?.transform = plan.toPixels }
    var source = PixelRect.empty
    if let bounds = group.strokeBounds {
      source = plan.source.intersection(PixelRect(covering: plan.toPixels.apply(bounds).expanded(by: 1)))
    }
    var clip = Clip(bounds: source)
    if let rect = group.clipRect { clip = try clip.intersection(self.clip(to: rect, plan.toPixels, source)) }
    guard !clip.bounds.isEmpty else {
      try draw(Layer(bounds: .empty), plan, compositing)
      return nil
    }
    try pushLayer(source)
    return Entered(transform: plan.toPixels, clip: clip, compositing: compositing, plan: plan)
  }

  /// Draws what filters make of a layer.
  private mutating func draw(
    _ source: Layer, _ plan: FilterPlan, _ compositing: Compositing
  ) throws(DecodeError) {
    let layer = try run(plan, on: source)
    guard !layer.bounds.isEmpty else { return }
    if plan.toCanvas == .identity {
      try canvas.draw(layer, compositing: compositing)
      return
    }
    // The edges of the region are those of what is filled; behind them its outermost pixels go on. Other edges of the
    // layer are those of what shows, or transparent.
    let shown = layer.bounds.expanded(x: 1, y: 1)
    let edge = plan.region.contains(shown) ? shown : plan.region
    try reserving(shown) { renderer throws(DecodeError) in
      let wide = layer.extended(to: shown, region: plan.region, edgeMode: .duplicate)
      let paint = ImagePaint(wide, transform: .identity, sampling: .bilinear, extend: .transparent)
      try renderer.canvas.fill(
        Path(edge.rect), transform: plan.toCanvas, paint: .image(paint), compositing: compositing)
    }
  }

  mutating func pushLayer(_ bounds: PixelRect) throws(DecodeError) {
    layerDepth += 1
    guard layerDepth <= limits.maximumLayerDepth else {
      throw DecodeError(.limitExceeded, "more than \(limits.maximumLayerDepth) layers lie on top of each other")
    }
    try canvas.pushLayer(bounds: bounds)
  }

  mutating func popLayer() -> Layer {
    layerDepth -= 1
    return canvas.popLayer()
  }

  /// A clip to a rectangle of a user space.
  mutating func clip(
    to rect: Rect, _ transform: AffineTransform, _ bounds: PixelRect
  ) throws(DecodeError) -> Clip {
    let device = transform.apply(rect)
    if transform.preservesRectangles {
      let edges = [device.minX, device.minY, device.maxX, device.maxY]
      if edges.allSatisfy({ abs($0 - $0.rounded()) < 1e-3 }) {
        let whole = Rect(
          Point(x: device.minX.rounded(), y: device.minY.rounded()),
          Point(x: device.maxX.rounded(), y: device.maxY.rounded()))
        return Clip(bounds: PixelRect(covering: whole).intersection(bounds))
      }
    }
    return Clip(try canvas.makeMask(Path(rect), transform: transform, bounds: bounds))
  }

  // MARK: Shapes

  private mutating func draw(
    _ shape: RenderTree.Shape, _ outer: AffineTransform, _ clip: Clip
  ) throws(DecodeError) {
    let transform = shape.transform == .identity ? outer : outer * shape.transform
    guard transform.isFinite, let bounds = shape.bounds else { return }
    if let context = shape.context { contexts[Int(context)] = ContextSpace(transform: transform, bounds: bounds) }
    let covered = PixelRect(covering: transform.apply(bounds.expanded(by: shape.strokeReach)).expanded(by: 1))
    guard !covered.intersection(clip.bounds).isEmpty else { return }
    if shape.isStrokeFirst { try stroke(shape, transform, clip) }
    if let fill = shape.fill, let paint = try paint(fill, shape, transform) {
      try canvas.fill(
        shape.path, transform: transform, fill: Fill(rule: shape.fillRule, isAntialiased: shape.isAntialiased),
        paint: paint, compositing: Compositing(opacity: fill.opacity, clip: clip))
    }
    if !shape.isStrokeFirst { try stroke(shape, transform, clip) }
  }

  private mutating func stroke(
    _ shape: RenderTree.Shape, _ transform: AffineTransform, _ clip: Clip
  ) throws(DecodeError) {
    guard let stroke = shape.stroke, shape.strokeStyle.width > 0,
      let paint = try paint(stroke, shape, transform)
    else { return }
    if shape.hasFixedStroke, transform != documentTransform {
      try fillFixedStroke(shape, transform, paint, Compositing(opacity: stroke.opacity, clip: clip))
      return
    }
    try canvas.stroke(
      shape.path, style: shape.strokeStyle, transform: transform, isAntialiased: shape.isAntialiased, paint: paint,
      compositing: Compositing(opacity: stroke.opacity, clip: clip))
  }

  /// Shapes a stroke in the document's units, and fills it with a paint of the shape's user space.
  private mutating func fillFixedStroke(
    _ shape: RenderTree.Shape, _ transform: AffineTransform, _ paint: Paint, _ compositing: Compositing
  ) throws(DecodeError) {
    guard let fromPixels = documentTransform.inverted, let toUser = (fromPixels * transform).inverted else { return }
    let outline = try shape.path.transformed(by: fromPixels * transform).stroked(
      shape.strokeStyle, transform: documentTransform, isSampled: canvas.samplesCoverage, budget: &canvas.budget)
    try canvas.fill(
      outline.transformed(by: toUser), transform: transform, fill: Fill(isAntialiased: shape.isAntialiased),
      paint: paint, compositing: compositing)
  }

  // MARK: Images

  mutating func draw(
    _ image: RenderTree.ImageNode, _ transform: AffineTransform, _ clip: Clip
  ) throws(DecodeError) {
    guard transform.isFinite, transform.determinant != 0 else { return }
    switch image.content {
    case .bitmap(let layer):
      let full = transform * image.transform
      let isEnlarged = full.minimumScale >= 1
      // Beside sampled shapes pictures are resvg's, which are never averaged.
      let isCubic = isEnlarged || canvas.samplesCoverage
      let sampling: ImagePaint.Sampling = !image.isSmooth ? .nearest : isCubic ? .bicubic : .smooth
      let paint = ImagePaint(layer, transform: image.transform, sampling: sampling, extend: .pad)
      try canvas.fill(
        Path(image.clip), transform: transform, paint: .image(paint), compositing: Compositing(clip: clip))
    case .document(let document):
      // Cutting where the content ends would only take from its smooth edges.
      let isCut = document.tree.reaches(beyond: image.clip, image.transform)
      let inner = isCut ? clip.intersection(try self.clip(to: image.clip, transform, clip.bounds)) : clip
      guard !inner.bounds.isEmpty else { return }
      try enterResource()
      let saved = (tree, contexts, tiles)
      tree = document.tree
      contexts = Array(repeating: nil, count: tree.contextCount)
      tiles = [:]
      try draw(tree.content, transform: transform * image.transform, clip: inner)
      (tree, contexts, tiles) = saved
      resourceDepth -= 1
    }
  }

  mutating func enterResource() throws(DecodeError) {
    resourceDepth += 1
    guard resourceDepth <= Self.maximumResourceDepth else {
      throw DecodeError(
        .limitExceeded, "patterns, masks and clips are nested deeper than \(Self.maximumResourceDepth)")
    }
  }
}
