// The bounding boxes of shapes and groups, computed in one pass over the finished nodes (SVG 2, section 8.10).

internal import ImageCoding
internal import VectorGraphics

/// Computes bounding boxes.
enum BoundsPass {
  private struct Open {
    var group: Int
    var end: Int
    /// The transform from the group's user space to the document's.
    var transform: AffineTransform
    var bounds: Rect?
    var strokeBounds: Rect?
  }

  /// Sets the bounds of all shapes and groups.
  static func run(_ tree: inout RenderTree) {
    var open: [Open] = []
    for index in 0...tree.nodes.count {
      while let last = open.last, last.end <= index {
        close(&open, &tree)
      }
      guard index < tree.nodes.count else { break }
      switch tree.nodes[index] {
      case .group(let group, let end):
        let outer = open.last?.transform ?? .identity
        open.append(
          Open(group: Int(group), end: Int(end), transform: outer * tree.groups[Int(group)].transform))
      case .shape(let shape):
        let strokeBox = tree.strokeBoxes[shape]
        let outer = open.last?.transform ?? .identity
        let (bounds, strokeBounds) = tree.shapes[Int(shape)].measure(in: outer, strokeBox: strokeBox)
        add(bounds, strokeBounds, to: &open)
      case .image(let image): add(tree.images[Int(image)].bounds, tree.images[Int(image)].clip, to: &open)
      }
    }
  }

  /// Returns the bounds of some nodes, including strokes.
  static func bounds(of range: Range<RenderTree.Index>, in tree: RenderTree) -> Rect? {
    var result: Rect?
    var index = Int(range.lowerBound)
    while index < Int(range.upperBound) {
      switch tree.nodes[index] {
      case .group(let group, let end):
        let group = tree.groups[Int(group)]
        result = union(result, group.strokeBounds.map { group.transform.apply($0) })
        index = Int(end)
        continue
      case .shape(let shape):
        result = union(result, tree.shapes[Int(shape)].outerBounds(strokeBox: tree.strokeBoxes[shape]).stroke)
      case .image(let image): result = union(result, tree.images[Int(image)].clip)
      }
      index += 1
    }
    return result
  }

  private static func close(_ open: inout [Open], _ tree: inout RenderTree) {
    guard let done = open.popLast() else { return }
    let bounds = tree.groups[done.group].layoutBounds ?? done.bounds
    tree.groups[done.group].bounds = bounds
    tree.groups[done.group].strokeBounds = done.strokeBounds
    tree.groups[done.group].visibleBounds = visibleBounds(tree.groups[done.group], tree.filters)
    if let index = tree.groups[done.group].boxTransform {
      tree.groups[done.group].transform = tree.boxTransforms[Int(index)].resolved(
        bounds: bounds, strokeBounds: done.strokeBounds)
    }
    let transform = tree.groups[done.group].transform
    let visible = tree.groups[done.group].visibleBounds
    add(bounds.map { transform.apply($0) }, visible.map { transform.apply($0) }, to: &open)
  }

  /// Returns the visible bounds of a group with known bounds.
  private static func visibleBounds(_ group: RenderTree.Group, _ filters: [RenderTree.FilterResource]) -> Rect? {
    var visible = group.strokeBounds
    for index in group.filters {
      guard let region = filters[Int(index)].region(bounds: group.bounds) else {
        if filters[Int(index)].isOptional { continue }
        return nil
      }
      switch region {
      case .rect(let rect): visible = rect
      case .unlimited: visible = visible.map { filters[Int(index)].overflow.expand($0) }
      }
    }
    return visible
  }

  private static func add(_ bounds: Rect?, _ strokeBounds: Rect?, to open: inout [Open]) {
    guard !open.isEmpty else { return }
    let last = open.count - 1
    open[last].bounds = union(open[last].bounds, bounds)
    open[last].strokeBounds = union(open[last].strokeBounds, strokeBounds)
  }

  private static func union(_ first: Rect?, _ second: Rect?) -> Rect? {
    guard let first else { return second }
    return second.map { first.union($0) } ?? first
  }

  /// Measures the strokes of all shapes, if anything refers to boxes that include them. Otherwise the distance that a
  /// stroke may reach is enough to know.
  static func measureStrokes(_ tree: inout RenderTree, budget: inout ResourceBudget) throws(CodecError) {
    guard tree.usesStrokeBoxes else { return }
    let held = budget.heldByteCount
    var raster = RasterBudget(resources: budget)
    let outcome = Result { () throws(CodecError) in try measureStrokes(&tree, &raster) }
    budget = raster.takeResources()
    budget.settle(heldByteCount: held + tree.strokeBoxes.count * 96)
    try outcome.get()
  }

  private static func measureStrokes(_ tree: inout RenderTree, _ budget: inout RasterBudget) throws(CodecError) {
    for index in tree.shapes.indices {
      let shape = tree.shapes[index]
      guard shape.stroke != nil, !shape.hasFixedStroke, let bounds = shape.path.bounds else { continue }
      // A step of a thousandth of the size is not to be seen.
      let scale = 1_000 / max(bounds.width, bounds.height, shape.strokeStyle.width, 1e-9)
      let outline = try shape.path.stroked(
        shape.strokeStyle, transform: .scale(x: scale, y: scale), budget: &budget)
      if let box = outline.bounds { tree.strokeBoxes[Int32(clamping: index)] = bounds.union(box) }
    }
  }

}

extension RenderTree {
  /// Returns whether the transformed content extends beyond a rectangle.
  func reaches(beyond rect: Rect, _ transform: AffineTransform) -> Bool {
    guard let bounds = BoundsPass.bounds(of: content, in: self) else { return false }
    let outer = rect.expanded(by: max(rect.width, rect.height) * 1e-9)
    let reach = transform.apply(bounds)
    return reach.minX < outer.minX || reach.minY < outer.minY || reach.maxX > outer.maxX || reach.maxY > outer.maxY
  }
}

extension RenderTree.Shape {
  /// Sets the bounds and the unit of the stroke width. Returns the bounds in the parent's user space.
  ///
  /// - Parameter outer: the transform from the parent's user space to the document's.
  fileprivate mutating func measure(in outer: AffineTransform, strokeBox: Rect?) -> (fill: Rect?, stroke: Rect?) {
    bounds = path.bounds
    if hasFixedStroke { strokeUnit = 1 / max((outer * transform).minimumScale, 1e-9) }
    return outerBounds(strokeBox: strokeBox)
  }

  /// Returns the bounds without and with the stroke, in the parent's user space.
  ///
  /// - Parameter strokeBox: the bounds of the stroke in the shape's user space; `nil` if they are not measured.
  fileprivate func outerBounds(strokeBox: Rect?) -> (fill: Rect?, stroke: Rect?) {
    guard let bounds else { return (nil, nil) }
    let outer =
      transform == .identity
      ? bounds
      : transform.preservesRectangles ? transform.apply(bounds) : path.bounds(transformedBy: transform)
    guard stroke != nil else { return (outer, outer) }
    return (outer, transform.apply(strokeBox ?? bounds.expanded(by: strokeReach)))
  }

  /// The maximum distance of the stroke from the path, in the shape's user space.
  var strokeReach: Double {
    guard stroke != nil else { return 0 }
    var factor = strokeStyle.cap == .square ? 1.5 : 1
    switch strokeStyle.join {
    case .miter, .miterClip, .arcs: factor = max(factor, strokeStyle.miterLimit)
    case .round, .bevel: break
    }
    let reach = strokeStyle.width / 2 * factor * strokeUnit
    return reach.isFinite ? reach : 0
  }
}
