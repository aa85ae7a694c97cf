// A document with the values that its style sheets and attributes declare, as the resolving stages look them up.

internal import ImageCore

/// A document with the declared values of all its elements.
struct StyledDocument: Sendable {
  struct DeclaredValue: Sendable {
    var property: AttributeName
    var value: TextSlice
  }

  private(set) var xml: XMLDocument
  private let declared: [DeclaredValue]
  /// Where each node's values begin; one more at the end.
  private let starts: [Int32]
  private let ids: [UInt64: XMLDocument.NodeIndex]
  /// What it costs to parse the attributes and declared values of each node once, in units of work.
  private let readingCosts: [Int32]

  /// Reads the style sheets of a document and applies them.
  ///
  /// - Throws: `limitExceeded` when there are too many rules or matching them costs too much.
  init(
    _ xml: XMLDocument, limits: SVGDocument.Limits, options: SVGDocument.Options, budget: inout ResourceBudget
  ) throws(CodecError) {
    var cascade = Cascade(xml, limits: limits, budget: budget)
    defer { budget = cascade.budget }
    try cascade.run(options: options)
    self.xml = cascade.xml
    declared = cascade.declared
    starts = cascade.starts
    ids = cascade.ids
    readingCosts = cascade.readingCosts()
  }

  /// The declared values of an element.
  func declaredValues(of node: XMLDocument.NodeIndex) -> ArraySlice<DeclaredValue> {
    declared[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }

  /// The declared value of a property.
  func declaredValue(_ property: AttributeName, of node: XMLDocument.NodeIndex) -> TextSlice? {
    for value in declaredValues(of: node) where value.property == property { return value.value }
    return nil
  }

  /// The length of an attribute, or of the property of this name; `nil` where it is missing, malformed or `auto`.
  func length(_ name: AttributeName, of node: XMLDocument.NodeIndex) -> Length? {
    let declared = name.isGeometryProperty ? declaredValue(name, of: node) : nil
    guard let slice = declared ?? xml.value(name, of: node) else { return nil }
    return Length(parsing: xml.text.span.extracting(slice.range))
  }

  /// What it costs to look up and parse an element's attributes and declared values, in units of work. Charged for every
  /// instance of the element, since `use` and markers parse them again.
  func readingCost(of node: XMLDocument.NodeIndex) -> Int { Int(readingCosts[Int(node)]) }

  /// The element with an id.
  func element(withID id: Span<UInt8>) -> XMLDocument.NodeIndex? {
    guard let node = ids[XMLDocument.hash(id)], let value = xml.value(.id, of: node),
      Int(value.count) == id.count
    else { return nil }
    let text = xml.text.span
    for index in 0..<id.count where text[Int(value.start) + index] != id[index] { return nil }
    return node
  }

  mutating func note(_ diagnostic: ImageDiagnostic) {
    xml.note(diagnostic)
  }
}
