// Patterns, clip paths, masks and filter images: attributes are read at once, the content is converted later (SVG 2,
// 14.3; CSS Masking 1).

internal import ImageCore
internal import VectorGraphics

/// The clip paths and masks that have been resolved.
struct ClippingResources {
  var clips: [XMLDocument.NodeIndex: RenderTree.Index] = [:]
  var masks: [XMLDocument.NodeIndex: RenderTree.Index] = [:]
}

extension TreeBuilder {
  // MARK: Patterns

  /// Returns the pattern of an element; `nil` if it paints nothing.
  mutating func pattern(_ node: NodeIndex, _ frame: Frame) throws(CodecError) -> RenderTree.Index? {
    if let known = paintServers.patterns[node] { return known }
    let own: Set<ElementName> = [.pattern]
    let chain = try chain(from: node) { $0 == .pattern }
    let resource = makePattern(chain, own, frame)
    guard let resource, let owner = try firstWithElements(chain) else {
      paintServers.patterns[node] = .some(nil)
      return nil
    }
    try account.hold(MemoryLayout<RenderTree.PatternResource>.stride * 3 / 2)
    tree.patterns.append(resource)
    let index = Int32(tree.patterns.count - 1)
    paintServers.patterns[node] = index
    let box = resource.viewBox
    let viewport = box.map { Viewport(width: $0.width, height: $0.height) } ?? frame.viewport
    pending.append(Pending(kind: .pattern(index), node: owner, viewport: viewport))
    return index
  }

  private func makePattern(
    _ chain: [NodeIndex], _ own: Set<ElementName>, _ frame: Frame
  ) -> RenderTree.PatternResource? {
    let text = document.xml.text.span
    let units = units(inheritedValue(.patternUnits, chain, of: own), default: .boundingBox)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction) -> Double {
      guard let slice = inheritedValue(name, chain, of: own),
        let length = Length(parsing: text.extracting(slice.range))
      else { return 0 }
      return resolve(length, units, frame, direction)
    }
    let rect = Rect(
      x: value(.x, .horizontal), y: value(.y, .vertical), width: value(.width, .horizontal),
      height: value(.height, .vertical))
    guard rect.width > 0, rect.height > 0, rect.isFinite else { return nil }
    let transform = resourceTransform(.patternTransform, chain, frame, own)
    let viewBox = inheritedValue(.viewBox, chain, of: own).flatMap { parseViewBox(text.extracting($0.range)) }
    let ratio = inheritedValue(.preserveAspectRatio, chain, of: own).flatMap {
      PreserveAspectRatio(parsing: text.extracting($0.range))
    }
    return RenderTree.PatternResource(
      rect: rect, units: units,
      contentUnits: self.units(inheritedValue(.patternContentUnits, chain, of: own), default: .userSpace),
      transform: transform, viewBox: viewBox, aspectRatio: ratio ?? PreserveAspectRatio())
  }

  /// Returns the first of some elements that has child elements.
  mutating func firstWithElements(_ chain: [NodeIndex]) throws(CodecError) -> NodeIndex? {
    for node in chain {
      var child = document.xml[node].firstChild
      while child != XMLDocument.noNode {
        try account.budget.chargeWork(4)
        if document.xml[child].isElement { return node }
        child = document.xml[child].nextSibling
      }
    }
    return nil
  }

  // MARK: Clip paths

  /// Returns the clip path with an id; `nil` if there is none, in which case nothing is clipped.
  mutating func clip(_ id: TextSlice, _ frame: Frame) throws(CodecError) -> RenderTree.Index? {
    guard let node = try element(withID: id), document.xml[node].element == .clipPath else { return nil }
    try spendReference()
    if let known = clipping.clips[node] { return known }
    let style = try documentStyle(of: node)
    var transform = AffineTransform.identity
    var isValid = true
    if let slice = style.transform {
      if let parsed = TransformParser.parse(document.xml.text.span.extracting(slice.range)) {
        transform = about(style, frame.viewport, nil, parsed)
      } else {
        isValid = false
      }
    }
    tree.clips.append(
      RenderTree.ClipResource(
        units: units(document.xml.value(.clipPathUnits, of: node), default: .userSpace), transform: transform))
    let index = Int32(tree.clips.count - 1)
    clipping.clips[node] = index
    // With a malformed or singular transform, everything is clipped.
    if isValid, transform.isFinite, transform.inverted != nil {
      pending.append(Pending(kind: .clip(index), node: node, viewport: frame.viewport))
    }
    return index
  }

  // MARK: Masks

  /// Returns the mask with an id; `nil` if there is none, in which case nothing is masked.
  mutating func mask(_ id: TextSlice, _ frame: Frame) throws(CodecError) -> RenderTree.Index? {
    guard let node = try element(withID: id), document.xml[node].element == .mask else { return nil }
    try spendReference()
    if let known = clipping.masks[node] { return known }
    let style = try documentStyle(of: node)
    let units = units(document.xml.value(.maskUnits, of: node), default: .boundingBox)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ percent: Double) -> Double {
      resolve(length(name, of: node) ?? .percent(percent), units, frame, direction)
    }
    let rect = Rect(
      x: value(.x, .horizontal, -10), y: value(.y, .vertical, -10), width: value(.width, .horizontal, 120),
      height: value(.height, .vertical, 120))
    tree.masks.append(
      RenderTree.MaskResource(
        rect: rect, units: units,
        contentUnits: self.units(document.xml.value(.maskContentUnits, of: node), default: .userSpace),
        source: style.isAlphaMask ? .alpha : style.usesLinearColor ? .linearLuminance : .luminance))
    let index = Int32(tree.masks.count - 1)
    clipping.masks[node] = index
    if rect.width > 0, rect.height > 0, rect.isFinite {
      pending.append(Pending(kind: .mask(index), node: node, viewport: frame.viewport))
    }
    return index
  }

  // MARK: Content

  /// Converts the content of a resource.
  mutating func build(_ item: Pending) throws(CodecError) {
    let start = Int32(tree.nodes.count)
    let style = try documentStyle(of: item.node)
    var frame = Frame(
      next: document.xml[item.node].firstChild, isSingle: false, style: style, viewport: item.viewport,
      mode: .drawing, groupNode: -1, context: nil, target: XMLDocument.noNode)
    switch item.kind {
    case .pattern(let index):
      try push(frame)
      try run()
      tree.patterns[Int(index)].content = start..<Int32(tree.nodes.count)
    case .clip(let index):
      frame.mode = .clipping
      if case .id(let id) = style.clipPath { tree.clips[Int(index)].clip = try clip(id, frame) }
      try push(frame)
      try run()
      tree.clips[Int(index)].content = start..<Int32(tree.nodes.count)
    case .mask(let index):
      if case .id(let id) = style.mask { tree.masks[Int(index)].mask = try mask(id, frame) }
      try push(frame)
      try run()
      tree.masks[Int(index)].content = start..<Int32(tree.nodes.count)
    case .filterImage(let index, let primitive):
      frame.next = item.node
      frame.isSingle = true
      frame.style = try documentStyle(of: document.xml[item.node].parent)
      try push(frame)
      try run()
      tree.filters[Int(index)].primitives[primitive].effect = ImageEffect(
        content: .nodes(start..<Int32(tree.nodes.count)))
    }
  }
}
