// The parsed XML: elements and text in document order, in flat arrays with indices, so that neither reading nor
// destroying a deep tree recurses. Names and values are slices of one buffer of UTF-8 text.

package import ImageCoding

/// A slice of ``XMLDocument/text``.
@usableFromInline
package struct TextSlice: Hashable, Sendable {
  @usableFromInline package var start: Int32
  @usableFromInline package var count: Int32

  package static let empty = TextSlice(start: 0, count: 0)

  init(start: Int32, count: Int32) {
    self.start = start
    self.count = count
  }

  /// Creates a slice. ``XMLDocument/append(_:budget:)`` limits the length of the text so that the indices fit.
  @inlinable package init(_ range: Range<Int>) {
    start = Int32(clamping: range.lowerBound)
    count = Int32(clamping: range.count)
  }

  @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Returns the first bytes of the slice.
  package func prefix(_ byteCount: Int32) -> TextSlice { TextSlice(start: start, count: min(count, byteCount)) }
}

/// The namespaces that are distinguished.
package enum XMLNamespace: UInt8, Sendable {
  case none
  case svg
  case xlink
  case xml
  case other
}

/// An XML document as flat arrays.
@usableFromInline
package struct XMLDocument: Sendable {
  /// An index into ``nodes``.
  @usableFromInline
  package typealias NodeIndex = Int32

  package static let noNode: NodeIndex = -1

  @usableFromInline
  package struct Node: Sendable {
    /// The element; `nil` for a text node.
    @usableFromInline package var element: ElementName?
    package var namespace: XMLNamespace = .none
    /// The local name of an element, or the characters of a text node.
    package var text: TextSlice
    /// The number of the local name: two elements have the same one if their local names are equal.
    package var name = NameNumbers.none
    package var parent: NodeIndex = noNode
    package var firstChild: NodeIndex = noNode
    var lastChild: NodeIndex = noNode
    package var nextSibling: NodeIndex = noNode
    package var previousSibling: NodeIndex = noNode
    @usableFromInline package var attributeStart: Int32 = 0
    @usableFromInline package var attributeCount: Int32 = 0
    package var byteOffset: Int32

    @inlinable package var isElement: Bool { element != nil }
  }

  package struct Attribute: Sendable {
    /// The name; `nil` for an unknown attribute.
    package var name: AttributeName?
    package var namespace: XMLNamespace
    /// The local name.
    package var text: TextSlice
    /// The number of the local name, which is the same for equal names.
    package var number = NameNumbers.none
    package var value: TextSlice
    /// The property that the attribute sets; `nil` if there is none.
    package var property: Property?

    package init(
      name: AttributeName? = nil, namespace: XMLNamespace, text: TextSlice, number: NameNumber = NameNumbers.none,
      value: TextSlice, property: Property? = nil
    ) {
      self.name = name
      self.namespace = namespace
      self.text = text
      self.number = number
      self.value = value
      self.property = property
    }
  }

  /// The input as UTF-8, in which values replace the text of attributes if they fit, followed by composed values: other
  /// attributes with entities, style sheets, substitutions of var().
  package private(set) var text: [UInt8] = []
  @usableFromInline package var nodes: [Node] = []
  package var attributes: [Attribute] = []
  /// The numbers of the names that are not in ``MarkupNames``.
  package var names: NameNumbers
  package var root: NodeIndex = noNode
  /// Errors in the document that were ignored.
  package private(set) var diagnostics: [ImageDiagnostic] = []
  private var noted: Set<ImageDiagnostic> = []
  private var notedReasons: Set<String> = []
  /// The `xml-stylesheet` instructions before the root element, from the target on.
  package var styleSheetInstructions: [TextSlice] = []

  package init(text: [UInt8] = [], names: MarkupNames) {
    self.text = text
    self.names = NameNumbers(names)
  }

  @inlinable package subscript(index: NodeIndex) -> Node { nodes[Int(index)] }

  @inlinable package func attributes(of index: NodeIndex) -> Range<Int> {
    let node = nodes[Int(index)]
    return Int(node.attributeStart)..<Int(node.attributeStart + node.attributeCount)
  }

  /// Returns the value of an attribute. If several namespaces have an attribute of this name, the one without a
  /// namespace is used.
  package func value(_ name: AttributeName, of index: NodeIndex) -> TextSlice? {
    var found: TextSlice?
    for position in attributes(of: index) where attributes[position].name == name {
      let attribute = attributes[position]
      if attribute.namespace == .none { return attribute.value }
      if attribute.namespace != .other { found = attribute.value }
    }
    return found
  }

  /// Stores a diagnostic, unless it is a duplicate or there are too many.
  package mutating func note(_ diagnostic: ImageDiagnostic) {
    guard diagnostics.count < DecodingContext.maximumDiagnosticCount, noted.insert(diagnostic).inserted else { return }
    diagnostics.append(diagnostic)
  }

  /// Stores a warning with the place of its first occurrence.
  package mutating func note(_ reason: String, at byteOffset: Int) {
    guard diagnostics.count < DecodingContext.maximumDiagnosticCount, notedReasons.insert(reason).inserted else {
      return
    }
    diagnostics.append(ImageDiagnostic(.warning, reason, byteOffset: byteOffset))
  }

  package func string(_ slice: TextSlice) -> String {
    String(decoding: text[slice.range], as: UTF8.self)
  }

  package func equal(_ first: TextSlice, _ second: TextSlice) -> Bool {
    if first == second { return true }
    guard first.count == second.count else { return false }
    let bytes = text.span
    for index in 0..<Int(first.count) where bytes[Int(first.start) + index] != bytes[Int(second.start) + index] {
      return false
    }
    return true
  }

  package func equals(_ slice: TextSlice, _ other: String) -> Bool {
    guard Int(slice.count) == other.utf8.count else { return false }
    return text[slice.range].elementsEqual(other.utf8)
  }

  /// Returns the next node in document order within `root`'s subtree, without descending into `index`'s children if
  /// `skippingChildren` is set.
  package func next(after index: NodeIndex, within root: NodeIndex, skippingChildren: Bool = false) -> NodeIndex? {
    if !skippingChildren, self[index].firstChild != Self.noNode { return self[index].firstChild }
    var current = index
    while current != root, current != Self.noNode {
      if self[current].nextSibling != Self.noNode { return self[current].nextSibling }
      current = self[current].parent
    }
    return nil
  }
}

extension XMLDocument {
  /// The work units for reading, copying or comparing a byte of text.
  private static let workPerByte = 2

  /// Appends bytes to the text and returns their slice.
  ///
  /// - Throws: `limitExceeded` if they exceed the budget, or if indices would not fit in a ``TextSlice``.
  package mutating func append(_ bytes: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> Range<Int> {
    let start = text.count
    let (end, overflow) = start.addingReportingOverflow(bytes.count)
    guard !overflow, end <= Int(Int32.max) else {
      throw CodecError(.limitExceeded, "the document has more than \(Int32.max) bytes of text", format: .svgDocument)
    }
    // Arrays grow by doubling.
    try budget.allocate(count: bytes.count, bytesEach: 2)
    try budget.chargeWork(count: bytes.count, unitsEach: Self.workPerByte)
    text += bytes
    return start..<end
  }

  /// Replaces the first bytes of a range of the text, and returns their slice.
  mutating func replace(
    _ range: Range<Int>, with bytes: [UInt8], budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    try budget.chargeWork(count: bytes.count, unitsEach: Self.workPerByte)
    let range = range.prefix(bytes.count)
    var destination = text.mutableSpan
    var part = destination._mutatingExtracting(range)
    copyBytes(bytes.span, into: &part)
    return range
  }

  /// Replaces each tab, line feed and carriage return by a space.
  mutating func replaceWhiteSpace(in range: Range<Int>) {
    var bytes = text.mutableSpan
    var part = bytes._mutatingExtracting(range)
    // Without branches, so that the loop is vectorised.
    for index in part.indices {
      let byte = part[index]
      part[index] = byte == 9 || byte == 10 || byte == 13 ? 32 : byte
    }
  }

  /// Returns a hash of bytes for dictionaries of slices (FNV-1a).
  @inlinable package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<bytes.count {
      value = (value ^ UInt64(bytes[index])) &* 0x100_0000_01b3
    }
    return value
  }
}
