// The render tree while it is built, with the document, the costs and the elements that are open.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// A tree being built.
struct TreeDraft: ~Copyable {
  typealias NodeIndex = XMLDocument.NodeIndex
  typealias Frame = TreeBuilder.Frame
  typealias Viewport = TreeBuilder.Viewport

  var document: StyledDocument
  let options: SVGDocument.Options
  /// Whether the document is an image in another document.
  let isNested: Bool
  /// The limits, and what the tree and the work of building it have cost.
  var account: TreeAccount
  var styles: ElementStyles
  var tree = RenderTree()
  /// The number of shapes that are charged in advance.
  private var reservedShapeCount = 0
  /// The viewport of the root element.
  var rootViewport = Viewport(width: 0, height: 0)
  /// The elements whose children are being converted.
  var frames: [Frame] = []
  /// The content to be converted after that of the document.
  var pending: [TreeBuilder.Pending] = []

  init(
    _ document: StyledDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, isNested: Bool,
    budget: consuming ResourceBudget
  ) {
    self.document = document
    self.options = options
    self.isNested = isNested
    account = TreeAccount(limits: limits, budget: budget)
    styles = ElementStyles(
      defaultFontSize: options.defaultFontSize, maximumSubstitutionByteCount: limits.maximumSubstitutionByteCount,
      fonts: options.fonts)
  }

  /// Ends the draft and returns its budget.
  consuming func takeBudget() -> ResourceBudget { account.takeBudget() }

  /// The maximum number of shapes for which memory is reserved, about 10 MB.
  private static let maximumReservedShapeCount = 16_384

  /// Reserves the memory of the shapes of the document, and charges it. They are the largest part of a tree, and an
  /// array that grows copies them.
  mutating func reserveShapes() throws(CodecError) {
    let count = document.xml.nodes.count { $0.element?.isShape == true }
    reservedShapeCount = min(count, Self.maximumReservedShapeCount)
    try account.hold(reservedShapeCount * TreeAccount.bytesPerShape)
    tree.shapes.reserveCapacity(reservedShapeCount)
  }

  // MARK: Frames and nodes

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
        || group.context != nil || group.layoutBounds != nil || group.boxTransform != nil
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
    case .shape: if tree.shapes.count > reservedShapeCount { try account.hold(TreeAccount.bytesPerShape) }
    case .image: try account.hold(TreeAccount.bytesPerImage)
    }
    tree.nodes.append(node)
    return Int32(tree.nodes.count - 1)
  }

  mutating func append(_ shape: consuming RenderTree.Shape) throws(CodecError) {
    tree.shapes.append(shape)
    try append(.shape(Int32(tree.shapes.count - 1)))
  }

  /// Stores the colour of a paint whose server may not be able to paint.
  mutating func append(fallback color: Color) throws(CodecError) -> RenderTree.Index {
    try account.hold(TreeAccount.bytesPerFallback)
    tree.fallbackColors.append(color)
    return Int32(clamping: tree.fallbackColors.count - 1)
  }

  /// Returns whether a paint depends on the bounds or the user space of the element that specifies it.
  mutating func needsContext(_ paints: TreeBuilder.ContextPaint) -> Bool {
    [paints.fill, paints.stroke].contains { paint in
      switch paint?.source {
      case .gradient, .pattern: paint?.context == Int32(tree.contextCount)
      default: false
      }
    }
  }

  /// Returns whether a `use` or a marker is being converted.
  mutating func isOpen(_ node: NodeIndex) -> Bool {
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
}
