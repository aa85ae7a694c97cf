// The cascade: presentation attributes, then rules by specificity and order, then the style attribute, then the same
// again for `!important` (CSS Cascade 4; SVG 2, section 6). The result is one winning value per property and element.

internal import ImageCore

/// Applies the style sheets of a document to its elements.
struct Cascade {
  typealias NodeIndex = XMLDocument.NodeIndex

  private(set) var xml: XMLDocument
  private let limits: SVGDocument.Limits
  private(set) var budget: ResourceBudget
  private(set) var declared: [StyledDocument.DeclaredValue] = []
  /// The index of each node's first value, followed by the total count.
  private(set) var starts: [Int32] = []
  private(set) var ids: [UInt64: NodeIndex] = [:]
  private var initialSlice: TextSlice?
  private var customProperties: CustomProperties

  /// The work units for applying a declaration to an element.
  private static let workPerDeclaration = 50
  /// The number of bytes of a declared value, in an array that grows by doubling.
  private static let bytesPerValue = MemoryLayout<StyledDocument.DeclaredValue>.stride * 3 / 2
  /// The number of bytes of an element in the tables: the index of its values, its reading cost, its id.
  private static let bytesPerElement = 32

  init(_ xml: XMLDocument, limits: SVGDocument.Limits, budget: ResourceBudget) {
    self.xml = xml
    self.limits = limits
    self.budget = budget
    customProperties = CustomProperties(maximumByteCount: limits.maximumSubstitutionByteCount)
  }

  /// Computes the declared values of all elements.
  mutating func run(options: SVGDocument.Options) throws(CodecError) {
    var sheet = StyleSheet(maximumRuleCount: limits.maximumStyleRuleCount)
    var imports = StyleImports(options: options, limits: limits)
    try readSheets(into: &sheet, &imports)
    try budget.allocate(count: xml.nodes.count, bytesEach: Self.bytesPerElement)
    var index = RuleIndex(sheet)
    var matcher = SelectorMatcher(
      document: sheet.rules.isEmpty ? XMLDocument() : xml, remainingSteps: limits.maximumSelectorStepCount)
    starts.reserveCapacity(xml.nodes.count + 1)
    var scratch: [Declaration] = []
    for node in 0..<NodeIndex(xml.nodes.count) {
      try appendStart()
      guard xml[node].isElement else { continue }
      register(node)
      customProperties.inherit(node, from: xml[node].parent)
      guard xml[node].namespace == .svg else { continue }
      try apply(sheet, &index, to: node, matcher: &matcher, scratch: &scratch)
    }
    try appendStart()
    try replaceCalls(sheet)
  }

  private mutating func appendStart() throws(CodecError) {
    guard let start = Int32(exactly: declared.count) else {
      throw CodecError(.limitExceeded, "the elements declare too many values", format: SVGDecoder.type)
    }
    starts.append(start)
  }

  /// Returns the work units for parsing each node's attributes and declared values.
  func readingCosts() -> [Int32] {
    // Languages are compared one by one, and dashes are stored as lengths.
    let (perAttribute, perByte, perDeclaredByte, perDashByte, perLanguageByte) = (30, 6, 12, 40, 220)
    return xml.nodes.indices.map { node in
      var cost = 0
      for position in xml.attributes(of: NodeIndex(node)) {
        let attribute = xml.attributes[position]
        let unit = attribute.name == nil ? 0 : attribute.name == .systemLanguage ? perLanguageByte : perByte
        cost += perAttribute + Int(attribute.value.count) * unit
      }
      for index in Int(starts[node])..<Int(starts[node + 1]) {
        let unit = declared[index].property == .strokeDasharray ? perDashByte : perDeclaredByte
        cost += perAttribute + Int(declared[index].value.count) * unit
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

  private mutating func readSheets(into sheet: inout StyleSheet, _ imports: inout StyleImports) throws(CodecError) {
    for node in 0..<NodeIndex(xml.nodes.count) where xml[node].element == .style {
      if let type = xml.value(.type, of: node), !type.isEmpty, !xml.equals(type, "text/css") { continue }
      if let media = xml.value(.media, of: node) {
        let query = xml.string(media).lowercased()
        guard query.isEmpty || query.contains("all") || query.contains("screen") else { continue }
      }
      var child = xml[node].firstChild
      if child != XMLDocument.noNode, xml[child].nextSibling == XMLDocument.noNode {
        try sheet.append(xml[child].text.range, of: &xml, imports: &imports, budget: &budget)
        continue
      }
      var text: [UInt8] = []
      while child != XMLDocument.noNode {
        if !xml[child].isElement { text += xml.text[xml[child].text.range] }
        child = xml[child].nextSibling
      }
      let range = try xml.append(text, budget: &budget)
      try sheet.append(range, of: &xml, imports: &imports, budget: &budget)
    }
  }

  // MARK: Elements

  private mutating func apply(
    _ sheet: StyleSheet, _ index: inout RuleIndex, to node: NodeIndex, matcher: inout SelectorMatcher,
    scratch: inout [Declaration]
  ) throws(CodecError) {
    let start = declared.count
    for position in xml.attributes(of: node) {
      let attribute = xml.attributes[position]
      guard let name = attribute.name, attribute.namespace == .none, name.isProperty else { continue }
      guard name.isPresentationAttribute else { continue }
      set(name, attribute.value, from: start)
    }
    scratch.removeAll(keepingCapacity: true)
    var rules: [Int] = []
    if !sheet.rules.isEmpty {
      rules = try index.rules(matching: node, of: sheet, matcher: &matcher, budget: &budget)
      for rule in rules {
        let range = sheet.rules[rule].declarations
        try budget.chargeWork(count: range.count, unitsEach: Self.workPerDeclaration)
        scratch.append(contentsOf: sheet.declarations[range])
      }
    }
    var custom: [CustomProperty] = []
    if let style = xml.value(.style, of: node), !style.isEmpty {
      try StyleSheet.parseDeclarations(style.range, of: &xml, into: &scratch, &custom, budget: &budget)
    }
    try customProperties.set(custom, rules, of: sheet, for: node, budget: &budget)
    for declaration in scratch where !declaration.isImportant {
      try expand(declaration, from: start)
    }
    for declaration in scratch where declaration.isImportant {
      try expand(declaration, from: start)
    }
    try budget.allocate(count: declared.count - start, bytesEach: Self.bytesPerValue)
  }

  /// Substitutes custom properties for var(). A value in which that fails is treated as not declared.
  private mutating func replaceCalls(_ sheet: StyleSheet) throws(CodecError) {
    for node in xml.nodes.indices {
      for index in Int(starts[node])..<Int(starts[node + 1]) where declared[index].value.count > 5 {
        let value = declared[index].value
        try budget.chargeWork(Int(value.count))
        guard CustomProperties.hasCall(xml.text.span.extracting(value.range)) else { continue }
        declared[index].value = try customProperties.substitute(
          value, for: NodeIndex(node), of: sheet, in: &xml, budget: &budget)
      }
    }
  }

  /// Sets a property, or all longhands of a shorthand.
  private mutating func expand(_ declaration: Declaration, from start: Int) throws(CodecError) {
    switch declaration.property {
    case .marker:
      for property in [AttributeName.markerStart, .markerMid, .markerEnd] {
        set(property, declaration.value, from: start)
      }
    case .font: try expandFont(declaration.value, from: start)
    default: set(declaration.property, declaration.value, from: start)
    }
  }

  private mutating func expandFont(_ value: TextSlice, from start: Int) throws(CodecError) {
    try budget.chargeWork(count: Int(value.count), unitsEach: 4)
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
      // Longhands that the shorthand does not mention are reset.
      if let range { set(property, slice(range), from: start) } else { set(property, try initialWord(), from: start) }
    }
    set(.fontSize, slice(font.size), from: start)
    set(.fontFamily, slice(font.family), from: start)
  }

  /// Returns the keyword `initial` as a slice of the text.
  private mutating func initialWord() throws(CodecError) -> TextSlice {
    if let known = initialSlice { return known }
    let slice = TextSlice(try xml.append(Array("initial".utf8), budget: &budget))
    initialSlice = slice
    return slice
  }

  private mutating func set(_ property: AttributeName, _ value: TextSlice, from start: Int) {
    let trimmed = TextSlice(StyleSheet.trimmed(value.range, of: xml.text.span))
    for index in start..<declared.count where declared[index].property == property {
      declared[index].value = trimmed
      return
    }
    declared.append(StyledDocument.DeclaredValue(property: property, value: trimmed))
  }
}
