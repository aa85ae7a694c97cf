// Style sheets: from the text of `style` elements to selectors with declarations (CSS Syntax 3). Unsupported constructs
// are skipped as the syntax prescribes.

internal import ImageCore

/// A property and its value.
struct Declaration: Sendable {
  var property: AttributeName
  var value: TextSlice
  var isImportant: Bool
}

/// The rules of all style sheets of a document, in order.
struct StyleSheet: Sendable {
  struct Rule: Sendable {
    var selector: Selector
    var declarations: Range<Int>
    var customProperties: Range<Int>
  }

  var rules: [Rule] = []
  var declarations: [Declaration] = []
  var customProperties: [CustomProperty] = []
  private let maximumRuleCount: Int
  private static let maximumBlockDepth = 8
  /// The work units for scanning a byte of a style sheet.
  private static let workPerByte = 10
  /// The maximum number of bytes of a parsed selector per byte of its text.
  private static let bytesPerSelectorByte = 64
  /// The number of bytes of a rule, in the style sheet and in its index.
  private static let bytesPerRule = 400

  init(maximumRuleCount: Int) {
    self.maximumRuleCount = maximumRuleCount
  }

  /// Adds the rules of a style sheet, a slice of the document's text, after those that it imports.
  ///
  /// - Parameter depth: the depth of imports that lead to this style sheet, which is limited.
  mutating func append(
    _ range: Range<Int>, of document: inout XMLDocument, imports: inout StyleImports, depth: Int = 0,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    var mayImport = depth < StyleImports.maximumDepth
    // The ends of the blocks of at-rules whose rules apply.
    var blockEnds: [Int] = []
    try budget.chargeWork(count: range.count, unitsEach: Self.workPerByte)
    let range = try Self.withoutComments(range, of: &document, budget: &budget)
    var position = range.lowerBound
    while position < range.upperBound {
      switch Self.statement(document.text.span, position..<range.upperBound) {
      case .end: return
      case .blockEnd(let next):
        if blockEnds.last == next - 1 { blockEnds.removeLast() }
        position = next
      case .rule(let prelude, let body, let next):
        position = next
        mayImport = false
        try budget.allocate(count: prelude.count, bytesEach: Self.bytesPerSelectorByte)
        guard let selectors = Selector.list(document.text.span, range: prelude) else { continue }
        try append(selectors, body: body, document: &document, budget: &budget)
      case .atRule(let rule, let next):
        position = next
        guard let body = rule.body else {
          guard rule.name == "import" else { continue }
          guard mayImport, let text = imports.text(named: document.text.span.extracting(rule.condition)) else {
            document.note(ImageDiagnostic(.warning, "@import is not followed"))
            continue
          }
          let imported = try document.append(text, budget: &budget)
          try append(imported, of: &document, imports: &imports, depth: depth + 1, budget: &budget)
          continue
        }
        mayImport = false
        let condition = String(decoding: document.text[rule.condition], as: UTF8.self).lowercased()
        guard rule.name == "media", blockEnds.count < Self.maximumBlockDepth, Self.holds(mediaQueries: condition) else {
          continue
        }
        blockEnds.append(body.upperBound)
        position = body.lowerBound
      }
    }
  }

  private mutating func append(
    _ selectors: [Selector], body: Range<Int>, document: inout XMLDocument, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard rules.count + selectors.count <= maximumRuleCount else {
      throw CodecError(.limitExceeded, "more than \(maximumRuleCount) style rules", format: SVGDecoder.type)
    }
    let start = declarations.count
    let customStart = customProperties.count
    try Self.parseDeclarations(body, of: &document, into: &declarations, &customProperties, budget: &budget)
    try budget.allocate(count: selectors.count, bytesEach: Self.bytesPerRule)
    try budget.allocate(
      (declarations.count - start) * 2 * MemoryLayout<Declaration>.stride
        + (customProperties.count - customStart) * 2 * MemoryLayout<CustomProperty>.stride)
    for selector in selectors {
      rules.append(
        Rule(
          selector: selector, declarations: start..<declarations.count,
          customProperties: customStart..<customProperties.count))
    }
  }

  private struct AtRule {
    var name: String
    var condition: Range<Int>
    /// The block; `nil` for a rule that ends with a semicolon.
    var body: Range<Int>?
  }

  /// The next statement of a style sheet and the position after it.
  private enum Statement {
    case end
    case blockEnd(next: Int)
    case rule(prelude: Range<Int>, body: Range<Int>, next: Int)
    case atRule(AtRule, next: Int)
  }

  private static func statement(_ text: Span<UInt8>, _ range: Range<Int>) -> Statement {
    var scanner = CSSScanner(text, range: range)
    skipSpaceAndCommentMarks(&scanner)
    if scanner.isAtEnd { return .end }
    if scanner.take(UInt8(ascii: "}")) { return .blockEnd(next: scanner.position) }
    let isAtRule = scanner.take(UInt8(ascii: "@"))
    let name = isAtRule ? scanner.identifier() ?? [] : []
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: "{"), isAtRule ? UInt8(ascii: ";") : 0)
    let prelude = start..<scanner.position
    let word = String(decoding: name, as: UTF8.self).lowercased()
    guard scanner.take(UInt8(ascii: "{")) else {
      guard isAtRule else { return .end }
      return .atRule(AtRule(name: word, condition: prelude, body: nil), next: scanner.position + 1)
    }
    let bodyStart = scanner.position
    scanner.skip(to: UInt8(ascii: "}"))
    let body = bodyStart..<scanner.position
    let next = scanner.position + 1
    return isAtRule
      ? .atRule(AtRule(name: word, condition: prelude, body: body), next: next)
      : .rule(prelude: prelude, body: body, next: next)
  }

  /// Returns whether any of some lower-case media queries applies to a static image on a screen. Queries about features
  /// never apply.
  static func holds(mediaQueries: String) -> Bool {
    mediaQueries.split(separator: ",").contains { query in
      let words = query.split(whereSeparator: \.isWhitespace)
      return words == ["screen"] || words == ["all"] || words == ["only", "screen"]
    }
  }

  private static func skipSpaceAndCommentMarks(_ scanner: inout CSSScanner) {
    while true {
      scanner.skipSpace()
      if scanner.peek() == UInt8(ascii: "<"), scanner.peek(1) == UInt8(ascii: "!"), scanner.peek(2) == UInt8(ascii: "-")
      {
        scanner.position = min(scanner.end, scanner.position + 4)
      } else if scanner.peek() == UInt8(ascii: "-"), scanner.peek(1) == UInt8(ascii: "-"),
        scanner.peek(2) == UInt8(ascii: ">")
      {
        scanner.position = min(scanner.end, scanner.position + 3)
      } else if scanner.peek() == UInt8(ascii: ";") {
        scanner.position += 1
      } else {
        return
      }
    }
  }
}

extension StyleSheet {
  /// Parses the declarations of a block or of a `style` attribute. Unknown properties are dropped.
  static func parseDeclarations(
    _ range: Range<Int>, of document: inout XMLDocument, into declarations: inout [Declaration],
    _ customProperties: inout [CustomProperty], budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(count: range.count, unitsEach: workPerByte)
    let start = declarations.count
    let range = try withoutComments(range, of: &document, budget: &budget)
    let text = document.text
    var scanner = CSSScanner(text.span, range: range)
    while !scanner.isAtEnd {
      scanner.skipSpace()
      if scanner.peek() == UInt8(ascii: "-"), scanner.peek(1) == UInt8(ascii: "-") {
        if let property = customProperty(&scanner) { customProperties.append(property) }
      } else if let declaration = declaration(&scanner) {
        declarations.append(declaration)
      }
      scanner.skip(to: UInt8(ascii: ";"))
      scanner.position = min(scanner.end, scanner.position + 1)
    }
    keepLast(of: &declarations, from: start, text.span)
  }

  /// Removes declarations that a later one of the block overrides, so that the number of declarations of a long block
  /// is limited to that of properties.
  private static func keepLast(of declarations: inout [Declaration], from start: Int, _ text: Span<UInt8>) {
    guard declarations.count - start > maximumPlainCount else { return }
    var seen: Set<DeclarationKey> = []
    var kept: [Declaration] = []
    for declaration in declarations[start...].reversed() {
      // An invalid shorthand overrides nothing.
      if declaration.property == .font, !isFont(text.extracting(declaration.value.range)) { continue }
      let key = DeclarationKey(property: declaration.property, isImportant: declaration.isImportant)
      if seen.insert(key).inserted { kept.append(declaration) }
    }
    guard kept.count < declarations.count - start else { return }
    declarations.replaceSubrange(start..., with: kept.reversed())
  }

  /// The maximum number of declarations of a block that is left unchanged.
  private static let maximumPlainCount = 32

  private struct DeclarationKey: Hashable {
    var property: AttributeName
    var isImportant: Bool
  }

  private static func isFont(_ value: Span<UInt8>) -> Bool {
    isKeyword(value, "inherit") || isKeyword(value, "initial") || FontShorthand(parsing: value) != nil
  }

  private static func customProperty(_ scanner: inout CSSScanner) -> CustomProperty? {
    let start = scanner.position
    guard scanner.identifier() != nil else { return nil }
    let name = TextSlice(start..<scanner.position)
    guard let (value, isImportant) = value(&scanner) else { return nil }
    let key = XMLDocument.hash(scanner.bytes.extracting(name.range))
    return CustomProperty(name: name, key: key, value: value, isImportant: isImportant)
  }

  /// Reads a declaration; `nil` if there is none with a known property.
  private static func declaration(_ scanner: inout CSSScanner) -> Declaration? {
    guard let name = scanner.identifier() else { return nil }
    let lowercase = name.map { lowercased($0) }
    guard let property = MarkupNames.attributes[lowercase.span], property.isProperty,
      let (value, isImportant) = value(&scanner)
    else { return nil }
    return Declaration(property: property, value: value, isImportant: isImportant)
  }

  /// Reads the value after the colon, up to the end of the declaration.
  private static func value(_ scanner: inout CSSScanner) -> (TextSlice, isImportant: Bool)? {
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ":")) else { return nil }
    scanner.skipSpace()
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ";"))
    var value = trimmed(start..<scanner.position, of: scanner.bytes)
    let isImportant = removeImportant(from: &value, of: scanner.bytes)
    return (TextSlice(value), isImportant)
  }

  /// Returns a range without leading and trailing white space.
  static func trimmed(_ range: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
    var range = range
    while !range.isEmpty, isSpace(text[range.lowerBound]) { range = range.lowerBound + 1..<range.upperBound }
    while !range.isEmpty, isSpace(text[range.upperBound - 1]) { range = range.lowerBound..<range.upperBound - 1 }
    return range
  }

  private static func removeImportant(from value: inout Range<Int>, of text: Span<UInt8>) -> Bool {
    guard let mark = value.last(where: { text[$0] == UInt8(ascii: "!") }) else { return false }
    let word = trimmed(mark + 1..<value.upperBound, of: text)
    guard isKeyword(text.extracting(word), "important") else { return false }
    value = trimmed(value.lowerBound..<mark, of: text)
    return true
  }

  /// Returns a slice of text without comments. If it contains any, the rest is appended to the text.
  private static func withoutComments(
    _ range: Range<Int>, of document: inout XMLDocument, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    guard let kept = keptBytes(range, of: document.text.span) else { return range }
    return try document.append(kept, budget: &budget)
  }

  /// Returns the bytes of a range outside comments; `nil` if there are no comments.
  private static func keptBytes(_ range: Range<Int>, of text: Span<UInt8>) -> [UInt8]? {
    var hasComment = false
    for index in range where text[index] == UInt8(ascii: "*") && index > range.lowerBound {
      if text[index - 1] == UInt8(ascii: "/") { hasComment = true }
    }
    guard hasComment else { return nil }
    var kept: [UInt8] = []
    var quote: UInt8 = 0
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      let next = index + 1 < range.upperBound ? text[index + 1] : 0
      if quote == 0, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        index += 2
        while index + 1 < range.upperBound, text[index] != UInt8(ascii: "*") || text[index + 1] != UInt8(ascii: "/") {
          index += 1
        }
        index += 2
        kept.append(32)
        continue
      }
      if byte == quote || byte == 10 {
        quote = 0
      } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      kept.append(byte)
      index += 1
    }
    return kept
  }
}
