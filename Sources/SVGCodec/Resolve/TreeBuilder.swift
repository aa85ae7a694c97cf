// Converts a styled document to a render tree. One loop processes a stack of frames, each of which iterates over the
// children of one element; `use`, nested `svg`, markers and the contents of patterns, clips and masks push frames.
// Resources are queued when they are first referenced and converted after the document itself, so that conversions
// never nest.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// Builds the tree of a document.
struct TreeBuilder: ~Copyable {
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
    /// The markers of a shape, which are entered one after the other. At most one run, stored indirectly, because few
    /// frames have one and a frame is copied for every element.
    var markerRuns: [MarkerRun] = []
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

  /// The tree, with what it is built from.
  var draft: TreeDraft
  /// The identifier of the element to draw instead of the whole document.
  var elementID: String?

  // The resources of elements that have been resolved.
  var paintServers = PaintServers()
  var clipping = ClippingResources()
  var images = ImageResources()
  var filterResources = FilterResources()
  var textResources: TextResources

  init(
    _ document: StyledDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, isNested: Bool,
    budget: consuming ResourceBudget
  ) {
    draft = TreeDraft(document, limits: limits, options: options, isNested: isNested, budget: budget)
    textResources = TextResources(fonts: TextFonts(options.fonts))
  }

  /// Returns the tree of a document, its diagnostics, and the number of budget bytes that the tree holds.
  static func build(
    _ document: StyledDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, isNested: Bool,
    elementID: String? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> (tree: RenderTree, diagnostics: [ImageDiagnostic], heldByteCount: Int) {
    var (document, options) = (document, options)
    let faces = try DocumentFonts.load(&document, options: options, isNested: isNested, budget: &budget)
    options.fonts = options.fonts.with(documentFaces: faces)
    var builder = TreeBuilder(
      document, limits: limits, options: options, isNested: isNested, budget: budget)
    builder.elementID = elementID
    let outcome = Result { () throws(CodecError) in try builder.build() }
    budget = builder.draft.takeBudget()
    return try outcome.get()
  }

  private mutating func build() throws(CodecError) -> (
    tree: RenderTree, diagnostics: [ImageDiagnostic], heldByteCount: Int
  ) {
    UnsupportedFeatures.note(in: &draft.document)
    try draft.reserveShapes()
    try buildDocument()
    ReferenceCycles.cut(&draft.tree)
    try BoundsPass.measureStrokes(&draft.tree, budget: &draft.account.budget)
    BoundsPass.run(&draft.tree)
    finishSize()
    draft.tree.segmentCount = draft.account.segmentCount
    return (draft.tree, draft.document.xml.diagnostics, draft.account.treeByteCount)
  }

  // MARK: The loop

  /// Converts the content of all frames.
  mutating func run() throws(CodecError) {
    while !draft.frames.isEmpty {
      let top = draft.frames.count - 1
      if !draft.frames[top].markerRuns.isEmpty {
        try enterNextMarker()
        continue
      }
      let node = draft.frames[top].next
      if node == XMLDocument.noNode {
        let frame = draft.frames.removeLast()
        if frame.groupNode >= 0 { draft.closeGroup(frame.groupNode) }
        continue
      }
      draft.frames[top].next = draft.frames[top].isSingle ? XMLDocument.noNode : draft.document.xml[node].nextSibling
      try convert(node)
    }
  }

  /// Converts one child of the top frame's element.
  private mutating func convert(_ node: NodeIndex) throws(CodecError) {
    guard let element = draft.document.xml[node].element,
      element.isGraphic || element == .symbol || element == .foreignObject
    else { return }
    let frame = draft.frames[draft.frames.count - 1]
    let sizeOverride = frame.sizeOverride
    try draft.account.budget.chargeWork(TreeAccount.workPerInstance)
    // Charges all reads of the element by the conditions and the code below.
    let style = try draft.style(of: node, parent: frame.style)
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
    case .foreignObject: draft.noteUnsupported("foreignObject", node)
    default: break
    }
  }

  /// Enters the children of a container.
  private mutating func pushContainer(
    _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    draft.setTransform(of: style, frame.viewport, on: &group)
    try draft.push(childrenOf: node, style, frame, group: group)
  }

  /// Returns the group that an element's properties require; `nil` if the element must not be drawn.
  mutating func group(
    for node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) -> RenderTree.Group? {
    var group = RenderTree.Group()
    if frame.mode == .drawing {
      group.opacity = style.opacity
      group.blending = style.blending
      group.isIsolated = style.isIsolated
      group.mask = try mask(node, style, frame)
      if let functions = style.filter {
        guard case .filters(let filters) = try filterResources.filters(functions, node, style, frame, &images, &draft)
        else { return nil }
        group.filters = filters
      }
    }
    switch style.clipPath {
    case .none: break
    case .reference(let reference): group.clip = try clipping.clip(reference, frame, &draft)
    case .shape(let shape, let box): group.clip = try clipping.clip(shape, box, style, frame, &draft)
    }
    return group
  }
}
