// A document with the values that its style sheets and attributes declare, for the resolving stages.

package import ImageCoding
package import XMLDocuments

/// A document with the declared values of all its elements.
package struct StyledDocument: Sendable {
  package struct Entry: Sendable {
    package var property: Property
    package var value: DeclaredValue
    /// The number of bytes of the value's text.
    var byteCount: Int32
  }

  package private(set) var xml: XMLDocument
  package let sheet: StyleSheet
  private let declared: [Entry]
  /// The index of each node's first value, followed by the total count.
  private let starts: [Int32]
  private let ids: [UInt64: XMLDocument.NodeIndex]
  /// The work units for reading the attributes and applying the declared values of each node once.
  private let readingCosts: [Int32]
  /// The custom properties that elements declare.
  let customDeclarations: [CustomDeclarations]
  private let customOfNode: [XMLDocument.NodeIndex: Int32]

  /// Reads the style sheets of a document and applies them.
  ///
  /// - Parameter loadResource: returns the bytes of an external style sheet; if `nil`, none are loaded.
  /// - Throws: `limitExceeded` if there are too many rules or matching them exceeds the limits.
  package init(
    _ xml: XMLDocument, limits: StyleLimits, loadResource: (@Sendable (String) -> [UInt8]?)?,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    var cascade = Cascade(xml, limits: limits, budget: budget)
    let outcome = Result { () throws(CodecError) in
      try cascade.run(loadResource: loadResource)
      return cascade.readingCosts()
    }
    self.xml = cascade.xml
    sheet = cascade.sheet
    declared = cascade.declared
    starts = cascade.starts
    ids = cascade.ids
    customDeclarations = cascade.customDeclarations
    customOfNode = cascade.customOfNode
    budget = cascade.takeBudget()
    readingCosts = try outcome.get()
  }

  /// Returns the declared values of an element, those on which others depend first.
  package func declaredValues(of node: XMLDocument.NodeIndex) -> ArraySlice<Entry> {
    declared[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }

  /// Returns whether an element declares a property.
  package func declares(_ property: Property?, _ node: XMLDocument.NodeIndex) -> Bool {
    declaredValues(of: node).contains { $0.property == property }
  }

  /// Returns the custom properties that an element declares, as an index of ``customDeclarations``; −1 if none.
  func customDeclarationIndex(of node: XMLDocument.NodeIndex) -> Int32 {
    customOfNode.isEmpty ? -1 : customOfNode[node] ?? -1
  }

  /// Returns the length of an attribute; `nil` if it is missing, malformed or `auto`.
  package func length(_ name: AttributeName, of node: XMLDocument.NodeIndex) -> Length? {
    guard let slice = xml.value(name, of: node) else { return nil }
    return Length(parsing: xml.text.span.extracting(slice.range))
  }

  /// Returns the length of a geometry property, or else of the attribute of the same name; `nil` if it is missing,
  /// malformed or `auto`.
  package func length(_ name: AttributeName, of node: XMLDocument.NodeIndex, _ style: ComputedStyle) -> Length? {
    if let geometry = style.geometry, let declared = geometry[name] { return declared }
    return length(name, of: node)
  }

  /// Returns the work units for reading an element. Charged for every instance of the element, since `use` and markers
  /// read its attributes again.
  package func readingCost(of node: XMLDocument.NodeIndex) -> Int { Int(readingCosts[Int(node)]) }

  /// Returns the element with an id.
  package func element(withID id: Span<UInt8>) -> XMLDocument.NodeIndex? {
    guard let node = ids[XMLDocument.hash(id)], let value = xml.value(.id, of: node),
      Int(value.count) == id.count
    else { return nil }
    let text = xml.text.span
    for index in 0..<id.count where text[Int(value.start) + index] != id[index] { return nil }
    return node
  }

  package mutating func note(_ reason: String, at byteOffset: Int) {
    xml.note(reason, at: byteOffset)
  }

  package mutating func note(_ diagnostic: ImageDiagnostic) {
    xml.note(diagnostic)
  }
}
