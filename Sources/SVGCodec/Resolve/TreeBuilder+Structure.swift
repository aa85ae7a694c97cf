// The root viewport, nested svg, symbol, use, switch and conditional processing (SVG 2, chapters 5 and 8).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension TreeBuilder {
  // MARK: The document

  /// Converts the root element and then every referenced resource.
  mutating func buildDocument() throws(CodecError) {
    let root = draft.document.xml.root
    guard draft.document.xml[root].element == .svg else {
      throw CodecError(.malformed, "the root element is not svg", format: SVGDecoder.type)
    }
    let style = try draft.style(of: root, parent: draft.styles.initial)
    draft.styles.setRoot(style)
    try buildRoot(root, style)
    draft.tree.content = 0..<Int32(draft.tree.nodes.count)
    var index = 0
    while index < draft.pending.count {
      try build(draft.pending[index])
      index += 1
    }
    try buildPendingGlyphClips()
  }

  private mutating func buildRoot(_ root: NodeIndex, _ style: ComputedStyle) throws(CodecError) {
    let viewBox = draft.viewBox(of: root)
    let size = rootSize(root, style, viewBox)
    draft.tree.width = size.width
    draft.tree.height = size.height
    guard style.isDisplayed, size.width > 0, size.height > 0 else { return }
    let viewport = viewBox.map { Viewport(width: $0.width, height: $0.height) } ?? size
    draft.rootViewport = viewport
    let frame = Frame(
      next: XMLDocument.noNode, isSingle: true, style: draft.styles.initial, viewport: viewport, mode: .drawing,
      groupNode: -1,
      context: nil, target: XMLDocument.noNode)
    guard var group = try group(for: root, style, frame) else { return }
    let fitted =
      viewBox.map {
        draft.aspectRatio(of: root).transform(
          from: $0, to: Rect(x: 0, y: 0, width: size.width, height: size.height))
      } ?? .identity
    draft.setTransform(of: style, viewport, on: &group, outer: fitted)
    try appendBackground(root, style, Rect(x: 0, y: 0, width: size.width, height: size.height), frame)
    let part = elementID.map { draft.document.element(withID: Array($0.utf8).span) } ?? root
    guard let part else { return }
    if part == root {
      try draft.push(childrenOf: root, style, frame, group: group)
    } else {
      var single = frame
      single.next = part
      single.style = try draft.documentStyle(of: draft.document.xml[part].parent)
      single.groupNode = try draft.openGroup(group)
      try draft.push(single)
    }
    try run()
  }

  /// Returns the size of the document in user units. Percentages refer to the view box or, without one, to 100 units.
  private mutating func rootSize(_ root: NodeIndex, _ style: ComputedStyle, _ viewBox: Rect?) -> Viewport {
    let base = Viewport(width: viewBox?.width ?? 100, height: viewBox?.height ?? 100)
    let context = draft.lengths(style, base)
    let width = draft.length(.width, of: root, style).map { context.resolve($0, .horizontal) }
    let height = draft.length(.height, of: root, style).map { context.resolve($0, .vertical) }
    func clean(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }
    if let width, let height { return Viewport(width: clean(width), height: clean(height)) }
    guard let viewBox else {
      // A missing size is computed from the content later; see `finishSize`.
      return Viewport(width: clean(width ?? 100), height: clean(height ?? 100))
    }
    if let width { return Viewport(width: clean(width), height: clean(width * viewBox.height / viewBox.width)) }
    if let height { return Viewport(width: clean(height * viewBox.width / viewBox.height), height: clean(height)) }
    return Viewport(width: viewBox.width, height: viewBox.height)
  }

  /// Computes the size of a document without size and view box from its content.
  mutating func finishSize() {
    let root = draft.document.xml.root
    guard draft.viewBox(of: root) == nil else { return }
    let hasWidth = draft.document.xml.value(.width, of: root) != nil
    let hasHeight = draft.document.xml.value(.height, of: root) != nil
    guard !hasWidth || !hasHeight, let bounds = BoundsPass.bounds(of: draft.tree.content, in: draft.tree) else {
      return
    }
    if !hasWidth, bounds.maxX > 0, bounds.maxX.isFinite { draft.tree.width = bounds.maxX }
    if !hasHeight, bounds.maxY > 0, bounds.maxY.isFinite { draft.tree.height = bounds.maxY }
  }

  // MARK: Nested viewports

  /// Converts a nested `svg`, or the `svg` or `symbol` that a `use` references.
  mutating func convertViewport(
    _ node: NodeIndex, _ element: ElementName, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    let context = draft.lengths(style, frame.viewport)
    let size = frame.sizeOverride
    let whole = Length.percent(100)
    let viewBox = draft.viewBox(of: node)
    let position = Point(
      x: context.resolve(draft.length(.x, of: node, style) ?? .zero, .horizontal),
      y: context.resolve(draft.length(.y, of: node, style) ?? .zero, .vertical))
    let width = context.resolve(
      size?.width ?? draft.length(.width, of: node, style) ?? whole, .horizontal)
    let height = context.resolve(
      size?.height ?? draft.length(.height, of: node, style) ?? whole, .vertical)
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return }
    let rect = Rect(x: position.x, y: position.y, width: width, height: height)
    let content =
      viewBox.map { draft.aspectRatio(of: node).transform(from: $0, to: rect) }
      ?? .translation(x: position.x, y: position.y)
    let viewport =
      viewBox.map { Viewport(width: $0.width, height: $0.height) } ?? Viewport(width: width, height: height)
    // The viewport's clip is in the space outside the view box transform.
    if style.overflow != .visible {
      draft.setTransform(of: style, frame.viewport, on: &group)
      group.clipRect = rect
      let outer = try draft.openGroup(group)
      var outerFrame = frame
      outerFrame.next = XMLDocument.noNode
      outerFrame.groupNode = outer
      outerFrame.target = XMLDocument.noNode
      outerFrame.sizeOverride = nil
      try draft.push(outerFrame)
      try draft.push(
        childrenOf: node, style, frame, group: RenderTree.Group(transform: content), viewport: viewport)
    } else {
      draft.setTransform(of: style, frame.viewport, on: &group, inner: content)
      try draft.push(childrenOf: node, style, frame, group: group, viewport: viewport)
    }
  }

  // MARK: use

  mutating func convertUse(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    guard let target = draft.hrefTarget(of: node), let element = draft.document.xml[target].element,
      element.isGraphic || element == .symbol, draft.document.xml[target].namespace == .svg
    else { return }
    try draft.spendReference()
    guard !draft.isOpen(node), try !draft.isAncestor(target, of: node) else {
      draft.document.note(
        ImageDiagnostic(
          .warning, "a use element refers to itself", byteOffset: Int(draft.document.xml[node].byteOffset)))
      return
    }
    guard var group = try group(for: node, style, frame) else { return }
    let context = draft.lengths(style, frame.viewport)
    let x = context.resolve(draft.length(.x, of: node, style) ?? .zero, .horizontal)
    let y = context.resolve(draft.length(.y, of: node, style) ?? .zero, .vertical)
    draft.setTransform(of: style, frame.viewport, on: &group, inner: .translation(x: x, y: y))
    // A `use` is the context element of its content.
    var contextPaint = frame.context
    if frame.mode == .drawing {
      let index = Int32(draft.tree.contextCount)
      let paints = try paintServers.paints(of: style, node, frame, context: index, &draft)
      if draft.needsContext(paints) {
        draft.tree.contextCount += 1
        group.context = index
      }
      contextPaint = paints
    }
    let groupNode = try draft.openGroup(group)
    var sizeOverride: SizeOverride?
    if element == .svg || element == .symbol {
      sizeOverride = SizeOverride(
        width: draft.length(.width, of: node, style), height: draft.length(.height, of: node, style))
    }
    try draft.push(
      Frame(
        next: target, isSingle: true, style: style, viewport: frame.viewport, mode: frame.mode, groupNode: groupNode,
        context: contextPaint, target: node, sizeOverride: sizeOverride))
  }

  // MARK: switch

  mutating func convertSwitch(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    var child = draft.document.xml[node].firstChild
    while child != XMLDocument.noNode {
      try draft.chargeReading(child)
      if let element = draft.document.xml[child].element, element.isGraphic, passesConditions(child) { break }
      child = draft.document.xml[child].nextSibling
    }
    guard child != XMLDocument.noNode, var group = try group(for: node, style, frame) else { return }
    draft.setTransform(of: style, frame.viewport, on: &group)
    let groupNode = try draft.openGroup(group)
    try draft.push(
      Frame(
        next: child, isSingle: true, style: style, viewport: frame.viewport, mode: frame.mode, groupNode: groupNode,
        context: frame.context, target: XMLDocument.noNode))
  }

  /// Evaluates conditional processing (SVG 2, section 5.8). Required features are always considered supported.
  func passesConditions(_ node: NodeIndex) -> Bool {
    draft.document.passesConditions(node, languages: draft.options.languages)
  }
}

extension StyledDocument {
  /// Evaluates conditional processing (SVG 2, section 5.8). Required features are always considered supported.
  func passesConditions(_ node: XMLDocument.NodeIndex, languages preferences: [String]) -> Bool {
    if let extensions = xml.value(.requiredExtensions, of: node) {
      if extensions.isEmpty || !xml.string(extensions).allSatisfy(\.isWhitespace) { return false }
    }
    guard let languages = xml.value(.systemLanguage, of: node) else { return true }
    return xml.string(languages).split(separator: ",").contains { language in
      let language = language.filter { !$0.isWhitespace }.lowercased()
      return preferences.contains { preferred in
        language == preferred.lowercased() || language.hasPrefix(preferred.lowercased() + "-")
      }
    }
  }
}
