// Conversion of basic shapes and paths (SVG 2, chapter 10).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension TreeBuilder {
  /// Converts a shape with its markers and the group that its properties require.
  mutating func convertShape(
    _ node: NodeIndex, _ element: ElementName, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    let path = try draft.path(of: node, element, style, frame.viewport)
    guard !path.isEmpty else { return }
    let transform = draft.transform(of: style, frame.viewport, box: style.transformBox == .view ? nil : path.bounds)
    guard transform.isFinite else { return }
    var group = RenderTree.Group()
    if !style.isPlain {
      guard let required = try self.group(for: node, style, frame) else { return }
      group = required
    }
    var shape = RenderTree.Shape(
      path: path, transform: transform, fill: nil, fillRule: style.fillRule, stroke: nil, strokeStyle: StrokeStyle(),
      isStrokeFirst: false, isAntialiased: style.shapeRendering == .smooth, context: nil, bounds: nil)
    if frame.mode == .clipping {
      try appendClipping(shape, style, group)
      return
    }
    let contextIndex = Int32(draft.tree.contextCount)
    let own = try paintServers.paints(of: style, node, frame, context: nil, &draft)
    shape.fill = style.isVisible ? own.fill : nil
    shape.stroke = style.isVisible ? own.stroke : nil
    let markers = style.isVisible ? try markers(style) : nil
    if shape.stroke != nil || markers != nil {
      shape.strokeStyle = strokeStyle(style, draft.lengths(style, frame.viewport))
      try draft.account.hold(dashesOf: shape.strokeStyle)
      if !shape.strokeStyle.dashes.isEmpty { fitDashes(&shape.strokeStyle, to: path, of: node) }
    }
    shape.hasFixedStroke = style.hasFixedStroke
    let isGrouped = group.needsLayer || group.clip != nil
    if markers == nil, !isGrouped || canFoldOpacity(group, shape) {
      shape.fill?.opacity *= group.opacity
      shape.stroke?.opacity *= group.opacity
      shape.isStrokeFirst = shape.fill != nil && shape.stroke != nil && isStrokeFirst(style)
      try draft.append(shape)
      return
    }
    if isGrouped || markers != nil {
      group.transform = shape.transform
      shape.transform = .identity
    }
    let groupNode = try draft.openGroup(group)
    guard let markers else {
      shape.isStrokeFirst = isStrokeFirst(style)
      try draft.append(shape)
      draft.closeGroup(groupNode)
      return
    }
    // Markers take context-fill and context-stroke from the shape.
    let context = try paintServers.paints(of: style, node, frame, context: contextIndex, &draft)
    if draft.needsContext(context) {
      draft.tree.contextCount += 1
      shape.context = contextIndex
    }
    try appendInOrder(shape, style, markers, context, frame, groupNode)
  }

  func isStrokeFirst(_ style: ComputedStyle) -> Bool {
    (style.paintOrder.firstIndex(of: .stroke) ?? 0) < (style.paintOrder.firstIndex(of: .fill) ?? 0)
  }

  /// Returns whether opacity can be multiplied into the paint, which requires that nothing overlaps.
  private func canFoldOpacity(_ group: RenderTree.Group, _ shape: RenderTree.Shape) -> Bool {
    group.clip == nil && group.mask == nil && group.filters.isEmpty && group.blending == OwnStyle.Blending()
      && !group.isIsolated
      && (shape.fill == nil || shape.stroke == nil)
  }

  private mutating func appendClipping(
    _ shape: RenderTree.Shape, _ style: ComputedStyle, _ group: RenderTree.Group
  ) throws(CodecError) {
    guard style.isVisible else { return }
    var shape = shape
    shape.fillRule = style.clipRule
    shape.fill = RenderTree.ShapePaint(source: .color(.black), opacity: 1, context: nil)
    var group = group
    if group.clip != nil {
      group.transform = shape.transform
      shape.transform = .identity
    }
    let groupNode = group.clip == nil ? -1 : try draft.openGroup(group)
    try draft.append(shape)
    draft.closeGroup(groupNode)
  }

  /// Appends fill, stroke and markers in the order of `paint-order`.
  private mutating func appendInOrder(
    _ shape: RenderTree.Shape, _ style: ComputedStyle, _ markers: Markers, _ context: ContextPaint, _ frame: Frame,
    _ groupNode: Int32
  ) throws(CodecError) {
    let place = style.paintOrder.firstIndex(of: .markers) ?? 2
    var shape = shape
    shape.isStrokeFirst = isStrokeFirst(style)
    switch place {
    case 2:
      try draft.append(shape)
      try pushMarkers(markers, shape, style, context, frame, groupNode, last: nil)
    case 0:
      try pushMarkers(markers, shape, style, context, frame, groupNode, last: shape)
    default:
      var first = shape
      var last = shape
      if shape.isStrokeFirst {
        first.fill = nil
        last.stroke = nil
      } else {
        first.stroke = nil
        last.fill = nil
      }
      last.context = nil
      try draft.append(first)
      try pushMarkers(markers, first, style, context, frame, groupNode, last: last)
    }
  }

  func strokeStyle(_ style: ComputedStyle, _ lengths: LengthContext) -> StrokeStyle {
    StrokeStyle(
      width: lengths.resolve(style.strokeWidth, .other), cap: style.strokeCap, join: style.strokeJoin,
      miterLimit: style.strokeMiterLimit, dashes: style.strokeDashes.map { lengths.resolve($0, .other) },
      dashOffset: lengths.resolve(style.strokeDashOffset, .other))
  }

  /// Scales dashes if `pathLength` states the author's path length (SVG 2, section 9.6.1).
  private mutating func fitDashes(_ stroke: inout StrokeStyle, to path: Path, of node: NodeIndex) {
    guard let length = draft.length(.pathLength, of: node), length.unit == .none, length.value > 0 else { return }
    let factor = PathMeasure(path).length / length.value
    guard factor.isFinite, factor > 0 else { return }
    stroke.dashes = stroke.dashes.map { $0 * factor }
    stroke.dashOffset *= factor
  }
}
