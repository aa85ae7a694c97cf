// The pass over the markup of a document that leaves out what must not be kept.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Copies a document without entities, token by token.
struct MarkupRewriting {
  /// An element that is kept.
  private struct OpenElement {
    var name: String
    /// Whether its text is a style sheet or a script, which is rewritten as a whole.
    var language: Language?
  }

  enum Language {
    case style
    case script
  }

  /// The text of a style sheet or a script that is being read.
  private struct Embedded {
    var characters: [UInt8] = []
    /// The tokens as they are in the document.
    var tokens: [Range<Int>] = []
    var hasSection = false
  }

  private let text: [UInt8]
  private let embedded: EmbeddedData
  /// Whether only what is known to be harmless is kept.
  private let isSafe: Bool
  /// The names of attributes `data-…` by which style sheets select.
  private let selectedNames: Set<String>
  private var output: [UInt8] = []
  private var scope = NamespaceScope()
  private var open: [OpenElement] = []
  private var content = Embedded()
  private var hasRoot = false
  /// The number of open elements below the one that is being removed, which counts as well; 0 outside.
  private var removedDepth = 0

  init(text: [UInt8], embedded: EmbeddedData, isSafe: Bool) {
    self.text = text
    self.embedded = embedded
    self.isSafe = isSafe
    selectedNames = Self.selectedNames(text.span)
  }

  private static func malformed(_ reason: String, at offset: Int) -> CodecError {
    CodecError(.malformed, reason, format: SVGDecoder.type, byteOffset: offset)
  }

  /// The work units for a token, and for an attribute, in addition to their bytes.
  private static let workPerToken = 250
  private static let workPerAttribute = 250
  /// The bytes of memory of an attribute while its element is read, in addition to those of its value.
  private static let bytesPerAttribute = 160
  /// The bytes of memory of an open element.
  private static let bytesPerElement = 96

  /// Returns the rewritten document.
  mutating func run(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let text = text
    output.reserveCapacity(text.count)
    var scanner = MarkupScanner(text.span)
    while let token = try scanner.next() {
      try budget.chargeWork(Self.workPerToken)
      switch token.kind {
      case .comment, .documentType: continue
      case .instruction:
        if removedDepth == 0 { try append(instruction: token, &budget) }
      case .startTag, .emptyTag:
        let byteCount = try charge(attributesOf: token, &budget)
        let attributes = isSafe ? try scanner.checkedAttributes(of: token) : scanner.attributes(of: token)
        try start(token, attributes, &budget)
        budget.release(byteCount)
        if token.kind == .startTag { try budget.allocate(Self.bytesPerElement) }
      case .endTag:
        try end(token, &budget)
        budget.release(Self.bytesPerElement)
      case .text, .characterData: try append(token)
      }
    }
    guard removedDepth == 0, !isSafe || open.isEmpty && hasRoot, open.last?.language == nil else {
      throw Self.malformed("the text ends inside an element", at: text.count)
    }
    return output
  }

  /// Charges the attributes that a tag can have, each with an equals sign. Returns the bytes that they take while the
  /// tag is read.
  private func charge(attributesOf token: MarkupScanner.Token, _ budget: inout ResourceBudget) throws(CodecError) -> Int
  {
    var count = 0
    for index in token.range where text[index] == UInt8(ascii: "=") { count += 1 }
    if count == 0 { return 0 }
    try budget.chargeWork(count: count, unitsEach: Self.workPerAttribute)
    let byteCount = try budget.allocate(count: count, bytesEach: Self.bytesPerAttribute)
    try budget.allocate(token.range.count)
    return byteCount + token.range.count
  }

  // MARK: Tokens

  /// Appends an instruction if it is the XML declaration or links a style sheet.
  private mutating func append(
    instruction token: MarkupScanner.Token, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let instruction = MarkupInstruction(text[token.range])
    switch instruction.target {
    case "xml" where token.range.lowerBound == 0:
      output += try instruction.text(keeping: ["version", "encoding", "standalone"]) { _, value in
        value.allSatisfy { Self.isNameByte($0) } ? value : []
      }
    case "xml-stylesheet" where !isSafe && !hasRoot:
      output += try instruction.text(keeping: ["href", "type", "media", "title", "alternate"]) {
        name, value throws(CodecError) in
        guard name == "href" else { return value }
        let rewritten = try StyleText.rewritten(url: value, embedded, budget: &budget)
        return rewritten ?? value
      }
    default: return
    }
  }

  private mutating func append(_ token: MarkupScanner.Token) throws(CodecError) {
    guard removedDepth == 0 else { return }
    let isSection = token.kind == .characterData
    let range = isSection ? token.range.lowerBound + 9..<token.range.upperBound - 3 : token.range
    if open.last?.language != nil {
      content.tokens.append(token.range)
      if isSection {
        content.characters += text[range]
        content.hasSection = true
      } else {
        content.characters += MarkupText.decoded(text.span.extracting(range), isAttribute: false)
      }
    } else if !isSafe {
      output += text[token.range]
    } else {
      let characters =
        isSection ? Array(text[range]) : MarkupText.decoded(text.span.extracting(range), isAttribute: false)
      // Outside the root element, only white space is well formed.
      guard !open.isEmpty || characters.allSatisfy({ isSpace($0) }) else {
        throw Self.malformed("there is text outside the root element", at: token.range.lowerBound)
      }
      output += MarkupText.encoded(characters, isAttribute: false)
    }
  }

  private mutating func start(
    _ token: MarkupScanner.Token, _ attributes: [MarkupScanner.Attribute], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if removedDepth > 0 {
      if token.kind == .startTag { removedDepth += 1 }
      return
    }
    let values = attributes.map { attribute in
      (
        name: String(utf8: text.span.extracting(attribute.name)),
        value: MarkupText.decoded(text.span.extracting(attribute.value), isAttribute: true)
      )
    }
    let name = String(utf8: text.span.extracting(token.name))
    guard !isSafe || Self.isName(name) && values.allSatisfy({ Self.isName($0.name) }) else {
      throw Self.malformed("a name contains characters that names must not contain", at: token.range.lowerBound)
    }
    scope.open(values)
    let (namespace, local) = scope.element(name)
    guard keepsElement(local, namespace, values), open.last?.language == nil else {
      scope.close()
      if token.kind == .startTag { removedDepth = 1 }
      return
    }
    if isSafe, open.isEmpty {
      guard !hasRoot, local == "svg" else {
        throw Self.malformed("the root element is not svg", at: token.range.lowerBound)
      }
    }
    hasRoot = true
    var kept: [(index: Int, value: [UInt8])] = []
    var isChanged = false
    for (index, attribute) in values.enumerated() {
      let value = try rewritten(attribute.value, of: attribute.name, on: local, &budget)
      if let value { kept.append((index, value)) }
      if value != attribute.value { isChanged = true }
    }
    if isSafe {
      appendTag(token, name, kept.map { (values[$0.index].name, $0.value) })
    } else if isChanged {
      appendTag(token, attributes, kept, originals: values.map(\.value))
    } else {
      output += text[token.range]
    }
    if token.kind == .emptyTag {
      scope.close()
    } else {
      open.append(OpenElement(name: name, language: language(of: local, namespace, values)))
      content = Embedded()
    }
  }

  private mutating func end(_ token: MarkupScanner.Token, _ budget: inout ResourceBudget) throws(CodecError) {
    if removedDepth > 0 {
      removedDepth -= 1
      return
    }
    let name = String(utf8: text.span.extracting(token.name))
    guard let element = open.popLast(), !isSafe || element.name == name else {
      throw Self.malformed("an end tag does not match the element that is open", at: token.range.lowerBound)
    }
    scope.close()
    if let language = element.language { try appendContent(language, &budget) }
    output += isSafe ? Array("</\(name)>".utf8)[...] : text[token.range]
  }

  // MARK: Style sheets and scripts

  /// The types of scripts that are JavaScript.
  private static let scriptTypes: Set<String> = [
    "", "module", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
    "application/x-javascript",
  ]

  private func language(
    of local: String, _ namespace: MarkupNamespace, _ attributes: [(name: String, value: [UInt8])]
  ) -> Language? {
    guard namespace != .xlink, namespace != .xml else { return nil }
    func value(_ name: String) -> String {
      let value = attributes.first { $0.name == name }?.value ?? []
      return String(decoding: value.map { lowercased($0) }.filter { !isSpace($0) }, as: UTF8.self)
    }
    switch local {
    case "style": return value("type").isEmpty || value("type") == "text/css" || isSafe ? .style : nil
    case "script": return Self.scriptTypes.contains(value("type")) ? .script : nil
    default: return nil
    }
  }

  private mutating func appendContent(_ language: Language, _ budget: inout ResourceBudget) throws(CodecError) {
    let rewritten =
      switch language {
      case .style: try StyleText.rewritten(content.characters, embedded, removesLinks: isSafe, budget: &budget)
      case .script: ScriptText.withoutComments(content.characters)
      }
    if !isSafe, rewritten == content.characters {
      for range in content.tokens { output += text[range] }
    } else if !isSafe, content.hasSection, !Self.endsSection(rewritten) {
      output += "<![CDATA[".utf8
      output += rewritten
      output += "]]>".utf8
    } else {
      output += MarkupText.encoded(rewritten, isAttribute: false)
    }
    content = Embedded()
  }

  private static func endsSection(_ text: [UInt8]) -> Bool {
    text.indices.dropLast(2).contains { text[$0] == 93 && text[$0 + 1] == 93 && text[$0 + 2] == 62 }
  }

  // MARK: Elements and attributes

  private func keepsElement(
    _ local: String, _ namespace: MarkupNamespace, _ attributes: [(name: String, value: [UInt8])]
  ) -> Bool {
    guard namespace != .unknown, local != "metadata" || namespace == .embedded else { return false }
    guard isSafe else { return true }
    guard ActiveContent.keepsElement(local, namespace) else { return false }
    guard let element = ElementName(rawValue: local), element.isAnimation, element != .animateMotion else {
      return true
    }
    return attributes.allSatisfy { attribute in
      scope.attribute(attribute.name).local.lowercased() != "attributename"
        || ActiveContent.mayAnimate(attribute.value)
    }
  }

  /// Returns the value of an attribute that is kept; `nil` if the attribute is removed.
  private func rewritten(
    _ value: [UInt8], of name: String, on element: String, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    let (namespace, local) = scope.attribute(name)
    if namespace == .declaration {
      let declared = NamespaceScope.namespace(named: value)
      if declared == .unknown { return nil }
      return isSafe && declared == .embedded ? nil : value
    }
    if namespace == .unknown { return nil }
    if namespace == .none, local.hasPrefix("data-") { return selectedNames.contains(local) ? value : nil }
    if isSafe, !ActiveContent.keepsAttribute(local, namespace) { return nil }
    if local == "href" { return try link(value, on: element, &budget) }
    if !isSafe, let rewritten = try EmbeddedLinks(embedded: embedded).rewritten(value, of: local, budget: &budget) {
      return rewritten
    }
    let isStyle = isStyle(local) || Self.animationValues.contains(local)
    guard namespace == .none, isStyle || isSafe && Self.mayRefer(value) else { return value }
    return try StyleText.rewritten(value, embedded, removesLinks: isSafe, budget: &budget)
  }

  /// The attributes with the values that animations set, which may be CSS.
  private static let animationValues: Set<String> = ["to", "from", "by", "values"]

  /// Whether the value of an attribute is CSS.
  private func isStyle(_ local: String) -> Bool {
    let name = Array(local.utf8)
    return local == "style" || MarkupNames.svg.attributes[name.span]?.property != nil
  }

  /// Returns whether a value may contain a function, as values that animations set may.
  private static func mayRefer(_ value: [UInt8]) -> Bool {
    value.contains(UInt8(ascii: "(")) || value.contains(UInt8(ascii: "@"))
  }

  /// Returns a link that is kept; `nil` if it is removed.
  private func link(
    _ url: [UInt8], on element: String, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    if ActiveContent.isLocal(url) { return url }
    let isPicture = element == "image" || element == "feImage"
    if isSafe, !isPicture { return nil }
    switch try embedded.content(of: url, budget: &budget) {
    case .picture(let stripped): return stripped
    case .font, .styleSheet, .other:
      // Other files than pictures are not drawn.
      return isSafe ? nil : isPicture ? Array("data:,".utf8) : url
    case nil: return isSafe ? nil : url
    }
  }

  // MARK: Tags

  /// Appends a tag with some attributes.
  private mutating func appendTag(
    _ token: MarkupScanner.Token, _ name: String, _ attributes: [(name: String, value: [UInt8])]
  ) {
    output.append(UInt8(ascii: "<"))
    output += name.utf8
    for attribute in attributes {
      output.append(32)
      output += attribute.name.utf8
      output += "=\"".utf8
      output += MarkupText.encoded(attribute.value, isAttribute: true)
      output.append(UInt8(ascii: "\""))
    }
    output += token.kind == .emptyTag ? "/>".utf8 : ">".utf8
  }

  /// Appends a tag as it is in the document, without some attributes and with other values of some.
  private mutating func appendTag(
    _ token: MarkupScanner.Token, _ attributes: [MarkupScanner.Attribute], _ kept: [(index: Int, value: [UInt8])],
    originals: [[UInt8]]
  ) {
    var values: [[UInt8]?] = Array(repeating: nil, count: attributes.count)
    for (index, value) in kept { values[index] = value }
    var start = token.range.lowerBound
    for (index, attribute) in attributes.enumerated() {
      guard let value = values[index] else {
        output += text[start..<attribute.range.lowerBound]
        start = attribute.range.upperBound
        continue
      }
      guard value != originals[index] else { continue }
      output += text[start..<attribute.value.lowerBound - 1]
      output.append(UInt8(ascii: "\""))
      output += MarkupText.encoded(value, isAttribute: true)
      output.append(UInt8(ascii: "\""))
      start = attribute.range.upperBound
    }
    output += text[start..<token.range.upperBound]
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: ":") }
  }

  // MARK: Selectors

  /// Returns the names of attributes `data-…` after opening brackets anywhere in the text.
  private static func selectedNames(_ text: Span<UInt8>) -> Set<String> {
    var names: Set<String> = []
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "[") else {
        index += 1
        continue
      }
      index += 1
      while index < text.count, isSpace(text[index]) { index += 1 }
      let start = index
      while index < text.count, isNameByte(text[index]) { index += 1 }
      let name = String(utf8: text.extracting(start..<index))
      if name.hasPrefix("data-") { names.insert(name) }
    }
    return names
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...0xff:
      true
    default: false
    }
  }
}
