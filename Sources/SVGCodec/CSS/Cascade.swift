// The cascade: presentation attributes, then rules by specificity and order, then the style attribute, then the same
// again for `!important` (CSS Cascade 4; SVG 2, section 6). A document in, one winning value a property and element out.

internal import ImageCore

/// A document with the declared values of all its elements.
struct StyledDocument: Sendable {
  struct DeclaredValue: Sendable {
    var property: AttributeName
    var value: TextSlice
  }

  private(set) var xml: XMLDocument
  private var declared: [DeclaredValue] = []
  /// Where each node's values begin; one more at the end.
  private var starts: [Int32] = []
  private var ids: [UInt64: XMLDocument.NodeIndex] = [:]
  private var initialSlice: TextSlice?
  private var customProperties = CustomProperties()

  /// Reads the style sheets of a document and applies them.
  ///
  /// - Throws: `limitExceeded` when there are too many rules or matching them costs too much.
  init(_ xml: XMLDocument, limits: SVGDocument.Limits, options: SVGDocument.Options) throws(DecodeError) {
    self.xml = xml
    var sheet = StyleSheet(maximumRuleCount: limits.maximumStyleRuleCount)
    var imports = StyleImports(options: options, limits: limits)
    try Self.readSheets(of: &self.xml, into: &sheet, &imports)
    let index = RuleIndex(sheet)
    var matcher = SelectorMatcher(
      document: sheet.rules.isEmpty ? XMLDocument() : self.xml, remainingSteps: limits.maximumSelectorStepCount)
    starts.reserveCapacity(xml.nodes.count + 1)
    var scratch: [Declaration] = []
    for node in 0..<XMLDocument.NodeIndex(xml.nodes.count) {
      starts.append(Int32(declared.count))
      guard self.xml[node].isElement else { continue }
      register(node)
      guard self.xml[node].namespace == .svg else { continue }
      try apply(sheet, index, to: node, matcher: &matcher, scratch: &scratch)
    }
    starts.append(Int32(declared.count))
    replaceCalls()
  }

  // MARK: Access

  /// The declared values of an element.
  func declaredValues(of node: XMLDocument.NodeIndex) -> ArraySlice<DeclaredValue> {
    declared[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }

  /// The declared value of a property.
  func declaredValue(_ property: AttributeName, of node: XMLDocument.NodeIndex) -> TextSlice? {
    for value in declaredValues(of: node) where value.property == property { return value.value }
    return nil
  }

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
    guard xml.diagnostics.count < 1_000, !xml.diagnostics.contains(diagnostic) else { return }
    xml.diagnostics.append(diagnostic)
  }

  // MARK: Building

  private mutating func register(_ node: XMLDocument.NodeIndex) {
    guard let id = xml.value(.id, of: node), !id.isEmpty else { return }
    let key = XMLDocument.hash(xml.text.span.extracting(id.range))
    // The first element with an id wins.
    if ids[key] == nil { ids[key] = node }
  }

  private static func readSheets(
    of xml: inout XMLDocument, into sheet: inout StyleSheet, _ imports: inout StyleImports
  ) throws(DecodeError) {
    for node in 0..<XMLDocument.NodeIndex(xml.nodes.count) where xml[node].element == .style {
      if let type = xml.value(.type, of: node), !type.isEmpty, !xml.equals(type, "text/css") { continue }
      if let media = xml.value(.media, of: node) {
        let query = xml.string(media).lowercased()
        guard query.isEmpty || query.contains("all") || query.contains("screen") else { continue }
      }
      var child = xml[node].firstChild
      if child != XMLDocument.noNode, xml[child].nextSibling == XMLDocument.noNode {
        try sheet.append(xml[child].text.range, of: &xml, imports: &imports)
        continue
      }
      let start = xml.text.count
      while child != XMLDocument.noNode {
        if !xml[child].isElement { xml.text.append(contentsOf: Array(xml.text[xml[child].text.range])) }
        child = xml[child].nextSibling
      }
      try sheet.append(start..<xml.text.count, of: &xml, imports: &imports)
    }
  }

  private mutating func apply(
    _ sheet: StyleSheet, _ index: RuleIndex, to node: XMLDocument.NodeIndex, matcher: inout SelectorMatcher,
    scratch: inout [Declaration]
  ) throws(DecodeError) {
    let start = declared.count
    for position in xml.attributes(of: node) {
      let attribute = xml.attributes[position]
      guard let name = attribute.name, attribute.namespace == .none, name.isProperty else { continue }
      guard name.isPresentationAttribute else { continue }
      set(name, attribute.value, from: start)
    }
    scratch.removeAll(keepingCapacity: true)
    var custom: [CustomProperty] = []
    if !sheet.rules.isEmpty {
      for rule in try index.rules(matching: node, of: sheet, matcher: &matcher) {
        scratch.append(contentsOf: sheet.declarations[sheet.rules[rule].declarations])
        custom += sheet.customProperties[sheet.rules[rule].customProperties]
      }
    }
    if let style = xml.value(.style, of: node), !style.isEmpty {
      StyleSheet.parseDeclarations(style.range, of: &xml, into: &scratch, &custom)
    }
    customProperties.set(custom, of: node)
    for declaration in scratch where !declaration.isImportant {
      expand(declaration, from: start)
    }
    for declaration in scratch where declaration.isImportant {
      expand(declaration, from: start)
    }
  }

  /// Puts the values of custom properties where var() asks for them. What cannot be replaced counts as not declared.
  private mutating func replaceCalls() {
    for node in 0..<XMLDocument.NodeIndex(xml.nodes.count) {
      for index in Int(starts[Int(node)])..<Int(starts[Int(node) + 1]) {
        let range = declared[index].value.range
        guard CustomProperties.hasCall(xml.text.span.extracting(range)) else { continue }
        let start = xml.text.count
        xml.text += customProperties.substitute(range, of: node, in: xml) ?? []
        declared[index].value = TextSlice(StyleSheet.trimmed(start..<xml.text.count, of: xml.text.span))
      }
    }
  }

  /// Sets a property, or all that a shorthand stands for.
  private mutating func expand(_ declaration: Declaration, from start: Int) {
    switch declaration.property {
    case .marker:
      for property in [AttributeName.markerStart, .markerMid, .markerEnd] {
        set(property, declaration.value, from: start)
      }
    case .font: expandFont(declaration.value, from: start)
    default: set(declaration.property, declaration.value, from: start)
    }
  }

  private mutating func expandFont(_ value: TextSlice, from start: Int) {
    let text = xml.text
    let bytes = text.span.extracting(value.range)
    if isKeyword(bytes, "inherit") || isKeyword(bytes, "initial") {
      for property in [
        AttributeName.fontStyle, .fontVariant, .fontWeight, .fontStretch, .fontSize, .fontFamily,
      ] { set(property, value, from: start) }
      return
    }
    guard let font = FontShorthand(parsing: bytes) else { return }
    func slice(_ range: Range<Int>) -> TextSlice {
      TextSlice(Int(value.start) + range.lowerBound..<Int(value.start) + range.upperBound)
    }
    for (property, range) in [
      (AttributeName.fontStyle, font.style), (.fontVariant, font.variant), (.fontWeight, font.weight),
      (.fontStretch, font.stretch), (.fontKerning, nil),
    ] {
      // What the shorthand does not mention is reset.
      set(property, range.map { slice($0) } ?? initialWord(), from: start)
    }
    set(.fontSize, slice(font.size), from: start)
    set(.fontFamily, slice(font.family), from: start)
  }

  /// The word `initial` as a run of the text.
  private mutating func initialWord() -> TextSlice {
    if let known = initialSlice { return known }
    let start = xml.text.count
    xml.text.append(contentsOf: "initial".utf8)
    let slice = TextSlice(start..<xml.text.count)
    initialSlice = slice
    return slice
  }

  private mutating func set(_ property: AttributeName, _ value: TextSlice, from start: Int) {
    let trimmed = TextSlice(StyleSheet.trimmed(value.range, of: xml.text.span))
    for index in start..<declared.count where declared[index].property == property {
      declared[index].value = trimmed
      return
    }
    declared.append(DeclaredValue(property: property, value: trimmed))
  }
}

/// The rules of a style sheet by what their rightmost compound asks for, so that few are tried on an element.
private struct RuleIndex {
  private var byID: [[UInt8]: [Int]] = [:]
  private var byClass: [[UInt8]: [Int]] = [:]
  private var byType: [[UInt8]: [Int]] = [:]
  private var others: [Int] = []

  init(_ sheet: StyleSheet) {
    for (index, rule) in sheet.rules.enumerated() {
      var id: [UInt8]?
      var className: [UInt8]?
      var type: [UInt8]?
      for part in rule.selector.compounds.first?.parts ?? [] {
        switch part {
        case .id(let name): id = name
        case .className(let name): className = name
        case .type(let name): type = name
        default: break
        }
      }
      if let id {
        byID[id, default: []].append(index)
      } else if let className {
        byClass[className, default: []].append(index)
      } else if let type {
        byType[type, default: []].append(index)
      } else {
        others.append(index)
      }
    }
  }

  /// The rules that select an element, the weakest first.
  func rules(
    matching node: XMLDocument.NodeIndex, of sheet: StyleSheet, matcher: inout SelectorMatcher
  ) throws(DecodeError) -> [Int] {
    let xml = matcher.document
    var candidates = others
    if !byType.isEmpty, let rules = byType[Array(xml.text[xml[node].text.range])] { candidates += rules }
    if !byID.isEmpty, let id = xml.value(.id, of: node), let rules = byID[Array(xml.text[id.range])] {
      candidates += rules
    }
    if !byClass.isEmpty, let value = xml.value(.class, of: node) {
      for word in xml.text[value.range].split(whereSeparator: isSpace) {
        if let rules = byClass[Array(word)] { candidates += rules }
      }
    }
    var matched: [Int] = []
    for rule in candidates where try matcher.matches(sheet.rules[rule].selector, node) { matched.append(rule) }
    guard matched.count > 1 else { return matched }
    // A rule may come twice when a class is named twice.
    matched.sort { first, second in
      let strengths = (sheet.rules[first].selector.specificity, sheet.rules[second].selector.specificity)
      return strengths.0 != strengths.1 ? strengths.0 < strengths.1 : first < second
    }
    return matched
  }
}
