// Fill and stroke values to paints; gradients (SVG 2, chapters 13 and 14).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The paint servers that have been resolved.
struct PaintServers {
  typealias NodeIndex = XMLDocument.NodeIndex
  typealias Frame = TreeBuilder.Frame

  private var gradients: [ResourceKey: RenderTree.PaintSource?] = [:]
  /// The stops of elements that have any, which several gradients may reference.
  private var knownStops: [NodeIndex: [GradientRamp.Stop]] = [:]
  var patterns: [ResourceKey: RenderTree.Index?] = [:]

  /// Returns the paints of an element. `context` is attached to paints that the element itself specifies.
  mutating func paints(
    of style: ComputedStyle, _ node: NodeIndex, _ frame: Frame, context: RenderTree.Index?, _ draft: inout TreeDraft
  ) throws(CodecError) -> TreeBuilder.ContextPaint {
    TreeBuilder.ContextPaint(
      fill: try paint(style.fill, style.fillOpacity, style, frame, context: context, &draft),
      stroke: try paint(style.stroke, style.strokeOpacity, style, frame, context: context, &draft))
  }

  private mutating func paint(
    _ value: PaintValue, _ opacity: Double, _ style: ComputedStyle, _ frame: Frame, context: RenderTree.Index?,
    _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.ShapePaint? {
    let (current, isDark) = (style.color, style.isDark)
    switch value {
    case .none: return nil
    case .color(let color):
      return RenderTree.ShapePaint(source: .color(color.resolved(current, isDark: isDark)), opacity: opacity)
    case .contextFill:
      guard var paint = frame.context?.fill else { return nil }
      paint.opacity = opacity
      return paint
    case .contextStroke:
      guard var paint = frame.context?.stroke else { return nil }
      paint.opacity = opacity
      return paint
    case .reference(let reference, let fallback):
      var color: Color?
      if case .color(let value) = fallback { color = value.resolved(current, isDark: isDark) }
      guard let node = try draft.element(reference), let source = try paintServer(node, frame, &draft) else {
        return color.map { RenderTree.ShapePaint(source: .color($0), opacity: opacity) }
      }
      var paint = RenderTree.ShapePaint(source: source, opacity: opacity, context: context)
      if let color { paint.fallback = try draft.append(fallback: color) }
      return paint
    }
  }

  /// Returns the paint source of an element; `nil` if it is not a paint server or paints nothing.
  private mutating func paintServer(
    _ node: NodeIndex, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.PaintSource? {
    switch draft.document.xml[node].element {
    case .linearGradient, .radialGradient:
      try draft.spendReference()
      let key = ResourceKey(node, frame)
      if let known = gradients[key] { return known }
      let source = try gradient(node, frame, &draft)
      gradients[key] = source
      return source
    case .pattern:
      try draft.spendReference()
      return try pattern(node, frame, &draft).map { .pattern($0) }
    default: return nil
    }
  }

  // MARK: Gradients

  private mutating func gradient(
    _ node: NodeIndex, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.PaintSource? {
    let both: Set<ElementName> = [.linearGradient, .radialGradient]
    let chain = try draft.chain(from: node) { both.contains($0) }
    guard let stops = try stops(of: chain, &draft), let last = stops.last else { return nil }
    if stops.count == 1 { return .color(last.color) }
    // Fonts are those of the gradient, the viewport is that of the painted element.
    var frame = frame
    frame.style = try draft.documentStyle(of: node)
    let isLinear = draft.document.xml[node].element == .linearGradient
    let units = draft.units(draft.inheritedValue(.gradientUnits, chain, of: both), default: .boundingBox)
    let transform = try draft.resourceTransform(chain, frame, both)
    var spread = GradientRamp.Spread.pad
    if let value = draft.inheritedValue(.spreadMethod, chain, of: both) {
      if draft.document.xml.equals(value, "reflect") { spread = .reflect }
      if draft.document.xml.equals(value, "repeat") { spread = .repeat }
    }
    let geometry = isLinear ? linear(chain, units, frame, &draft) : radial(chain, units, frame, &draft)
    if case .radial(_, let radius, _, _) = geometry, !(radius > 0) { return .color(last.color) }
    if case .linear(let start, let end) = geometry, start == end { return .color(last.color) }
    let ramp = GradientRamp(stops, spread: spread, isLinearLight: frame.style.usesLinearColor)
    try draft.account.hold(
      MemoryLayout<RenderTree.GradientResource>.stride * 3 / 2 + stops.count * MemoryLayout<GradientRamp.Stop>.stride)
    draft.tree.gradients.append(
      RenderTree.GradientResource(
        geometry: geometry, ramp: ramp, units: units, transform: transform))
    return .gradient(Int32(draft.tree.gradients.count - 1))
  }

  private func coordinate(
    _ name: AttributeName, _ chain: [NodeIndex], _ elements: Set<ElementName>, _ units: RenderTree.Units,
    _ frame: Frame, _ direction: LengthContext.Direction, default: Length?, _ draft: inout TreeDraft
  ) -> Double? {
    let slice = draft.inheritedValue(name, chain, of: elements)
    let declared = slice.flatMap { Length(parsing: draft.document.xml.text.span.extracting($0.range)) }
    guard let length = declared ?? `default` else { return nil }
    return draft.resolve(length, units, frame, direction)
  }

  private func linear(
    _ chain: [NodeIndex], _ units: RenderTree.Units, _ frame: Frame, _ draft: inout TreeDraft
  ) -> RenderTree.GradientResource.Geometry {
    let own: Set<ElementName> = [.linearGradient]
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ percent: Double) -> Double {
      coordinate(name, chain, own, units, frame, direction, default: .percent(percent), &draft) ?? 0
    }
    return .linear(
      Point(x: value(.x1, .horizontal, 0), y: value(.y1, .vertical, 0)),
      Point(x: value(.x2, .horizontal, 100), y: value(.y2, .vertical, 0)))
  }

  private func radial(
    _ chain: [NodeIndex], _ units: RenderTree.Units, _ frame: Frame, _ draft: inout TreeDraft
  ) -> RenderTree.GradientResource.Geometry {
    let own: Set<ElementName> = [.radialGradient]
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ length: Length?) -> Double? {
      coordinate(name, chain, own, units, frame, direction, default: length, &draft)
    }
    let center = Point(
      x: value(.cx, .horizontal, .percent(50)) ?? 0, y: value(.cy, .vertical, .percent(50)) ?? 0)
    let radius = value(.r, .other, .percent(50)) ?? 0
    let focus = Point(x: value(.fx, .horizontal, nil) ?? center.x, y: value(.fy, .vertical, nil) ?? center.y)
    let focusRadius = max(0, value(.fr, .other, .percent(0)) ?? 0)
    return .radial(center: center, radius: radius, focus: focus, focusRadius: focusRadius)
  }

  /// Returns the stops of the first element of a chain that has any; `nil` if none has.
  private mutating func stops(
    of chain: [NodeIndex], _ draft: inout TreeDraft
  ) throws(CodecError) -> [GradientRamp.Stop]? {
    for node in chain {
      let stops: [GradientRamp.Stop]
      if let known = knownStops[node] {
        stops = known
        try draft.account.budget.chargeWork(count: stops.count, unitsEach: 30)
      } else {
        stops = try self.stops(of: node, &draft)
        knownStops[node] = stops
      }
      if !stops.isEmpty { return stops }
    }
    return nil
  }

  private mutating func stops(of node: NodeIndex, _ draft: inout TreeDraft) throws(CodecError) -> [GradientRamp.Stop] {
    var parent: ComputedStyle?
    var stops: [GradientRamp.Stop] = []
    var child = draft.document.xml[node].firstChild
    while child != XMLDocument.noNode {
      defer { child = draft.document.xml[child].nextSibling }
      try draft.account.budget.chargeWork(4)
      guard draft.document.xml[child].element == .stop, stops.count < draft.account.limits.maximumGradientStopCount
      else {
        continue
      }
      let inherited: ComputedStyle
      if let parent { inherited = parent } else { inherited = try draft.documentStyle(of: node) }
      parent = inherited
      let style = try draft.style(of: child, parent: inherited)
      var offset = 0.0
      if let slice = draft.document.xml.value(.offset, of: child) {
        offset = parseFraction(draft.document.xml.text.span.extracting(slice.range)) ?? 0
      }
      stops.append(GradientRamp.Stop(offset: offset, color: style.stopColor.withOpacity(style.stopOpacity)))
    }
    return stops
  }
}
