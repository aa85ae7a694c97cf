// The cascade: presentation attributes, then rules by layer, specificity and order, then the style attribute, then the
// same again for `!important` (CSS Cascade 5; SVG 2, section 6.4). The result is one winning value per property and
// element.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// Applies the style sheets of a document to its elements.
struct Cascade: ~Copyable {
  typealias NodeIndex = XMLDocument.NodeIndex

  private(set) var xml: XMLDocument
  private let limits: StyleLimits
  private var budget: ResourceBudget
  private(set) var sheet: StyleSheet
  private(set) var declared: [StyledDocument.Entry] = []
  /// The index of each node's first value, followed by the total count.
  private(set) var starts: [Int32] = []
  private(set) var ids: [UInt64: NodeIndex] = [:]
  private(set) var customDeclarations: [CustomDeclarations] = []
  /// The custom properties that each node declares, as an index of ``customDeclarations``.
  private(set) var customOfNode: [NodeIndex: Int32] = [:]
  private var customOfRules: [[Int]: Int32] = [:]
  /// For each property, the element for which it was last decided, or −1 − the element while it is being reverted.
  private var decided: [Int32]
  /// The layer whose declarations of a property are skipped after `revert-layer`.
  private var revertedLayer: [Int]
  private var cache = DeclaredValueCache()

  /// The work units for applying a declaration to an element.
  private static let workPerDeclaration = 50
  /// The number of bytes of a declared value, in an array that grows by doubling, and of its parsed value.
  private static let bytesPerValue = MemoryLayout<StyledDocument.Entry>.stride * 3 / 2 + 64
  /// The number of bytes of an element in the tables: the index of its values, its reading cost, its id.
  private static let bytesPerElement = 32
  /// The layers of the style attribute and of presentation attributes, for `revert-layer`.
  private static let attributeLayers = (style: Int.max, presentation: Int.max - 1)

  init(_ xml: XMLDocument, limits: StyleLimits, budget: consuming ResourceBudget) {
    self.xml = xml
    self.limits = limits
    self.budget = budget
    sheet = StyleSheet(maximumRuleCount: limits.maximumStyleRuleCount, environment: MediaEnvironment(of: xml))
    decided = Array(repeating: -1, count: PropertyTable.rows.count)
    revertedLayer = Array(repeating: Int.min, count: PropertyTable.rows.count)
  }

  /// Ends the cascade and returns its budget.
  consuming func takeBudget() -> ResourceBudget { budget }

  /// Computes the declared values of all elements.
  ///
  /// - Parameter loadResource: returns the bytes of an external style sheet.
  mutating func run(loadResource: (@Sendable (String) -> [UInt8]?)?) throws(CodecError) {
    var imports = StyleImports(loadResource: loadResource, limits: limits)
    try budget.allocate(DeclaredValueCache.byteCount)
    try readSheets(&imports)
    sheet.finish()
    try budget.allocate(count: xml.nodes.count, bytesEach: Self.bytesPerElement)
    var index = RuleIndex(sheet)
    var matcher = SelectorMatcher(
      document: sheet.rules.isEmpty ? XMLDocument(names: .svg) : xml, nestingLists: sheet.selectorLists,
      remainingSteps: limits.maximumSelectorStepCount)
    starts.reserveCapacity(xml.nodes.count + 1)
    for node in 0..<NodeIndex(xml.nodes.count) {
      try appendStart()
      guard xml[node].isElement else { continue }
      register(node)
      // Attributes of animations that have the names of properties have other meanings.
      guard xml[node].namespace == .svg, xml[node].element?.isAnimation != true else { continue }
      try apply(&index, to: node, matcher: &matcher)
    }
    try appendStart()
  }

  private mutating func appendStart() throws(CodecError) {
    guard let start = Int32(exactly: declared.count) else {
      throw CodecError(.limitExceeded, "the elements declare too many values", format: .svgDocument)
    }
    starts.append(start)
  }

  /// Returns the work units for reading each node's attributes and applying its declared values.
  func readingCosts() -> [Int32] {
    // Languages are compared one by one.
    let (perAttribute, perByte, perDeclared, perDeclaredByte, perLanguageByte) = (30, 6, 60, 12, 220)
    return xml.nodes.indices.map { node in
      var cost = 0
      for position in xml.attributes(of: NodeIndex(node)) {
        let attribute = xml.attributes[position]
        let unit = attribute.name == nil ? 0 : attribute.name == .systemLanguage ? perLanguageByte : perByte
        cost += perAttribute + Int(attribute.value.count) * unit
      }
      for entry in declared[Int(starts[node])..<Int(starts[node + 1])] {
        cost += perDeclared + Int(entry.byteCount) * perDeclaredByte
      }
      return Int32(clamping: cost)
    }
  }

  private mutating func register(_ node: NodeIndex) {
    guard let id = xml.value(.id, of: node), !id.isEmpty else { return }
    let key = XMLDocument.hash(xml.text.span.extracting(id.range))
    // If an id is not unique, the first element with it is used.
    if ids[key] == nil { ids[key] = node }
  }

  // MARK: Style sheets

  private mutating func readSheets(_ imports: inout StyleImports) throws(CodecError) {
    for instruction in xml.styleSheetInstructions {
      guard let link = xml.styleSheetLink(instruction) else { continue }
      let url = Array(xml.text[link.range])
      guard let text = imports.text(of: url) else {
        xml.note("a linked style sheet is not available", at: link.range.lowerBound)
        continue
      }
      let range = try xml.append(text, budget: &budget)
      try sheet.append(range, of: &xml, imports: &imports, offset: link.range.lowerBound, budget: &budget)
    }
    for node in 0..<NodeIndex(xml.nodes.count) where xml[node].element == .style {
      let offset = Int(xml[node].byteOffset)
      if let type = xml.value(.type, of: node), !type.isEmpty, !isCSS(type) {
        xml.note("a style sheet in another language has no effect", at: offset)
        continue
      }
      if let media = xml.value(.media, of: node) {
        var parser = ConditionParser(MediaEnvironment(of: xml))
        guard parser.holds(mediaQueries: xml.text.span.extracting(media.range)) else { continue }
      }
      var child = xml[node].firstChild
      if child != XMLDocument.noNode, xml[child].nextSibling == XMLDocument.noNode {
        try sheet.append(xml[child].text.range, of: &xml, imports: &imports, offset: offset, budget: &budget)
        continue
      }
      var text: [UInt8] = []
      while child != XMLDocument.noNode {
        if !xml[child].isElement { text += xml.text[xml[child].text.range] }
        child = xml[child].nextSibling
      }
      let range = try xml.append(text, budget: &budget)
      try sheet.append(range, of: &xml, imports: &imports, offset: offset, budget: &budget)
    }
  }

  /// Returns whether a media type is that of style sheets. As in browsers, it must not have parameters.
  private func isCSS(_ type: TextSlice) -> Bool { isWord(xml.text.span.extracting(type.range), "text/css") }

  // MARK: Elements

  private mutating func apply(
    _ index: inout RuleIndex, to node: NodeIndex, matcher: inout SelectorMatcher
  ) throws(CodecError) {
    let start = declared.count
    var rules: [Int] = []
    if !sheet.rules.isEmpty {
      rules = try index.rules(matching: node, of: sheet, matcher: &matcher, budget: &budget)
      for rule in rules {
        try budget.chargeWork(count: sheet.rules[rule].declarations.count, unitsEach: Self.workPerDeclaration)
      }
    }
    var own = DeclarationBlock()
    if let style = xml.value(.style, of: node), !style.isEmpty {
      let range = try StyleSheet.withoutComments(style.range, of: &xml, budget: &budget)
      try DeclarationParser.append(
        range, of: &xml, to: &own, cache: &cache, offset: Int(xml[node].byteOffset), budget: &budget)
    }
    try setCustomProperties(own.customProperties, rules, of: node)
    if !rules.isEmpty || own.declarations.contains(where: \.isImportant) {
      applyImportant(own.declarations, rules, node)
    }
    for declaration in own.declarations.reversed() where !declaration.isImportant {
      decide(declaration, node, layer: Self.attributeLayers.style)
    }
    for rule in rules.reversed() {
      for position in sheet.rules[rule].declarations.reversed() {
        let declaration = sheet.block.declarations[position]
        if !declaration.isImportant { decide(declaration, node, layer: sheet.rules[rule].layer) }
      }
    }
    try applyAttributes(node)
    let added = declared.count - start
    if added > 1 { arrange(from: start) }
    try budget.allocate(count: added, bytesEach: Self.bytesPerValue)
  }

  /// Decides the properties with important declarations, for which the order of layers is reversed.
  private mutating func applyImportant(_ own: [Declaration], _ rules: [Int], _ node: NodeIndex) {
    for declaration in own.reversed() where declaration.isImportant {
      decide(declaration, node, layer: Self.attributeLayers.style)
    }
    var end = 0
    while end < rules.count {
      let start = end
      while end < rules.count, sheet.ordinal(of: rules[end]) == sheet.ordinal(of: rules[start]) { end += 1 }
      for rule in rules[start..<end].reversed() {
        for position in sheet.rules[rule].declarations.reversed() {
          let declaration = sheet.block.declarations[position]
          if declaration.isImportant { decide(declaration, node, layer: sheet.rules[rule].layer) }
        }
      }
    }
  }

  /// Stores a declaration unless one of higher precedence has decided its property.
  private mutating func decide(_ declaration: Declaration, _ node: NodeIndex, layer: Int) {
    let index = Int(declaration.property.index)
    if decided[index] == node { return }
    if decided[index] == -2 - node, revertedLayer[index] == layer { return }
    if case .revertLayer = declaration.value {
      decided[index] = -2 - node
      revertedLayer[index] = layer
      return
    }
    decided[index] = node
    declared.append(
      StyledDocument.Entry(
        property: declaration.property, value: declaration.value, byteCount: declaration.byteCount))
  }

  private mutating func applyAttributes(_ node: NodeIndex) throws(CodecError) {
    for position in xml.attributes(of: node) {
      let attribute = xml.attributes[position]
      guard attribute.namespace == .none, let property = property(of: attribute, on: node) else { continue }
      let index = Int(property.index)
      if decided[index] == node { continue }
      if !property.row.longhands.isEmpty {
        try applyShorthand(property, attribute.value, node)
        continue
      }
      guard let value = try parsed(property, attribute.value, node) else { continue }
      decide(
        Declaration(property: property, value: value, byteCount: attribute.value.count), node,
        layer: Self.attributeLayers.presentation)
    }
  }

  /// Returns the property that an attribute sets. The transform of a paint server has its own name.
  private func property(of attribute: XMLDocument.Attribute, on node: NodeIndex) -> Property? {
    switch xml[node].element {
    case .linearGradient, .radialGradient:
      if attribute.name == .gradientTransform { return PropertyTable.transform }
      return attribute.property == PropertyTable.transform ? nil : attribute.property
    case .pattern:
      if attribute.name == .patternTransform { return PropertyTable.transform }
      return attribute.property == PropertyTable.transform ? nil : attribute.property
    default: return attribute.property
    }
  }

  private mutating func applyShorthand(
    _ property: Property, _ slice: TextSlice, _ node: NodeIndex
  ) throws(CodecError) {
    try budget.chargeWork(count: Int(slice.count), unitsEach: DeclarationParser.workPerByte)
    let range = StyleSheet.trimmed(slice.range, of: xml.text.span)
    let text = xml.text
    let longhands = try cache.longhands(of: property, TextSlice(range), in: text.span, budget: &budget)
    guard let longhands else { return noteInvalid(property, range, node) }
    noteLimitation(property, range, node)
    for (longhand, value) in longhands {
      decide(
        Declaration(property: longhand, value: value, byteCount: slice.count), node,
        layer: Self.attributeLayers.presentation)
    }
  }

  /// Returns the value of a presentation attribute; `nil` if it is not valid.
  private mutating func parsed(
    _ property: Property, _ slice: TextSlice, _ node: NodeIndex
  ) throws(CodecError) -> DeclaredValue? {
    try budget.chargeWork(count: Int(slice.count), unitsEach: DeclarationParser.workPerByte)
    let range = StyleSheet.trimmed(slice.range, of: xml.text.span)
    var value = try knownValue(of: property, range)
    if value == nil {
      // Comments are permitted, but rare.
      let kept = try StyleSheet.withoutComments(range, of: &xml, budget: &budget)
      if kept != range { value = try knownValue(of: property, StyleSheet.trimmed(kept, of: xml.text.span)) }
    }
    if value == nil { noteInvalid(property, range, node) }
    noteLimitation(property, range, node)
    return value
  }

  private mutating func knownValue(
    of property: Property, _ range: Range<Int>
  ) throws(CodecError) -> DeclaredValue? {
    let text = xml.text
    return try cache.value(of: property, TextSlice(range), in: text.span, budget: &budget)
  }

  private mutating func noteLimitation(_ property: Property, _ range: Range<Int>, _ node: NodeIndex) {
    guard let note = DeclarationParser.limitation(of: property.row, xml.text.span.extracting(range)) else { return }
    xml.note(note, at: Int(xml[node].byteOffset))
  }

  private mutating func noteInvalid(_ property: Property, _ range: Range<Int>, _ node: NodeIndex) {
    let start = String(decoding: xml.text[range.prefix(48)], as: UTF8.self)
    xml.note("the value \(start) of \(property.row.name) is not valid", at: Int(xml[node].byteOffset))
  }

  /// Moves the properties on which others depend to the front.
  private mutating func arrange(from start: Int) {
    var front = start
    for index in start..<declared.count where declared[index].property.row.isFirst {
      declared.swapAt(front, index)
      front += 1
    }
    // Colours depend on the colour scheme, line heights on the font, and its size on its metrics.
    var last = front
    guard last - start > 1 else { return }
    for property in [PropertyTable.color, PropertyTable.lineHeight, PropertyTable.fontSizeAdjust]
    where last - start > 1 {
      guard let index = declared[start..<last].firstIndex(where: { $0.property == property }) else { continue }
      declared.swapAt(last - 1, index)
      last -= 1
    }
  }

  // MARK: Custom properties

  private mutating func setCustomProperties(
    _ own: [CustomProperty], _ rules: [Int], of node: NodeIndex
  ) throws(CodecError) {
    if own.isEmpty, rules.isEmpty || sheet.block.customProperties.isEmpty { return }
    let rules = rules.filter { !sheet.rules[$0].customProperties.isEmpty }
    guard !own.isEmpty || !rules.isEmpty else { return }
    if own.isEmpty, let known = customOfRules[rules] {
      customOfNode[node] = known
      return
    }
    try budget.allocate(
      2 * (64 + rules.count * MemoryLayout<Int>.stride) + own.count * MemoryLayout<CustomProperty>.stride)
    let index = Int32(clamping: customDeclarations.count)
    customDeclarations.append(CustomDeclarations(rules: rules, own: own))
    customOfNode[node] = index
    if own.isEmpty { customOfRules[rules] = index }
  }
}

extension MediaEnvironment {
  /// Creates the environment of a document, whose viewport has the size that the document states in absolute units, or
  /// that of its view box.
  init(of xml: XMLDocument) {
    self.init(width: 300, height: 150)
    guard xml.root != XMLDocument.noNode else { return }
    let text = xml.text.span
    let box = xml.value(.viewBox, of: xml.root).flatMap { parseViewBox(text.extracting($0.range)) }
    func size(_ name: AttributeName, _ other: Double?, _ usual: Double) -> Double {
      let length = xml.value(name, of: xml.root).flatMap { Length(parsing: text.extracting($0.range)) }
      if let length, length.unit == .none { return length.value }
      return other ?? usual
    }
    width = size(.width, box?.width, width)
    height = size(.height, box?.height, height)
  }
}
