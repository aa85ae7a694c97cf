// Reads XML 1.0 (5th edition) with namespaces into flat arrays: UTF-8 text in, `XMLDocument` out. One loop with a stack
// of inputs (the file and the open entities) and a stack of open elements, without recursion.
//
// Leniency: everything after the first violation is dropped with a diagnostic, as in browsers; unknown entities are
// replaced by nothing, as in browsers' HTML-tolerant modes; control characters are accepted.

package import ImageCoding

/// Reads the markup of a document. It owns the budget while it runs.
package struct XMLReader: ~Copyable {
  /// A part of the text that is being read: the file or the replacement text of an entity.
  struct Input {
    var position: Int
    var end: Int
    /// The number of elements that were open at the start of the input.
    var openElementCount: Int
    /// The entity that is being expanded; −1 for the file.
    var entity: Int
  }

  struct OpenElement {
    var node: XMLDocument.NodeIndex
    var qualifiedName: TextSlice
    var bindingCount: Int
    var keepsText: Bool
  }

  /// A declaration that is in scope.
  struct Binding {
    /// The number of the prefix; ``NameNumbers/none`` for the default namespace.
    var prefix: NameNumber
    var namespace: XMLNamespace
    /// The namespace that the prefix is bound to outside; `nil` if it is not bound.
    var outer: XMLNamespace?
  }

  let limits: XMLLimits
  let attributeNames: NameTable<MarkupNames.AttributeMeaning>
  var budget: ResourceBudget
  var document: XMLDocument
  var inputs: [Input]
  var openElements: [OpenElement] = []
  var bindings: [Binding] = []
  /// The namespaces of prefixes in scope, by the numbers of the prefixes from ``NameNumbers/first`` on.
  var namespaceOfPrefix: [XMLNamespace?] = []
  /// The default namespace, if it is declared.
  var declaredDefault: XMLNamespace?
  /// The number of declarations in scope that bind the namespace of SVG.
  var svgBindingCount = 0
  /// The prefix of the last name, which most often is that of the next one as well.
  var lastPrefix: (text: TextSlice, number: NameNumber) = (.empty, NameNumbers.none)
  var entities: [Entity] = []
  var entityIndices: [UInt64: Int] = [:]
  var expandedByteCount = 0
  var expansionCount = 0
  var elementCount = 0
  /// The end of the file in the text, after which composed values follow.
  let fileByteCount: Int

  /// The work units for an element, an attribute and a byte of markup.
  private static let workPerElement = 100
  private static let workPerAttribute = 40
  private static let workPerByte = 4
  /// The number of bytes of an element and of an attribute, in arrays that grow by doubling.
  private static let bytesPerElement = MemoryLayout<XMLDocument.Node>.stride * 3 / 2
  private static let bytesPerAttribute = MemoryLayout<XMLDocument.Attribute>.stride * 3 / 2

  init(text: consuming [UInt8], names: MarkupNames, limits: XMLLimits, budget: consuming ResourceBudget) {
    self.limits = limits
    attributeNames = names.attributes
    self.budget = budget
    fileByteCount = text.count
    inputs = [Input(position: 0, end: text.count, openElementCount: 0, entity: -1)]
    document = XMLDocument(text: text, names: names)
  }

  /// Reads a document.
  ///
  /// - Parameter names: the names of elements and attributes that have a meaning.
  /// - Throws: `limitExceeded`; `malformed` if there is no root element or, in strict mode, at the first violation.
  package static func read(
    _ text: consuming [UInt8], names: MarkupNames, limits: XMLLimits, tolerance: DecodingOptions.Tolerance,
    budget: inout ResourceBudget
  ) throws(CodecError) -> XMLDocument {
    guard text.count < Int(Int32.max) / 4 else {
      throw CodecError(.limitExceeded, "more than \(Int32.max / 4) bytes of XML", format: .svgDocument)
    }
    try budget.chargeWorkInParts(count: text.count, unitsEach: workPerByte)
    var reader = XMLReader(text: text, names: names, limits: limits, budget: budget)
    var damage: CodecError?
    do throws(CodecError) {
      try reader.readDocument()
    } catch {
      damage = error
    }
    var document = reader.document
    // Errors are charged, too, since a document may contain many unreadable images.
    budget = reader.takeBudget()
    if let damage {
      guard damage.kind == .malformed, document.root != XMLDocument.noNode, tolerance != .strict else { throw damage }
      document.note(ImageDiagnostic(.damage, damage))
    }
    guard document.root != XMLDocument.noNode else {
      throw CodecError(.malformed, "there is no root element", format: .svgDocument)
    }
    return document
  }

  private consuming func takeBudget() -> ResourceBudget { budget }

  // MARK: The loop

  private mutating func readDocument() throws(CodecError) {
    while true {
      let input = inputs[inputs.count - 1]
      if input.position >= input.end {
        if inputs.count == 1 { break }
        try endEntity()
        continue
      }
      if document.text[input.position] == UInt8(ascii: "<") {
        try readMarkup()
      } else {
        try readText()
      }
      if openElements.isEmpty, document.root != XMLDocument.noNode { return }
    }
    guard openElements.isEmpty else { throw error("the text ends inside an element") }
  }

  private mutating func readMarkup() throws(CodecError) {
    switch byte(1) {
    case UInt8(ascii: "/"): try readEndTag()
    case UInt8(ascii: "!"):
      if matches("<!--") {
        try skip(past: "-->", openedBy: 4)
      } else if matches("<![CDATA[") {
        try readCharacterData()
      } else if matches("<!DOCTYPE"), document.root == XMLDocument.noNode, inputs.count == 1 {
        try readDoctype()
      } else {
        throw error("a markup declaration is of no known kind")
      }
    case UInt8(ascii: "?"):
      let start = position
      try skip(past: "?>", openedBy: 2)
      let instruction = start + 2..<position - 2
      if document.root == XMLDocument.noNode, isStyleSheet(instruction) {
        document.styleSheetInstructions.append(TextSlice(instruction))
      }
    default: try readStartTag()
    }
  }

  // MARK: Tags

  private mutating func readStartTag() throws(CodecError) {
    let offset = position
    position += 1
    let qualifiedName = try readName()
    elementCount += 1
    guard elementCount <= limits.maximumElementCount else {
      throw limit("more than \(limits.maximumElementCount) elements")
    }
    guard openElements.count < limits.maximumNestingDepth else {
      throw limit("elements are nested deeper than \(limits.maximumNestingDepth)")
    }
    guard !openElements.isEmpty || document.root == XMLDocument.noNode else {
      throw error("there is more than one root element")
    }
    let bindingCount = bindings.count
    let attributeStart = document.attributes.count
    var isEmpty = false
    while true {
      let hadSpace = skipSpace()
      let next = byte(0)
      if next == UInt8(ascii: ">") {
        position += 1
        break
      }
      if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: ">") {
        position += 2
        isEmpty = true
        break
      }
      guard hadSpace else { throw error("white space is missing before an attribute") }
      try readAttribute(from: attributeStart)
    }
    try resolveNamespaces(attributesFrom: attributeStart)
    let attributeCount = document.attributes.count - attributeStart
    try budget.allocate(count: attributeCount, bytesEach: Self.bytesPerAttribute)
    try budget.chargeWork(count: attributeCount, unitsEach: Self.workPerAttribute)
    try budget.chargeWork(Self.workPerElement)
    let node = try appendElement(qualifiedName, attributeStart: attributeStart, offset: offset)
    if isEmpty {
      endBindings(after: bindingCount)
      return
    }
    let element = document[node].element
    let keepsText = openElements.last?.keepsText == true || element?.keepsText == true
    openElements.append(
      OpenElement(node: node, qualifiedName: qualifiedName, bindingCount: bindingCount, keepsText: keepsText))
  }

  private mutating func readEndTag() throws(CodecError) {
    let start = position
    position += 2
    let name = try readName()
    _ = skipSpace()
    guard byte(0) == UInt8(ascii: ">") else { throw error("an end tag is not closed") }
    guard let open = openElements.last, openElements.count > inputs[inputs.count - 1].openElementCount,
      document.equal(open.qualifiedName, name)
    else {
      position = start
      throw error("an end tag does not match the element that is open")
    }
    position += 1
    openElements.removeLast()
    endBindings(after: open.bindingCount)
  }

  private mutating func readAttribute(from attributeStart: Int) throws(CodecError) {
    let name = try readName()
    _ = skipSpace()
    guard byte(0) == UInt8(ascii: "=") else { throw error("an attribute has no value") }
    position += 1
    _ = skipSpace()
    let quote = byte(0)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error("the value of an attribute is not quoted")
    }
    position += 1
    let value = try readValue(of: name, quote: quote)
    guard document.attributes.count < limits.maximumAttributeCount else {
      throw limit("more than \(limits.maximumAttributeCount) attributes")
    }
    document.attributes.append(XMLDocument.Attribute(name: nil, namespace: .none, text: name, value: value))
  }

  /// Reads a value up to the quote. Most values are slices of the text; those with references or carriage returns are
  /// composed.
  private mutating func readValue(of attribute: TextSlice, quote: UInt8) throws(CodecError) -> TextSlice {
    let start = position
    let end = inputs[inputs.count - 1].end
    let (index, normalization) = scanValue(from: start, to: end, quote: quote)
    position = index
    guard index < end, document.text[index] == quote else {
      throw error("the value of an attribute is not closed")
    }
    position = index + 1
    // In path data, any white space has the meaning of one space.
    if normalization == .expansion || normalization == .lineEnds && !document.equals(attribute, "d") {
      return try expandedValue(start..<index, isAttribute: true)
    }
    if normalization != .none {
      // In the text: only another reference to the entity that these bytes may be in reads them again.
      try budget.chargeWork(index - start)
      document.replaceWhiteSpace(in: start..<index)
    }
    return TextSlice(start..<index)
  }

  /// Returns the index of the quote, of a character not permitted in a value, or of the end, and the normalisation that
  /// suffices for the value.
  private func scanValue(
    from start: Int, to end: Int, quote: UInt8
  ) -> (index: Int, normalization: AttributeNormalization) {
    let text = document.text.span
    var index = start
    var normalization = AttributeNormalization.none
    while end &- index >= 32 {
      let block = AttributeBlock(text.extracting(index..<index &+ 32), quote: quote)
      if block.hasEnd { break }
      normalization = max(normalization, block.normalization)
      index &+= 32
    }
    while end &- index >= 8 {
      let next = EightBytes(text, at: index)
      if next.contains(quote) || next.contains(UInt8(ascii: "<")) { break }
      if next.contains(UInt8(ascii: "&")) { normalization = .expansion }
      // Control characters other than white space are rare.
      if next.contains(lessThan: 14) { normalization = max(normalization, next.contains(13) ? .lineEnds : .spaces) }
      index &+= 8
    }
    while index < end, text[index] != quote {
      let byte = text[index]
      if byte == UInt8(ascii: "<") { break }
      if byte == UInt8(ascii: "&") { normalization = .expansion }
      if byte == 13 { normalization = max(normalization, .lineEnds) }
      if byte == 9 || byte == 10 { normalization = max(normalization, .spaces) }
      index &+= 1
    }
    return (index, normalization)
  }

  // MARK: Nodes

  private mutating func appendElement(
    _ qualifiedName: TextSlice, attributeStart: Int, offset: Int
  ) throws(CodecError) -> XMLDocument.NodeIndex {
    let (prefix, local) = split(qualifiedName)
    let namespace = prefix.isEmpty ? defaultNamespace() : try self.namespace(of: prefix)
    let meaning = MarkupNames.elements[document.text.span.extracting(local.range)]
    return try append(
      XMLDocument.Node(
        element: namespace == .svg ? meaning?.element ?? .unknown : .unknown, namespace: namespace, text: local,
        name: try number(of: local, known: meaning?.number), attributeStart: Int32(attributeStart),
        attributeCount: Int32(document.attributes.count - attributeStart), byteOffset: Int32(offset)))
  }

  mutating func appendText(_ slice: TextSlice, offset: Int) throws(CodecError) {
    guard !slice.isEmpty, openElements.last?.keepsText == true else { return }
    try append(XMLDocument.Node(element: nil, text: slice, byteOffset: Int32(offset)))
  }

  @discardableResult
  private mutating func append(_ node: XMLDocument.Node) throws(CodecError) -> XMLDocument.NodeIndex {
    try budget.allocate(Self.bytesPerElement)
    let index = XMLDocument.NodeIndex(document.nodes.count)
    var node = node
    if let parent = openElements.last?.node {
      node.parent = parent
      let sibling = document.nodes[Int(parent)].lastChild
      node.previousSibling = sibling
      if sibling == XMLDocument.noNode {
        document.nodes[Int(parent)].firstChild = index
      } else {
        document.nodes[Int(sibling)].nextSibling = index
      }
      document.nodes[Int(parent)].lastChild = index
    } else {
      document.root = index
    }
    document.nodes.append(node)
    return index
  }
}
