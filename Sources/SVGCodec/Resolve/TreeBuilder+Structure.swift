// The root viewport, nested svg, symbol, use, switch and conditional processing (SVG 2, chapters 5 and 8).

internal import ImageCore
internal import VectorGraphics

extension TreeBuilder {
  // MARK: The document

  /// Converts the root element and then every referenced resource.
  mutating func buildDocument() throws(CodecError) {
    let root = document.xml.root
    guard document.xml[root].element == .svg else {
      throw CodecError(.malformed, "the root element is not svg", format: SVGDecoder.type)
    }
    let style = try style(of: root, parent: styles.initial)
    styles.rootFontSize = style.fontSize
    try buildRoot(root, style)
    tree.content = 0..<Int32(tree.nodes.count)
    var index = 0
    while index < pending.count {
      try build(pending[index])
      index += 1
    }
    try buildPendingGlyphs()
  }

  private mutating func buildRoot(_ root: NodeIndex, _ style: ComputedStyle) throws(CodecError) {
    let viewBox = viewBox(of: root)
    let size = rootSize(root, style, viewBox)
    tree.width = size.width
    tree.height = size.height
    guard style.isDisplayed, size.width > 0, size.height > 0 else { return }
    let viewport = viewBox.map { Viewport(width: $0.width, height: $0.height) } ?? size
    let frame = Frame(
      next: XMLDocument.noNode, isSingle: true, style: styles.initial, viewport: viewport, mode: .drawing,
      groupNode: -1,
      context: nil, target: XMLDocument.noNode)
    guard var group = try group(for: root, style, frame) else { return }
    group.transform = transform(of: style, viewport)
    if let viewBox {
      let fitted = aspectRatio(of: root).transform(
        from: viewBox, to: Rect(x: 0, y: 0, width: size.width, height: size.height))
      group.transform = fitted * group.transform
    }
    if let color = style.backgroundColor, color.alpha > 0 {
      try appendBackground(color, Rect(x: 0, y: 0, width: size.width, height: size.height))
    }
    let part = elementID.map { document.element(withID: Array($0.utf8).span) } ?? root
    guard let part else { return }
    if part == root {
      try push(childrenOf: root, style, frame, group: group)
    } else {
      var single = frame
      single.next = part
      single.style = try documentStyle(of: document.xml[part].parent)
      single.groupNode = try openGroup(group)
      try push(single)
    }
    try run()
  }

  private mutating func appendBackground(_ color: Color, _ rect: Rect) throws(CodecError) {
    let paint = RenderTree.ShapePaint(source: .color(color), opacity: 1, context: nil)
    tree.shapes.append(
      RenderTree.Shape(
        path: Path(rect), transform: .identity, fill: paint, fillRule: .nonZero, stroke: nil,
        strokeStyle: StrokeStyle(), isStrokeFirst: false, isAntialiased: true, context: nil, bounds: rect))
    try append(.shape(Int32(tree.shapes.count - 1)))
  }

  /// Returns the size of the document in user units. Percentages refer to the view box or, without one, to 100 units.
  private func rootSize(_ root: NodeIndex, _ style: ComputedStyle, _ viewBox: Rect?) -> Viewport {
    let base = Viewport(width: viewBox?.width ?? 100, height: viewBox?.height ?? 100)
    let context = lengths(style, base)
    let width = length(.width, of: root).map { context.resolve($0, .horizontal) }
    let height = length(.height, of: root).map { context.resolve($0, .vertical) }
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
    let root = document.xml.root
    guard viewBox(of: root) == nil else { return }
    let hasWidth = document.xml.value(.width, of: root) != nil
    let hasHeight = document.xml.value(.height, of: root) != nil
    guard !hasWidth || !hasHeight, let bounds = BoundsPass.bounds(of: tree.content, in: tree) else { return }
    if !hasWidth, bounds.maxX > 0, bounds.maxX.isFinite { tree.width = bounds.maxX }
    if !hasHeight, bounds.maxY > 0, bounds.maxY.isFinite { tree.height = bounds.maxY }
  }

  func viewBox(of node: NodeIndex) -> Rect? {
    guard let slice = document.xml.value(.viewBox, of: node) else { return nil }
    return parseViewBox(document.xml.text.span.extracting(slice.range))
  }

  func aspectRatio(of node: NodeIndex) -> PreserveAspectRatio {
    guard let slice = document.xml.value(.preserveAspectRatio, of: node) else { return PreserveAspectRatio() }
    return PreserveAspectRatio(parsing: document.xml.text.span.extracting(slice.range)) ?? PreserveAspectRatio()
  }

  // MARK: Nested viewports

  /// Converts a nested `svg`, or the `svg` or `symbol` that a `use` references.
  mutating func convertViewport(
    _ node: NodeIndex, _ element: ElementName, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    let context = lengths(style, frame.viewport)
    let isSymbol = element == .symbol
    let size = frame.sizeOverride
    let whole = Length.percent(100)
    let viewBox = viewBox(of: node)
    let position = Point(
      x: isSymbol ? 0 : context.resolve(length(.x, of: node) ?? .zero, .horizontal),
      y: isSymbol ? 0 : context.resolve(length(.y, of: node) ?? .zero, .vertical))
    let width = context.resolve(size?.width ?? (isSymbol ? whole : length(.width, of: node) ?? whole), .horizontal)
    let height = context.resolve(size?.height ?? (isSymbol ? whole : length(.height, of: node) ?? whole), .vertical)
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return }
    let rect = Rect(x: position.x, y: position.y, width: width, height: height)
    let content =
      viewBox.map { aspectRatio(of: node).transform(from: $0, to: rect) }
      ?? .translation(x: position.x, y: position.y)
    let viewport =
      viewBox.map { Viewport(width: $0.width, height: $0.height) } ?? Viewport(width: width, height: height)
    let own = transform(of: style, frame.viewport)
    // The viewport's clip is in the space outside the view box transform.
    if style.overflow != .visible {
      group.transform = own
      group.clipRect = rect
      let outer = try openGroup(group)
      var outerFrame = frame
      outerFrame.next = XMLDocument.noNode
      outerFrame.groupNode = outer
      outerFrame.target = XMLDocument.noNode
      outerFrame.sizeOverride = nil
      try push(outerFrame)
      try push(
        childrenOf: node, style, frame, group: RenderTree.Group(transform: content), viewport: viewport)
    } else {
      group.transform = own * content
      try push(childrenOf: node, style, frame, group: group, viewport: viewport)
    }
  }

  // MARK: use

  mutating func convertUse(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    guard let target = hrefTarget(of: node), let element = document.xml[target].element,
      element.isGraphic || element == .symbol, document.xml[target].namespace == .svg
    else { return }
    try spendReference()
    guard !isOpen(node), try !isAncestor(target, of: node) else {
      document.note(
        ImageDiagnostic(
          .warning, "a use element refers to itself", byteOffset: Int(document.xml[node].byteOffset)))
      return
    }
    guard var group = try group(for: node, style, frame) else { return }
    let context = lengths(style, frame.viewport)
    let x = context.resolve(length(.x, of: node) ?? .zero, .horizontal)
    let y = context.resolve(length(.y, of: node) ?? .zero, .vertical)
    group.transform = transform(of: style, frame.viewport) * .translation(x: x, y: y)
    // A `use` is the context element of its content.
    var contextPaint = frame.context
    if frame.mode == .drawing {
      let index = Int32(tree.contextCount)
      let paints = try paints(of: style, node, frame, context: index)
      if needsContext(paints) {
        tree.contextCount += 1
        group.context = index
      }
      contextPaint = paints
    }
    let groupNode = try openGroup(group)
    var sizeOverride: SizeOverride?
    if element == .svg || element == .symbol {
      sizeOverride = SizeOverride(width: length(.width, of: node), height: length(.height, of: node))
    }
    try push(
      Frame(
        next: target, isSingle: true, style: style, viewport: frame.viewport, mode: frame.mode, groupNode: groupNode,
        context: contextPaint, target: node, sizeOverride: sizeOverride))
  }

  /// Returns whether a paint depends on the bounds or the user space of the element that specifies it.
  func needsContext(_ paints: ContextPaint) -> Bool {
    [paints.fill, paints.stroke].contains { paint in
      switch paint?.source {
      case .gradient, .pattern: paint?.context == Int32(tree.contextCount)
      default: false
      }
    }
  }

  /// Returns whether a `use` or a marker is being converted.
  func isOpen(_ node: NodeIndex) -> Bool {
    frames.contains { $0.target == node }
  }

  mutating func isAncestor(_ candidate: NodeIndex, of node: NodeIndex) throws(CodecError) -> Bool {
    var current = document.xml[node].parent
    while current != XMLDocument.noNode {
      try account.budget.chargeWork(4)
      if current == candidate { return true }
      current = document.xml[current].parent
    }
    return false
  }

  // MARK: switch

  mutating func convertSwitch(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    var child = document.xml[node].firstChild
    while child != XMLDocument.noNode {
      try chargeReading(child)
      if let element = document.xml[child].element, element.isGraphic, passesConditions(child) { break }
      child = document.xml[child].nextSibling
    }
    guard child != XMLDocument.noNode, var group = try group(for: node, style, frame) else { return }
    group.transform = transform(of: style, frame.viewport)
    let groupNode = try openGroup(group)
    try push(
      Frame(
        next: child, isSingle: true, style: style, viewport: frame.viewport, mode: frame.mode, groupNode: groupNode,
        context: frame.context, target: XMLDocument.noNode))
  }

  /// Evaluates conditional processing (SVG 2, section 5.8). Required features are always considered supported.
  func passesConditions(_ node: NodeIndex) -> Bool {
    if let extensions = document.xml.value(.requiredExtensions, of: node) {
      if extensions.isEmpty || !document.xml.string(extensions).allSatisfy(\.isWhitespace) { return false }
    }
    guard let languages = document.xml.value(.systemLanguage, of: node) else { return true }
    return document.xml.string(languages).split(separator: ",").contains { language in
      let language = language.filter { !$0.isWhitespace }.lowercased()
      return options.languages.contains { preferred in
        language == preferred.lowercased() || language.hasPrefix(preferred.lowercased() + "-")
      }
    }
  }
}
