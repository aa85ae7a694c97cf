// The characters of a `text` element with their elements, after white space is collapsed (SVG 2, section 11.4; SVG 1.1,
// section 10.15), collected in one traversal of the subtree.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// The content of a `text` element.
struct TextContent {
  typealias NodeIndex = XMLDocument.NodeIndex

  /// An element that contains text: `text`, `tspan`, `tref`, `a` or `textPath`.
  struct Span {
    var node: NodeIndex
    /// The index of the parent element; −1 for `text` itself.
    var parent: Int32
    var style: ComputedStyle
    var whiteSpace: LineStyle.WhiteSpace
    /// The innermost `textPath`, as an index of spans; −1 if there is none.
    var path: Int32
    /// The language according to `xml:lang` or `lang` on the element or its ancestors.
    var language: TextSlice?
    /// The baseline shifts of the element and its ancestors.
    var shift = Shift()
    /// The elements around the text that declare decoration lines, outermost first, as indices of
    /// ``TextContent/decorators``.
    var decorators: [Int32] = []
    /// The characters of the element and its descendants.
    var characters: Range<Int> = 0..<0
  }

  /// An element that declares decoration lines, which are painted as its text (SVG 2, section 11.12.1).
  struct Decorator {
    /// The element, or `text` for its ancestors.
    var node: NodeIndex
    var style: ComputedStyle
  }

  /// Accumulated baseline shifts. The offsets of subscripts and superscripts depend on the font.
  struct Shift {
    var subscripts = 0.0
    var superscripts = 0.0
    /// The upward shift in user units.
    var distance = 0.0
  }

  var spans: [Span] = []
  var decorators: [Decorator] = []
  var scalars: [Unicode.Scalar] = []
  /// The element of each character.
  var spanOfScalar: [Int32] = []
  /// For each element, the innermost element, including itself, whose `unicode-bidi` has an effect; −1 if there is
  /// none.
  var bidiOwners: [Int32] = []
  /// Whether any element's `unicode-bidi` has an effect.
  var hasBidiControls = false
  /// For each element, the innermost element within `text`, including itself, that is drawn as a group; −1 if there is
  /// none.
  var groupOwners: [Int32] = []
  /// For each element, the innermost element, including itself, with a `textLength`; −1 if there is none. Empty if no
  /// element has one.
  var lengthOwners: [Int32] = []
}

/// Collects the content of a `text` element.
struct TextCollector {
  private struct Open {
    var span: Int32
    var next: XMLDocument.NodeIndex
  }

  private let document: StyledDocument
  private let maximumCount: Int
  private(set) var styles: ElementStyles
  private var content = TextContent()
  private var open: [Open] = []
  /// The index of the last character if it is a space that is removed if nothing follows.
  private var trailingSpace: Int?

  /// The work units for an element and a character of text.
  private static let workPerElement = 3_000
  private static let workPerCharacter = 20
  private static let bytesPerElement = MemoryLayout<TextContent.Span>.stride * 2

  init(_ document: StyledDocument, maximumCount: Int, styles: ElementStyles) {
    self.document = document
    self.maximumCount = maximumCount
    self.styles = styles
  }

  /// Returns the content of an element; `nil` if it has more than `maximumCount` characters.
  ///
  /// - Parameters:
  ///   - style: the element's own style.
  ///   - isIncluded: returns whether an element passes conditional processing.
  mutating func collect(
    _ node: XMLDocument.NodeIndex, _ style: ComputedStyle, budget: inout ResourceBudget,
    isIncluded: (XMLDocument.NodeIndex) -> Bool
  ) throws(CodecError) -> TextContent? {
    var root = TextContent.Span(
      node: node, parent: -1, style: style, whiteSpace: whiteSpace(aboveAnd: node, style), path: -1,
      language: language(aboveAnd: node))
    content.decorators = style.text.decorators.map { TextContent.Decorator(node: node, style: $0) }
    root.decorators = Array(0..<Int32(content.decorators.count))
    try enter(root, &budget)
    while let top = open.last {
      guard top.next != XMLDocument.noNode else {
        let span = Int(top.span)
        content.spans[span].characters = content.spans[span].characters.lowerBound..<content.scalars.count
        open.removeLast()
        continue
      }
      open[open.count - 1].next = document.xml[top.next].nextSibling
      if !document.xml[top.next].isElement {
        try append(document.xml[top.next].text, of: top.span, &budget)
      } else {
        try enterChild(top.next, of: top.span, isIncluded, &budget)
      }
      if content.scalars.count > maximumCount { return nil }
    }
    dropTrailingSpace()
    findLengthOwners()
    return content
  }

  // MARK: Elements

  private mutating func enter(_ span: TextContent.Span, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(Self.bytesPerElement)
    var span = span
    span.characters = content.scalars.count..<content.scalars.count
    content.spans.append(span)
    let around = span.parent >= 0 ? content.bidiOwners[Int(span.parent)] : -1
    let isNormal = span.style.ownText.bidi == .normal
    content.bidiOwners.append(isNormal ? around : Int32(content.spans.count - 1))
    if !isNormal { content.hasBidiControls = true }
    let group = span.parent >= 0 ? content.groupOwners[Int(span.parent)] : -1
    content.groupOwners.append(span.parent >= 0 && !span.style.isPlain ? Int32(content.spans.count - 1) : group)
    open.append(Open(span: Int32(content.spans.count - 1), next: document.xml[span.node].firstChild))
  }

  private mutating func enterChild(
    _ node: XMLDocument.NodeIndex, of parent: Int32, _ isIncluded: (XMLDocument.NodeIndex) -> Bool,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(Self.workPerElement + document.readingCost(of: node))
    let element = document.xml[node].element
    switch element {
    case .tspan, .a, .tref: break
    // `textPath` is only valid as a child of `text`.
    case .textPath: if parent != 0 { return }
    default: return
    }
    let around = content.spans[Int(parent)]
    let style = try styles.style(of: node, in: document, parent: around.style, budget: &budget)
    // Elements that are not displayed do not count in position lists either.
    guard style.isDisplayed, isIncluded(node) else { return }
    var span = TextContent.Span(
      node: node, parent: parent, style: style,
      whiteSpace: ownSpace(of: node) ?? style.text.lines.whiteSpace ?? around.whiteSpace, path: around.path,
      language: ownLanguage(of: node) ?? around.language)
    let index = Int32(content.spans.count)
    span.decorators = around.decorators
    if !style.ownText.lines.isEmpty, span.decorators.count < TextStyle.maximumDecoratorCount {
      span.decorators.append(Int32(content.decorators.count))
      content.decorators.append(TextContent.Decorator(node: node, style: style))
    }
    if element == .textPath { span.path = index }
    span.shift = around.shift
    switch style.ownText.baselineShift {
    case .lowered: span.shift.subscripts += 1
    case .raised: span.shift.superscripts += 1
    case .distance(let distance): span.shift.distance += distance
    case nil: break
    }
    try enter(span, &budget)
    if element == .tref { try replaceContent(node, &budget) }
  }

  /// Replaces the content of a `tref` by the characters to which it refers.
  private mutating func replaceContent(
    _ node: XMLDocument.NodeIndex, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    open[open.count - 1].next = XMLDocument.noNode
    guard let slice = document.xml.value(.href, of: node) else { return }
    let text = document.xml.text
    let bytes = text.span.extracting(slice.range)
    guard let fragment = parseFragment(bytes), let target = document.element(withID: bytes.extracting(fragment)),
      document.xml[target].namespace == .svg
    else { return }
    let span = open[open.count - 1].span
    var current = document.xml.next(after: target, within: target)
    while let index = current, content.scalars.count <= maximumCount {
      try budget.chargeWork(Self.workPerCharacter)
      if !document.xml[index].isElement { try append(document.xml[index].text, of: span, &budget) }
      current = document.xml.next(after: index, within: target)
    }
  }

  private func ownLanguage(of node: XMLDocument.NodeIndex) -> TextSlice? {
    document.xml.value(.lang, of: node)
  }

  private func language(aboveAnd node: XMLDocument.NodeIndex) -> TextSlice? {
    var current = node
    while current != XMLDocument.noNode {
      if let own = ownLanguage(of: current) { return own }
      current = document.xml[current].parent
    }
    return nil
  }

  private mutating func findLengthOwners() {
    let hasOwn = content.spans.map { document.xml.value(.textLength, of: $0.node) != nil }
    guard hasOwn.contains(true) else { return }
    for (index, span) in content.spans.enumerated() {
      let around = span.parent >= 0 ? content.lengthOwners[Int(span.parent)] : -1
      content.lengthOwners.append(hasOwn[index] ? Int32(index) : around)
    }
  }

  // MARK: White space

  /// Returns the value of `xml:space` on an element; `nil` if there is none.
  private func ownSpace(of node: XMLDocument.NodeIndex) -> LineStyle.WhiteSpace? {
    document.xml.value(.space, of: node).map { document.xml.equals($0, "preserve") ? .preserveSpaces : .collapse }
  }

  private func whiteSpace(aboveAnd node: XMLDocument.NodeIndex, _ style: ComputedStyle) -> LineStyle.WhiteSpace {
    if let own = style.text.lines.whiteSpace { return own }
    var current = node
    while current != XMLDocument.noNode {
      if let own = ownSpace(of: current) { return own }
      current = document.xml[current].parent
    }
    return .collapse
  }

  /// Appends characters, with white space processed as the element requires (CSS Text 3, section 4.1).
  private mutating func append(
    _ slice: TextSlice, of span: Int32, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(count: Int(slice.count), unitsEach: Self.workPerCharacter)
    let mode = content.spans[Int(span)].whiteSpace
    for scalar in String(decoding: document.xml.text[slice.range], as: UTF8.self).unicodeScalars {
      guard content.scalars.count <= maximumCount else { return }
      switch (scalar, mode) {
      case (" ", .collapse), ("\t", .collapse), ("\n", .collapse), ("\r", .collapse), (" ", .preserveBreaks),
        ("\t", .preserveBreaks):
        if content.scalars.last ?? " " == " " || content.scalars.last == "\n" { continue }
        trailingSpace = content.scalars.count
        append(" ", span)
      case ("\n", .preserveBreaks):
        try budget.chargeWork(content.spans.count)
        dropTrailingSpace()
        append("\n", span)
      case ("\t", .preserveSpaces), ("\n", .preserveSpaces), ("\r", _):
        trailingSpace = nil
        append(" ", span)
      default:
        trailingSpace = nil
        append(scalar, span)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ span: Int32) {
    content.scalars.append(scalar)
    content.spanOfScalar.append(span)
  }

  private mutating func dropTrailingSpace() {
    guard let index = trailingSpace, index == content.scalars.count - 1 else { return }
    trailingSpace = nil
    content.scalars.removeLast()
    content.spanOfScalar.removeLast()
    for span in content.spans.indices where content.spans[span].characters.upperBound > index {
      let lower = min(content.spans[span].characters.lowerBound, index)
      content.spans[span].characters = lower..<index
    }
  }
}
