// Draws a render tree on a canvas. Groups are kept on an explicit stack. Only the contents of patterns, masks, clips
// and images are drawn by recursive calls, whose depth is limited.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

/// Draws the nodes of a tree.
struct TreeRenderer: ~Copyable {
  /// The maximum nesting depth of the contents of resources, in levels of clips. Each takes several kilobytes of stack;
  /// all together fit into 256 KiB, and without optimisation into 512 KiB.
  static let maximumResourceDepth = 24
  /// The levels that a pattern or a nested document takes, whose frames are larger.
  static let levelsOfPattern = 2
  /// The levels that a mask or an image of a filter takes.
  static let levelsOfLayers = 4

  /// The user space and the bounds of a context element, to which the paints of others refer.
  struct ContextSpace {
    var transform: AffineTransform
    var bounds: Rect?
  }

  struct OpenGroup {
    var end: Int
    /// The state to restore after the group.
    var transform: AffineTransform
    var clip: Clip
    /// The compositing of the layer with the one below; `nil` if there is no layer.
    var compositing: Compositing?
    /// The filters applied to the layer before it is composited.
    var plan: FilterPlan?
    /// The state to restore if the layer is rotated.
    var spaces: OuterSpaces?
    /// The bounds of a mask that is held until the group is closed.
    var mask: PixelRect?
  }

  /// The spaces of elements outside a layer, in the pixels outside it.
  struct OuterSpaces {
    var document: AffineTransform
    var contexts: [ContextSpace?]
  }

  var tree: RenderTree
  var canvas: Canvas
  let limits: SVGDocument.Limits
  /// The transform from the document's units to pixels.
  var documentTransform = AffineTransform.identity
  private let maximumVisitCount: Int
  var visitCount = 0
  var resourceDepth = 0
  var layerDepth = 0
  var contexts: [ContextSpace?]
  var tiles = LayerCache<TileKey>()
  var pictures = LayerCache<PictureKey>()
  /// The pictures that have been reduced before.
  private var reducedPictures: ReducedPictures

  /// The work units for preparing or moving the space of a context element.
  static let workPerContext = 20
  /// The work units for testing the bounds of a node.
  private static let workPerBounds = 60
  /// The minimum work units for visiting a node.
  private static let workPerVisit = 600

  init(
    _ tree: RenderTree, canvas: consuming Canvas, limits: SVGDocument.Limits,
    pictures: ReducedPictures = ReducedPictures()
  ) {
    self.tree = tree
    reducedPictures = pictures
    self.canvas = canvas
    self.limits = limits
    let (count, overflow) = limits.maximumRepeatedVisitCount.addingReportingOverflow(tree.totalNodeCount)
    maximumVisitCount = overflow ? .max : count
    contexts = Array(repeating: nil, count: tree.contextCount)
  }

  /// Ends the drawing and returns the budget of the canvas.
  consuming func takeBudget() -> ResourceBudget { canvas.takeBudget().takeResources() }

  /// Draws the document, or the part of it that is in the rows of the canvas.
  ///
  /// - Parameter transform: the transform from CSS pixels to the canvas.
  mutating func draw(background: RGBA8?, transform: AffineTransform) throws(CodecError) {
    if let background {
      let color = Color(
        red8: background.red, green8: background.green, blue8: background.blue,
        alpha: Double(background.alpha) / 255)
      try canvas.paint(.color(color))
    }
    guard tree.width > 0, tree.height > 0 else { return }
    documentTransform = transform
    try draw(tree.content, transform: transform, clip: Clip(bounds: canvas.bounds))
  }

  /// Interrupts work on pixels if the decode is cancelled.
  var interruption: Interruption { canvas.budget.resources.interruption }

  // MARK: Nodes

  /// Draws some nodes.
  mutating func draw(
    _ range: Range<RenderTree.Index>, transform: AffineTransform, clip: Clip
  ) throws(CodecError) {
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
        let mask = next.heldMask(of: tree.groups[Int(group)])
        if let mask { try canvas.budget.reserveMask(mask) }
        open.append(
          OpenGroup(
            end: Int(end), transform: transform, clip: clip, compositing: next.compositing, plan: next.plan,
            spaces: next.spaces, mask: mask))
        transform = next.transform
        clip = next.clip
      case .shape(let shape): try draw(tree.shapes[Int(shape)], transform, clip)
      case .image(let image): try draw(tree.images[Int(image)], transform, clip)
      }
      index += 1
    }
  }

  mutating func visit() throws(CodecError) {
    visitCount += 1
    guard visitCount <= maximumVisitCount else {
      throw CodecError(.limitExceeded, "more than \(maximumVisitCount) nodes are drawn")
    }
    try canvas.budget.resources.chargeWork(Self.workPerVisit)
  }

  // MARK: Groups

  struct Entered {
    var transform: AffineTransform
    var clip: Clip
    var compositing: Compositing?
    var plan: FilterPlan?
    var spaces: OuterSpaces?

    /// Returns the bounds of the mask that a group's clips and masks created; `nil` if there is none.
    func heldMask(of group: RenderTree.Group) -> PixelRect? {
      guard group.clip != nil || group.clipRect != nil || group.mask != nil else { return nil }
      return (compositing?.clip ?? clip).mask?.bounds
    }
  }

  /// Prepares for the children of a group; `nil` if none of them is visible.
  private mutating func enter(
    _ group: RenderTree.Group, first: Int, nodeCount: Int, _ outer: AffineTransform, _ clip: Clip
  ) throws(CodecError) -> Entered? {
    let transform = outer * group.transform
    guard transform.isFinite, transform.determinant != 0 else { return nil }
    var clip = clip
    // A layer that removes what is outside it is composited with all of the layer below.
    if group.compositeOperator?.isUnbounded != true {
      guard let visibleBounds = group.visibleBounds else { return nil }
      // Extended by one pixel on each side for antialiased edges.
      let covered = PixelRect(covering: transform.apply(visibleBounds).expanded(by: 1))
      clip.bounds = clip.bounds.intersection(covered)
    }
    guard !clip.bounds.isEmpty else { return nil }
    if let context = group.context { contexts[Int(context)] = ContextSpace(transform: transform, bounds: group.bounds) }
    var hasSmoothClip = group.clip != nil
    if let rect = group.clipRect, group.filters.isEmpty {
      let window = try self.clip(to: rect, transform, clip.bounds)
      hasSmoothClip = hasSmoothClip || window.mask != nil
      clip = try intersect(clip, window)
    }
    if let index = group.clip {
      clip = try intersect(
        clip,
        Clip(
          coverage(
            ofClip: index, transform, group.bounds, strokeBounds: group.strokeBounds, clip.bounds)))
    }
    guard !clip.bounds.isEmpty else { return nil }
    // Children that meet at the clip's edge must not show through each other there, nor a fill through its stroke.
    let isClippedTogether = hasSmoothClip && (nodeCount > 1 || hasFillAndStroke(first))
    guard group.needsLayer || isClippedTogether else {
      return Entered(transform: transform, clip: clip, compositing: nil)
    }
    if let index = group.mask {
      clip = try intersect(
        clip,
        Clip(
          coverage(
            ofMask: index, transform, group.bounds, strokeBounds: group.strokeBounds, clip.bounds)))
      guard !clip.bounds.isEmpty else { return nil }
    }
    let compositing = Compositing(
      opacity: group.opacity, blendMode: group.blending.mode,
      compositeOperator: group.compositeOperator ?? (group.blending.isAdditive ? .lighter : .over), clip: clip)
    if !group.filters.isEmpty { return try enterFiltered(group, transform, compositing, clip.bounds) }
    try pushLayer(clip.bounds)
    return Entered(transform: transform, clip: Clip(bounds: clip.bounds), compositing: compositing)
  }

  /// Returns whether a node is a shape with both a fill and a stroke.
  private func hasFillAndStroke(_ index: Int) -> Bool {
    guard index < tree.nodes.count, case .shape(let shape) = tree.nodes[index] else { return false }
    return tree.shapes[Int(shape)].fill != nil && tree.shapes[Int(shape)].stroke != nil
  }

  private mutating func close(_ group: OpenGroup) throws(CodecError) {
    if let mask = group.mask { canvas.budget.releaseMask(mask) }
    guard let compositing = group.compositing else { return }
    let layer = try popLayer()
    if let spaces = group.spaces { (documentTransform, contexts) = (spaces.document, spaces.contexts) }
    if let plan = group.plan {
      try draw(layer, plan, compositing)
    } else {
      let layerByteCount = try hold(layer.bounds)
      try canvas.draw(consume layer, compositing: compositing)
      canvas.budget.resources.release(layerByteCount)
    }
  }

  mutating func pushLayer(_ bounds: PixelRect) throws(CodecError) {
    layerDepth += 1
    guard layerDepth <= limits.maximumLayerDepth else {
      throw CodecError(.limitExceeded, "more than \(limits.maximumLayerDepth) layers are nested")
    }
    do throws(CodecError) {
      try canvas.pushLayer(bounds: bounds)
    } catch {
      guard releaseCaches() else { throw error }
      try canvas.pushLayer(bounds: bounds)
    }
  }

  mutating func popLayer() throws(CodecError) -> Layer {
    layerDepth -= 1
    return try canvas.popLayer()
  }

  /// Clips to a rectangle of a user space.
  mutating func clip(
    to rect: Rect, _ transform: AffineTransform, _ bounds: PixelRect
  ) throws(CodecError) -> Clip {
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
  ) throws(CodecError) {
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
  ) throws(CodecError) {
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

  /// Computes the outline of a stroke in the document's units, and fills it with a paint in the shape's user space.
  private mutating func fillFixedStroke(
    _ shape: RenderTree.Shape, _ transform: AffineTransform, _ paint: Paint, _ compositing: Compositing
  ) throws(CodecError) {
    guard let fromPixels = documentTransform.inverted, let toUser = (fromPixels * transform).inverted else { return }
    let outline = try shape.path.transformed(by: fromPixels * transform).stroked(
      shape.strokeStyle, transform: documentTransform, budget: &canvas.budget)
    try canvas.fill(
      outline.transformed(by: toUser), transform: transform, fill: Fill(isAntialiased: shape.isAntialiased),
      paint: paint, compositing: compositing)
  }

  // MARK: Images

  mutating func draw(
    _ image: RenderTree.ImageNode, _ transform: AffineTransform, _ clip: Clip
  ) throws(CodecError) {
    guard transform.isFinite, transform.determinant != 0 else { return }
    switch image.content {
    case .bitmap(let picture):
      guard image.covers(clip.bounds, transform) else { return }
      let paint = try paint(picture, image, transform)
      try canvas.fill(
        Path(image.clip), transform: transform, paint: .image(paint), compositing: Compositing(clip: clip))
    case .layer(let layer):
      try draw(layer, Boxes(bounds: image.bounds, strokeBounds: image.bounds), transform, clip)
    case .document(let document):
      try canvas.budget.resources.chargeWork(count: document.tree.content.count, unitsEach: Self.workPerBounds)
      // A clip at the edge of the content would only cut off antialiased edges.
      let isCut = document.tree.reaches(beyond: image.clip, image.transform)
      let inner = isCut ? try intersect(clip, try self.clip(to: image.clip, transform, clip.bounds)) : clip
      guard !inner.bounds.isEmpty else { return }
      try enterResource(levels: Self.levelsOfPattern)
      try canvas.budget.resources.chargeWork(count: document.tree.contextCount, unitsEach: Self.workPerContext)
      let saved = (tree, contexts, tiles, pictures, reducedPictures)
      tree = document.tree
      contexts = Array(repeating: nil, count: tree.contextCount)
      (tiles, pictures, reducedPictures) = (LayerCache(), LayerCache(), ReducedPictures())
      try draw(tree.content, transform: transform * image.transform, clip: inner)
      _ = releaseCaches()
      (tree, contexts, tiles, pictures, reducedPictures) = saved
      resourceDepth -= Self.levelsOfPattern
    }
  }

  /// Returns the paint of a picture, which is filtered if it is drawn smaller than it is.
  private mutating func paint(
    _ picture: RenderTree.Picture, _ image: RenderTree.ImageNode, _ transform: AffineTransform
  ) throws(CodecError) -> ImagePaint {
    var paint = ImagePaint(
      picture.layer, transform: image.transform, sampling: image.isSmooth ? .bicubic : .nearest, extend: .pad)
    guard let key = image.reduction(transform) else { return paint }
    paint.transform = image.transform * key.reduction.transform
    paint.sampling = .bilinear
    if let known = reducedPictures.layer(key) ?? pictures.layer(key) {
      paint.layer = known
    } else {
      paint.layer = try key.reduction.apply(to: picture.layer, budget: &canvas.budget.resources)
      pictures.insert(paint.layer, for: key, charging: &canvas.budget)
    }
    return paint
  }

  /// Releases cached pixels, which only serve speed. Returns whether there were any.
  private mutating func releaseCaches() -> Bool {
    let hadTiles = tiles.removeAll(releasing: &canvas.budget)
    return pictures.removeAll(releasing: &canvas.budget) || hadTiles
  }

  /// Begins the content of a resource. Its caller ends it by subtracting the levels.
  mutating func enterResource(levels: Int = 1) throws(CodecError) {
    resourceDepth += levels
    guard resourceDepth <= Self.maximumResourceDepth else {
      throw CodecError(
        .limitExceeded,
        "clips, patterns, masks and images of filters are nested too deeply: they take more than "
          + "\(Self.maximumResourceDepth) levels")
    }
  }
}
