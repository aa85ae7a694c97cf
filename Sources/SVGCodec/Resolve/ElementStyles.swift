// Styles of elements: computed from that of the parent where the element is drawn, or from the ancestors in the document
// where it is referenced.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Computes the styles of a document's elements.
struct ElementStyles {
  typealias NodeIndex = XMLDocument.NodeIndex

  /// The style that the root element inherits.
  let initial: ComputedStyle
  private(set) var rootFontSize: Double
  /// The style of the root element, when it is known.
  private(set) var root: ComputedStyle?
  /// The metrics of fonts, to which units refer.
  let units: FontUnits
  /// The styles of some elements for ``documentStyle(of:in:_:)``.
  private var ancestors: [NodeIndex: ComputedStyle] = [:]
  private var customProperties: CustomProperties

  /// - Parameters:
  ///   - defaultFontSize: the font size that the root element inherits; one that is not valid is replaced by the
  ///     initial value of `font-size`.
  ///   - maximumSubstitutionByteCount: the maximum number of bytes of values after the substitution of var().
  init(defaultFontSize size: Double, maximumSubstitutionByteCount: Int, fonts: FontProvider) {
    initial = .initial(fontSize: size > 0 && size.isFinite ? size : ComputedStyle.initial.fontSize)
    rootFontSize = initial.fontSize
    customProperties = CustomProperties(maximumByteCount: maximumSubstitutionByteCount)
    units = FontUnits(fonts)
  }

  /// Creates an empty replacement for styles that are moved out.
  init(replacing other: ElementStyles) {
    initial = other.initial
    rootFontSize = other.rootFontSize
    root = other.root
    units = other.units
    customProperties = CustomProperties(maximumByteCount: 0)
  }

  /// Sets the style of the root element, to which some units refer.
  mutating func setRoot(_ style: ComputedStyle) {
    root = style
    rootFontSize = style.fontSize
  }

  /// Returns the font that the units of an element's lengths refer to.
  func font(of style: ComputedStyle) -> FontReference { FontReference(units: units, style: style, root: root) }

  /// Computes the style of an element. Charges reading the element, which is repeated for each of its instances.
  mutating func style(
    of node: NodeIndex, in document: StyledDocument, parent: ComputedStyle, _ account: inout TreeAccount
  ) throws(CodecError) -> ComputedStyle {
    try account.chargeReading(node, in: document)
    return try style(of: node, in: document, parent: parent, budget: &account.budget)
  }

  /// Computes the style of an element whose reading is charged.
  mutating func style(
    of node: NodeIndex, in document: StyledDocument, parent: ComputedStyle, budget: inout ResourceBudget
  ) throws(CodecError) -> ComputedStyle {
    try units.charge(&budget)
    var style = parent.forChild()
    style.customScope = try customProperties.scope(
      of: node, in: document, parent: parent.customScope, budget: &budget)
    let values = document.declaredValues(of: node)
    if values.isEmpty { return style }
    let context = StyleContext(parent: parent, rootFontSize: rootFontSize, root: root, units: units)
    for entry in values {
      var value = entry.value
      if case .text(let slice, let declared) = value {
        value = try customProperties.substitute(
          slice, of: entry.property, declaredAs: declared, in: style.customScope, of: document, budget: &budget)
      }
      apply(value, of: entry.property.row, to: &style, context)
    }
    if !style.ownText.lines.isEmpty, style.text.decorators.count < TextStyle.maximumDecoratorCount {
      let decorator = style
      style.inherited.text.decorators.append(decorator)
    }
    return style
  }

  private func apply(
    _ value: DeclaredValue, of row: PropertyRow, to style: inout ComputedStyle, _ context: StyleContext
  ) {
    switch value {
    case .value(let value): value.apply(&style, context)
    case .inherit: row.copy(&style, context.parent)
    case .initial: row.copy(&style, initial)
    case .unset, .revertLayer, .text:
      if row.isInherited { row.copy(&style, context.parent) } else { row.copy(&style, initial) }
    }
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
