// Fill and stroke values to paints; gradients with their reference chains (SVG 2, chapters 13 and 14).

internal import ImageCore
internal import VectorGraphics

/// The paint servers that have been resolved.
struct PaintServers {
  typealias NodeIndex = XMLDocument.NodeIndex

  var gradients: [NodeIndex: RenderTree.PaintSource?] = [:]
  /// The stops of elements that have any, which several gradients may reference.
  var stops: [NodeIndex: [GradientRamp.Stop]] = [:]
  var patterns: [NodeIndex: RenderTree.Index?] = [:]
}

extension TreeBuilder {
  private static let maximumChainLength = 64

  /// Returns the paints of an element. `context` is attached to paints that the element itself specifies.
  mutating func paints(
    of style: ComputedStyle, _ node: NodeIndex, _ frame: Frame, context: RenderTree.Index?
  ) throws(CodecError) -> ContextPaint {
    ContextPaint(
      fill: try paint(style.fill, style.fillOpacity, style.color, frame, context: context),
      stroke: try paint(style.stroke, style.strokeOpacity, style.color, frame, context: context))
  }

  private mutating func paint(
    _ value: PaintValue, _ opacity: Double, _ current: Color, _ frame: Frame, context: RenderTree.Index?
  ) throws(CodecError) -> RenderTree.ShapePaint? {
    switch value {
    case .none: return nil
    case .color(let color): return RenderTree.ShapePaint(source: .color(color.resolved(current)), opacity: opacity)
    case .contextFill:
      guard var paint = frame.context?.fill else { return nil }
      paint.opacity = opacity
      return paint
    case .contextStroke:
      guard var paint = frame.context?.stroke else { return nil }
      paint.opacity = opacity
      return paint
    case .reference(let id, let fallback):
      var color: Color?
      if case .color(let value) = fallback { color = value.resolved(current) }
      guard let node = try element(withID: id), let source = try paintServer(node, frame) else {
        return color.map { RenderTree.ShapePaint(source: .color($0), opacity: opacity) }
      }
      return RenderTree.ShapePaint(source: source, opacity: opacity, context: context, fallback: color)
    }
  }

  /// Returns the paint source of an element; `nil` if it is not a paint server or paints nothing.
  private mutating func paintServer(
    _ node: NodeIndex, _ frame: Frame
  ) throws(CodecError) -> RenderTree.PaintSource? {
    switch document.xml[node].element {
    case .linearGradient, .radialGradient:
      try spendReference()
      if let known = paintServers.gradients[node] { return known }
      let source = try gradient(node, frame)
      paintServers.gradients[node] = source
      return source
    case .pattern:
      try spendReference()
      return try pattern(node, frame).map { .pattern($0) }
    default: return nil
    }
  }

  // MARK: Chains

  /// Returns an element followed by the elements in its `href` chain that satisfy a condition.
  ///
  /// Charges reading each of them.
  mutating func chain(
    from node: NodeIndex, while holds: (ElementName) -> Bool
  ) throws(CodecError) -> [NodeIndex] {
    var list = [node]
    try chargeReading(node)
    while list.count < Self.maximumChainLength, let last = list.last, let next = hrefTarget(of: last),
      let element = document.xml[next].element, holds(element), !list.contains(next)
    {
      // About a dozen attributes are looked up on every element.
      try account.budget.chargeWork(count: document.xml.attributes(of: next).count, unitsEach: 20)
      try chargeReading(next)
      list.append(next)
    }
    return list
  }

  /// Returns the value of an attribute on the first element of a chain that has it.
  func inheritedValue(
    _ name: AttributeName, _ chain: [NodeIndex], of elements: Set<ElementName>
  ) -> TextSlice? {
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element) else { continue }
      if let value = document.xml.value(name, of: node) { return value }
    }
    return nil
  }

  func units(_ slice: TextSlice?, default: RenderTree.Units) -> RenderTree.Units {
    guard let slice else { return `default` }
    if document.xml.equals(slice, "userSpaceOnUse") { return .userSpace }
    return document.xml.equals(slice, "objectBoundingBox") ? .boundingBox : `default`
  }

  /// Returns the transform in an attribute with another name or in the `transform` property. A malformed or singular
  /// transform is ignored, as in resvg.
  func resourceTransform(
    _ name: AttributeName, _ chain: [NodeIndex], _ frame: Frame, _ elements: Set<ElementName>
  ) -> AffineTransform {
    let text = document.xml.text.span
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element) else { continue }
      guard let slice = document.declaredValue(.transform, of: node) ?? document.xml.value(name, of: node) else {
        continue
      }
      guard let transform = TransformParser.parse(text.extracting(slice.range)), transform.inverted != nil else {
        return .identity
      }
      let style = ComputedStyle(of: node, in: document, parent: styles.initial, rootFontSize: styles.rootFontSize)
      return about(style, frame.viewport, nil, transform)
    }
    return .identity
  }

  // MARK: Gradients

  private mutating func gradient(_ node: NodeIndex, _ frame: Frame) throws(CodecError) -> RenderTree.PaintSource? {
    let both: Set<ElementName> = [.linearGradient, .radialGradient]
    let chain = try chain(from: node) { both.contains($0) }
    guard let stops = try stops(of: chain), let last = stops.last else { return nil }
    if stops.count == 1 { return .color(last.color) }
    let isLinear = document.xml[node].element == .linearGradient
    let units = units(inheritedValue(.gradientUnits, chain, of: both), default: .boundingBox)
    let transform = resourceTransform(.gradientTransform, chain, frame, both)
    var spread = GradientRamp.Spread.pad
    if let value = inheritedValue(.spreadMethod, chain, of: both) {
      if document.xml.equals(value, "reflect") { spread = .reflect }
      if document.xml.equals(value, "repeat") { spread = .repeat }
    }
    let geometry = isLinear ? linear(chain, units, frame) : radial(chain, units, frame)
    if case .radial(_, let radius, _, _) = geometry, !(radius > 0) { return .color(last.color) }
    if case .linear(let start, let end) = geometry, start == end { return .color(last.color) }
    let ramp = GradientRamp(stops, spread: spread)
    try account.hold(
      MemoryLayout<RenderTree.GradientResource>.stride * 3 / 2 + stops.count * MemoryLayout<GradientRamp.Stop>.stride)
    tree.gradients.append(
      RenderTree.GradientResource(
        geometry: geometry, ramp: ramp, units: units, transform: transform))
    return .gradient(Int32(tree.gradients.count - 1))
  }

  private func coordinate(
    _ name: AttributeName, _ chain: [NodeIndex], _ elements: Set<ElementName>, _ units: RenderTree.Units,
    _ frame: Frame, _ direction: LengthContext.Direction, default: Length?
  ) -> Double? {
    let text = document.xml.text.span
    let length =
      inheritedValue(name, chain, of: elements).flatMap { Length(parsing: text.extracting($0.range)) } ?? `default`
    guard let length else { return nil }
    return resolve(length, units, frame, direction)
  }

  /// Returns a length in user units, or as a fraction of a bounding box.
  func resolve(
    _ length: Length, _ units: RenderTree.Units, _ frame: Frame, _ direction: LengthContext.Direction
  ) -> Double {
    if units == .boundingBox {
      if length.unit == .percent { return length.value / 100 + length.userUnits }
      if length.unit == .none { return length.value }
    }
    return lengths(frame.style, frame.viewport).resolve(length, direction)
  }

  private func linear(
    _ chain: [NodeIndex], _ units: RenderTree.Units, _ frame: Frame
  ) -> RenderTree.GradientResource.Geometry {
    let own: Set<ElementName> = [.linearGradient]
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ percent: Double) -> Double {
      coordinate(name, chain, own, units, frame, direction, default: .percent(percent)) ?? 0
    }
    return .linear(
      Point(x: value(.x1, .horizontal, 0), y: value(.y1, .vertical, 0)),
      Point(x: value(.x2, .horizontal, 100), y: value(.y2, .vertical, 0)))
  }

  private func radial(
    _ chain: [NodeIndex], _ units: RenderTree.Units, _ frame: Frame
  ) -> RenderTree.GradientResource.Geometry {
    let own: Set<ElementName> = [.radialGradient]
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ length: Length?) -> Double? {
      coordinate(name, chain, own, units, frame, direction, default: length)
    }
    let center = Point(
      x: value(.cx, .horizontal, .percent(50)) ?? 0, y: value(.cy, .vertical, .percent(50)) ?? 0)
    let radius = value(.r, .other, .percent(50)) ?? 0
    let focus = Point(x: value(.fx, .horizontal, nil) ?? center.x, y: value(.fy, .vertical, nil) ?? center.y)
    let focusRadius = max(0, value(.fr, .other, .percent(0)) ?? 0)
    return .radial(center: center, radius: radius, focus: focus, focusRadius: focusRadius)
  }

  /// Returns the stops of the first element of a chain that has any; `nil` if none has.
  private mutating func stops(of chain: [NodeIndex]) throws(CodecError) -> [GradientRamp.Stop]? {
    for node in chain {
      let stops: [GradientRamp.Stop]
      if let known = paintServers.stops[node] {
        stops = known
        try account.budget.chargeWork(count: stops.count, unitsEach: 30)
      } else {
        stops = try self.stops(of: node)
        paintServers.stops[node] = stops
      }
      if !stops.isEmpty { return stops }
    }
    return nil
  }

  private mutating func stops(of node: NodeIndex) throws(CodecError) -> [GradientRamp.Stop] {
    var parent: ComputedStyle?
    var stops: [GradientRamp.Stop] = []
    var child = document.xml[node].firstChild
    while child != XMLDocument.noNode {
      defer { child = document.xml[child].nextSibling }
      try account.budget.chargeWork(4)
      guard document.xml[child].element == .stop, stops.count < account.limits.maximumGradientStopCount else {
        continue
      }
      let inherited: ComputedStyle
      if let parent { inherited = parent } else { inherited = try documentStyle(of: node) }
      parent = inherited
      let style = try style(of: child, parent: inherited)
      var offset = 0.0
      if let slice = document.xml.value(.offset, of: child) {
        offset = parseFraction(document.xml.text.span.extracting(slice.range)) ?? 0
      }
      stops.append(GradientRamp.Stop(offset: offset, color: style.stopColor.withOpacity(style.stopOpacity)))
    }
    return stops
  }
}
