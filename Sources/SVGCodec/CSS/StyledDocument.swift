// A document with the values that its style sheets and attributes declare, for the resolving stages.

internal import ImageCore

/// A document with the declared values of all its elements.
struct StyledDocument: Sendable {
  struct DeclaredValue: Sendable {
    var property: AttributeName
    var value: TextSlice
  }

  private(set) var xml: XMLDocument
  private let declared: [DeclaredValue]
  /// The index of each node's first value, followed by the total count.
  private let starts: [Int32]
  private let ids: [UInt64: XMLDocument.NodeIndex]
  /// The work units for parsing the attributes and declared values of each node once.
  private let readingCosts: [Int32]

  /// Reads the style sheets of a document and applies them.
  ///
  /// - Throws: `limitExceeded` if there are too many rules or matching them exceeds the limits.
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

  /// Returns the declared values of an element.
  func declaredValues(of node: XMLDocument.NodeIndex) -> ArraySlice<DeclaredValue> {
    declared[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }

  /// Returns the declared value of a property.
  func declaredValue(_ property: AttributeName, of node: XMLDocument.NodeIndex) -> TextSlice? {
    for value in declaredValues(of: node) where value.property == property { return value.value }
    return nil
  }

  /// Returns the length of an attribute or of the property of the same name; `nil` if it is missing, malformed or
  /// `auto`.
  func length(_ name: AttributeName, of node: XMLDocument.NodeIndex) -> Length? {
    let declared = name.isGeometryProperty ? declaredValue(name, of: node) : nil
    guard let slice = declared ?? xml.value(name, of: node) else { return nil }
    return Length(parsing: xml.text.span.extracting(slice.range))
  }

  /// Returns the work units for looking up and parsing an element's attributes and declared values. Charged for every
  /// instance of the element, since `use` and markers parse them again.
  func readingCost(of node: XMLDocument.NodeIndex) -> Int { Int(readingCosts[Int(node)]) }

  /// Returns the element with an id.
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
