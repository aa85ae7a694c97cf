// Converts a styled document to a render tree. One loop processes a stack of frames, each of which iterates over the
// children of one element; `use`, nested `svg`, markers and the contents of patterns, clips and masks push frames.
// Resources are queued when they are first referenced and converted after the document itself, so that conversions
// never nest.

internal import ImageCore
internal import VectorGraphics

/// Builds the tree of a document.
struct TreeBuilder {
  typealias NodeIndex = XMLDocument.NodeIndex

  /// The kind of content that is being converted.
  enum Mode: Sendable {
    case drawing
    /// In a clip path, only shapes are converted; they are filled according to their clip rule.
    case clipping
  }

  /// The children of an element during their conversion.
  struct Frame {
    /// The next child; `noNode` if there is none.
    var next: NodeIndex
    /// Whether `next` is the only child to convert.
    var isSingle: Bool
    /// The style from which the children inherit.
    var style: ComputedStyle
    var viewport: Viewport
    var mode: Mode
    /// The group node to close at the end; −1 if there is none.
    var groupNode: Int32
    /// The paints for context-fill and context-stroke.
    var context: ContextPaint?
    /// The element that must not be entered again before the frame is finished: a `use` or a marker.
    var target: NodeIndex
    /// The size that replaces that of `next`, if it is an `svg` or `symbol` referenced by `use`.
    var sizeOverride: SizeOverride?
    /// The markers of a shape, which are entered one after the other.
    var markerRun: MarkerRun?
  }

  struct Viewport: Sendable {
    var width: Double
    var height: Double
  }

  /// The size that `use` specifies for its target.
  struct SizeOverride: Sendable {
    var width: Length?
    var height: Length?
  }

  /// The paints of the context element, to which context-fill and context-stroke refer.
  struct ContextPaint: Sendable {
    var fill: RenderTree.ShapePaint?
    var stroke: RenderTree.ShapePaint?
  }

  /// Content to be converted later.
  struct Pending {
    enum Kind {
      case pattern(RenderTree.Index)
      case clip(RenderTree.Index)
      case mask(RenderTree.Index)
      /// The image of a filter primitive is the element itself.
      case filterImage(RenderTree.Index, primitive: Int)
    }

    var kind: Kind
    /// The element whose children are the content.
    var node: NodeIndex
    var viewport: Viewport
  }

  var document: StyledDocument
  let options: SVGDocument.Options
  /// Whether the document is an image in another document.
  let isNested: Bool
  /// The identifier of the element to draw instead of the whole document.
  var elementID: String?
  /// The limits, and what the tree and the work of building it have cost.
  var account: TreeAccount
  var styles: ElementStyles
  var tree = RenderTree()
  var frames: [Frame] = []
  var pending: [Pending] = []

  // What elements have been resolved to.
  var paintServers = PaintServers()
  var clipping = ClippingResources()
  var filterResources = FilterResources()
  var textResources: TextResources
  var pictures: [NodeIndex: RenderTree.ImageNode.Content?] = [:]

  init(
    _ document: StyledDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, isNested: Bool,
    budget: ResourceBudget
  ) {
    self.document = document
    self.options = options
    self.isNested = isNested
    account = TreeAccount(limits: limits, budget: budget)
    styles = ElementStyles(defaultFontSize: options.defaultFontSize)
    textResources = TextResources(fonts: TextFonts(options.fonts))
  }

  /// Returns the tree of a document, its diagnostics, and the number of budget bytes that the tree holds.
  static func build(
    _ document: StyledDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, isNested: Bool,
    elementID: String? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> (tree: RenderTree, diagnostics: [ImageDiagnostic], heldByteCount: Int) {
    var builder = TreeBuilder(document, limits: limits, options: options, isNested: isNested, budget: budget)
    defer { budget = builder.account.budget }
    UnsupportedFeatures.note(in: &builder.document)
    builder.elementID = elementID
    try builder.buildDocument()
    ReferenceCycles.cut(&builder.tree)
    BoundsPass.run(&builder.tree)
    builder.finishSize()
    builder.tree.segmentCount = builder.account.segmentCount
    return (builder.tree, builder.document.xml.diagnostics, builder.account.treeByteCount)
  }

  var xml: XMLDocument { document.xml }

  // MARK: The loop

  /// Converts the content of all frames.
  mutating func run() throws(CodecError) {
    while !frames.isEmpty {
      let top = frames.count - 1
      if frames[top].markerRun != nil {
        try enterNextMarker()
        continue
      }
      let node = frames[top].next
      if node == XMLDocument.noNode {
        let frame = frames.removeLast()
        if frame.groupNode >= 0 { closeGroup(frame.groupNode) }
        continue
      }
      frames[top].next = frames[top].isSingle ? XMLDocument.noNode : document.xml[node].nextSibling
      try convert(node)
    }
  }

  /// Converts one child of the top frame's element.
  private mutating func convert(_ node: NodeIndex) throws(CodecError) {
    guard let element = document.xml[node].element, element.isGraphic || element == .symbol || element == .foreignObject
    else { return }
    let frame = frames[frames.count - 1]
    let sizeOverride = frame.sizeOverride
    try account.budget.chargeWork(TreeAccount.workPerInstance)
    // Charges all reads of the element by the conditions and the code below.
    let style = try style(of: node, parent: frame.style)
    guard element != .symbol || sizeOverride != nil, passesConditions(node) else { return }
    guard style.isDisplayed else { return }
    if frame.mode == .clipping {
      guard element.isShape || element == .text || element == .use else { return }
      // The target of `use` must also be a shape.
      if frame.target != XMLDocument.noNode, element == .use { return }
    }
    switch element {
    case .circle, .ellipse, .line, .path, .polygon, .polyline, .rect: try convertShape(node, element, style, frame)
    case .g, .a: try pushContainer(node, style, frame)
    case .switch: try convertSwitch(node, style, frame)
    case .use: try convertUse(node, style, frame)
    case .svg, .symbol: try convertViewport(node, element, style, frame)
    case .image: try convertImage(node, style, frame)
    case .text: try convertText(node, style, frame)
    case .foreignObject: noteUnsupported("foreignObject", node)
    default: break
    }
  }

  /// Enters the children of a container.
  private mutating func pushContainer(
    _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    group.transform = transform(of: style, frame.viewport)
    try push(childrenOf: node, style, frame, group: group)
  }

  /// Pushes a frame for the children of an element, in a group if the group has any effect.
  mutating func push(
    childrenOf node: NodeIndex, _ style: ComputedStyle, _ frame: Frame, group: RenderTree.Group,
    viewport: Viewport? = nil
  ) throws(CodecError) {
    let groupNode = try openGroup(group)
    try push(
      Frame(
        next: document.xml[node].firstChild, isSingle: false, style: style, viewport: viewport ?? frame.viewport,
        mode: frame.mode, groupNode: groupNode, context: frame.context, target: XMLDocument.noNode))
  }

  mutating func push(_ frame: Frame) throws(CodecError) {
    guard frames.count < account.limits.maximumNestingDepth else {
      throw error("elements are nested deeper than \(account.limits.maximumNestingDepth)")
    }
    frames.append(frame)
  }

  // MARK: Nodes

  /// Opens a group; returns −1 if it would have no effect.
  mutating func openGroup(_ group: RenderTree.Group) throws(CodecError) -> Int32 {
    guard
      group.transform != .identity || group.needsLayer || group.clip != nil || group.clipRect != nil
        || group.context != nil || group.layoutBounds != nil
    else { return -1 }
    tree.groups.append(group)
    return try append(.group(Int32(tree.groups.count - 1), end: 0))
  }

  mutating func closeGroup(_ node: Int32) {
    guard node >= 0, case .group(let group, _) = tree.nodes[Int(node)] else { return }
    tree.nodes[Int(node)] = .group(group, end: Int32(tree.nodes.count))
  }

  @discardableResult
  mutating func append(_ node: RenderTree.Node) throws(CodecError) -> Int32 {
    let most = min(account.limits.maximumNodeCount, Int(Int32.max))
    guard tree.nodes.count < most else { throw error("more than \(most) nodes to be drawn") }
    switch node {
    case .group: try account.hold(TreeAccount.bytesPerGroup)
    case .shape: try account.hold(TreeAccount.bytesPerShape)
    case .image: try account.hold(TreeAccount.bytesPerImage)
    }
    tree.nodes.append(node)
    return Int32(tree.nodes.count - 1)
  }

  /// Returns the group that an element's properties require; `nil` if the element must not be drawn.
  mutating func group(
    for node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) -> RenderTree.Group? {
    var group = RenderTree.Group()
    if frame.mode == .drawing {
      group.opacity = style.opacity
      group.blendMode = style.blendMode
      group.isIsolated = style.isIsolated
      if case .id(let id) = style.mask, let mask = try mask(id, frame) { group.mask = mask }
      if let slice = style.filter {
        guard case .filters(let filters) = try filters(slice, node, style, frame) else { return nil }
        group.filters = filters
      }
    }
    if case .id(let id) = style.clipPath, let clip = try clip(id, frame) { group.clip = clip }
    return group
  }

  /// Returns the transform of an element about its origin; a malformed one is ignored.
  func transform(of style: ComputedStyle, _ viewport: Viewport, box: Rect? = nil) -> AffineTransform {
    guard let slice = style.transform,
      let transform = TransformParser.parse(document.xml.text.span.extracting(slice.range))
    else { return .identity }
    return about(style, viewport, box, transform)
  }

  /// Returns a transform about the element's `transform-origin`.
  func about(
    _ style: ComputedStyle, _ viewport: Viewport, _ box: Rect?, _ transform: AffineTransform
  ) -> AffineTransform {
    let box = style.usesFillBox ? box : nil
    guard let origin = style.transformOrigin ?? (box == nil ? nil : TransformOrigin())
    else { return transform }
    let reference = box ?? Rect(x: 0, y: 0, width: viewport.width, height: viewport.height)
    let context = LengthContext(
      fontSize: style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: reference.width,
      viewportHeight: reference.height)
    let x = reference.x + context.resolve(origin.x, .horizontal)
    let y = reference.y + context.resolve(origin.y, .vertical)
    return .translation(x: x, y: y) * transform * .translation(x: -x, y: -y)
  }

  // MARK: Values

  func lengths(_ style: ComputedStyle, _ viewport: Viewport) -> LengthContext {
    LengthContext(
      fontSize: style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: viewport.width,
      viewportHeight: viewport.height)
  }

  /// Returns the length of an attribute or of the property of the same name; `nil` if it is missing, malformed or
  /// `auto`.
  func length(_ name: AttributeName, of node: NodeIndex) -> Length? { document.length(name, of: node) }

  /// Returns the element that a `href` references.
  func hrefTarget(of node: NodeIndex) -> NodeIndex? {
    guard let slice = document.xml.value(.href, of: node) else { return nil }
    let bytes = document.xml.text.span.extracting(slice.range)
    guard let fragment = parseFragment(bytes) else { return nil }
    return document.element(withID: bytes.extracting(fragment))
  }

  /// Returns the element with an id. The lookup is charged, because the reference may be inherited by many elements.
  mutating func element(withID id: TextSlice) throws(CodecError) -> NodeIndex? {
    try account.budget.chargeWork(Int(id.count))
    return document.element(withID: document.xml.text.span.extracting(id.range))
  }

  func error(_ reason: String) -> CodecError { TreeAccount.error(reason) }

  mutating func noteUnsupported(_ feature: String, _ node: NodeIndex) {
    note(node, "\(feature) is not drawn")
  }

  /// Records what is missing because of an element.
  mutating func note(_ node: NodeIndex, _ reason: String) {
    document.note(ImageDiagnostic(.damage, reason, byteOffset: Int(document.xml[node].byteOffset)))
  }

  /// Counts a reference against the limit. The open elements are searched for cycles.
  mutating func spendReference() throws(CodecError) {
    try account.spendReference(openElementCount: frames.count)
  }

  // MARK: Styles

  /// Computes the style of an element. Charges reading the element, which is repeated for each of its instances.
  mutating func style(of node: NodeIndex, parent: ComputedStyle) throws(CodecError) -> ComputedStyle {
    try styles.style(of: node, in: document, parent: parent, &account)
  }

  /// Returns the style of any element, inherited from its ancestors in the document.
  mutating func documentStyle(of node: NodeIndex) throws(CodecError) -> ComputedStyle {
    try styles.documentStyle(of: node, in: document, &account)
  }

  /// Charges reading an element's attributes and declared values once.
  mutating func chargeReading(_ node: NodeIndex) throws(CodecError) {
    try account.chargeReading(node, in: document)
  }
}
