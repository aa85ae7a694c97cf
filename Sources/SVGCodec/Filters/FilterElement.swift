// The attributes of filter primitives: numbers, lists of numbers, keywords, colours, and names of results, which are
// resolved to indices. Attributes that cannot be parsed are treated as missing.

internal import CSSStyles
internal import VectorGraphics
internal import XMLDocuments

/// A primitive's element, with the results to which it can refer.
struct FilterElement {
  typealias NodeIndex = XMLDocument.NodeIndex

  let document: StyledDocument
  let node: NodeIndex
  /// The style of the element.
  let style: ComputedStyle
  let results: FilterResults

  private var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { document.xml.text.span }
  }

  /// Returns the same for a child element, whose style is not used.
  func child(_ node: NodeIndex) -> FilterElement {
    FilterElement(document: document, node: node, style: style, results: results)
  }

  /// The child elements.
  var children: [NodeIndex] {
    var list: [NodeIndex] = []
    var child = document.xml[node].firstChild
    while child != XMLDocument.noNode {
      if document.xml[child].isElement { list.append(child) }
      child = document.xml[child].nextSibling
    }
    return list
  }

  var name: ElementName? { document.xml[node].element }

  // MARK: Values

  /// Returns a number that is the whole value of an attribute.
  func number(_ name: AttributeName) -> Double? {
    guard let list = numbers(name), list.count == 1 else { return nil }
    return list[0]
  }

  /// Returns a list of numbers; `nil` if it is missing or contains anything else.
  func numbers(_ name: AttributeName) -> [Double]? {
    guard let slice = document.xml.value(name, of: node) else { return nil }
    var scanner = TextScanner(text.extracting(slice.range))
    var list: [Double] = []
    scanner.skipSpace()
    while !scanner.isAtEnd {
      guard let value = scanner.number() else { return nil }
      list.append(value)
      let end = scanner.position
      scanner.skipSpaceAndComma()
      // A number must be followed by white space, a comma or a sign.
      if end == scanner.position, !scanner.isAtEnd, scanner.next != UInt8(ascii: "-"),
        scanner.next != UInt8(ascii: "."),
        scanner.next != UInt8(ascii: "+")
      {
        return nil
      }
    }
    return list
  }

  /// Returns whether an attribute has a value.
  func has(_ name: AttributeName, _ value: String) -> Bool {
    document.xml.value(name, of: node).map { document.xml.equals($0, value) } ?? false
  }

  /// Returns the value of an attribute as text.
  func string(_ name: AttributeName) -> String? { document.xml.value(name, of: node).map { document.xml.string($0) } }

  /// Returns one number for both axes, or one for each.
  func pair(_ name: AttributeName) -> (x: Double, y: Double)? {
    guard let list = numbers(name), let first = list.first, list.count <= 2 else { return nil }
    return (first, list.count == 2 ? list[1] : first)
  }

  /// Returns the input that an attribute names: a result, the source or, if the name is unknown or missing, the result
  /// of the previous primitive. Background and paint inputs are not supported and replaced by the source, as in resvg.
  func input(_ name: AttributeName) -> FilterInput {
    guard let slice = document.xml.value(name, of: node) else { return results.previous }
    if document.xml.equals(slice, "SourceAlpha") { return .sourceAlpha }
    let standIns = ["SourceGraphic", "BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"]
    if standIns.contains(where: { document.xml.equals(slice, $0) }) { return .sourceGraphic }
    return results.index(of: slice, in: document.xml).map { .result($0) } ?? results.previous
  }

  // MARK: Properties

  /// The value of `flood-color` with `flood-opacity` applied.
  var flood: Color { style.floodColor.withOpacity(style.floodOpacity) }

  /// Whether `color-interpolation-filters` is linearRGB, which is the default.
  var usesLinearLight: Bool { style.filtersInLinearLight }
}

/// The primitives of a filter so far, by the names of their results. If a name is not unique, the later one is used.
struct FilterResults {
  private var indices: [UInt64: Int] = [:]
  private var names: [TextSlice?] = []

  /// The result of the last primitive.
  var previous: FilterInput { names.isEmpty ? .sourceGraphic : .result(names.count - 1) }

  mutating func append(_ name: TextSlice?, in xml: XMLDocument) {
    if let name { indices[XMLDocument.hash(xml.text.span.extracting(name.range))] = names.count }
    names.append(name)
  }

  func index(of name: TextSlice, in xml: XMLDocument) -> Int? {
    guard let index = indices[XMLDocument.hash(xml.text.span.extracting(name.range))], let known = names[index],
      xml.equal(known, name)
    else { return nil }
    return index
  }
}
