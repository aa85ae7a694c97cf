// Styles of elements: computed from that of the parent where the element is drawn, or from the ancestors in the document
// where it is referenced.

internal import ImageCore

/// Computes the styles of a document's elements.
struct ElementStyles {
  typealias NodeIndex = XMLDocument.NodeIndex

  private static let workPerFunctionByte = 28

  /// The style that the root element inherits.
  let initial: ComputedStyle
  var rootFontSize: Double
  /// The styles of some elements for ``documentStyle(of:in:_:)``.
  private var ancestors: [NodeIndex: ComputedStyle] = [:]

  /// - Parameter defaultFontSize: the font size that the root element inherits; one that is not valid is replaced by
  ///   the initial value of `font-size`.
  init(defaultFontSize size: Double) {
    initial = .initial(fontSize: size > 0 && size.isFinite ? size : ComputedStyle.initial.fontSize)
    rootFontSize = initial.fontSize
  }

  /// Computes the style of an element. Charges reading the element, which is repeated for each of its instances.
  func style(
    of node: NodeIndex, in document: StyledDocument, parent: ComputedStyle, _ account: inout TreeAccount
  ) throws(CodecError) -> ComputedStyle {
    try account.chargeReading(node, in: document)
    let style = ComputedStyle(of: node, in: document, parent: parent, rootFontSize: rootFontSize)
    // Function lists are kept as text and parsed when they are applied.
    let byteCount = Int(style.transform?.count ?? 0) + Int(style.filter?.count ?? 0)
    try account.budget.chargeWork(count: byteCount, unitsEach: Self.workPerFunctionByte)
    return style
  }

  /// Returns the style of any element, inherited from its ancestors in the document.
  ///
  /// The style of every eighth ancestor is cached, so that repeated references to deep elements do not all start at the
  /// root.
  mutating func documentStyle(
    of node: NodeIndex, in document: StyledDocument, _ account: inout TreeAccount
  ) throws(CodecError) -> ComputedStyle {
    var path: [NodeIndex] = []
    var current = node
    var style = initial
    while current != XMLDocument.noNode {
      if let known = ancestors[current] {
        style = known
        break
      }
      path.append(current)
      current = document.xml[current].parent
    }
    for (distance, ancestor) in path.reversed().enumerated() {
      style = try self.style(of: ancestor, in: document, parent: style, &account)
      if distance % 8 == 7 { ancestors[ancestor] = style }
    }
    return style
  }
}
