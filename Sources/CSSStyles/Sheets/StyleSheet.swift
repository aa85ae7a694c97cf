// Style sheets: from the text of `style` elements to selectors with declarations (CSS Syntax 3, CSS Nesting 1). One
// loop reads the blocks of rules and at-rules, which are kept on a stack. Unsupported rules are skipped with a
// diagnostic.

internal import ImageCoding
internal import XMLDocuments

/// The rules of all style sheets of a document, in order.
package struct StyleSheet: Sendable {
  struct Rule: Sendable {
    var selector: Selector
    var layer: Int
    var declarations: Range<Int>
    var customProperties: Range<Int>
  }

  private(set) var rules: [Rule] = []
  /// The faces that @font-face rules define.
  package private(set) var fontFaces: [FontFaceRule] = []
  /// The palettes that @font-palette-values rules define.
  package private(set) var palettes: [FontPaletteRule] = []
  private(set) var block = DeclarationBlock()
  private var cache = DeclaredValueCache()
  /// The selectors of style rules, to which nesting selectors refer.
  private(set) var selectorLists: [[Selector]] = []
  private var layers = CascadeLayers()
  /// The precedence of each layer, after the last sheet.
  private(set) var layerOrdinals: [Int32] = []
  private let maximumRuleCount: Int
  private let environment: MediaEnvironment

  /// The maximum number of @font-face rules, and of @font-palette-values rules; further ones have no effect.
  private static let maximumFontFaceCount = 256
  /// The maximum nesting depth of rules and at-rules.
  private static let maximumBlockDepth = 12
  /// The work units for scanning a byte of a style sheet.
  private static let workPerByte = 10
  /// The maximum number of bytes of a parsed selector per byte of its text.
  private static let bytesPerSelectorByte = 64
  /// The number of bytes of a rule, in the style sheet and in its index.
  private static let bytesPerRule = 400
  /// The maximum number of bytes of the colours of a palette per byte of their text.
  private static let bytesPerPaletteByte = 32

  /// A block that is being read.
  private struct Block {
    /// The position of the closing brace.
    var end: Int
    /// The list of the enclosing style rule's selectors; −1 outside style rules.
    var list: Int
    var layer: Int
  }

  /// A style sheet whose rules are being read, after those that it imports.
  private struct Sheet {
    var position: Int
    var blocks: [Block]
    var mayImport: Bool
    /// The position in the document, for diagnostics.
    var offset: Int
  }

  init(maximumRuleCount: Int, environment: MediaEnvironment) {
    self.maximumRuleCount = maximumRuleCount
    self.environment = environment
  }

  /// Adds the rules of a style sheet, a slice of the document's text, after those that it imports.
  ///
  /// - Parameter offset: the position in the document, for diagnostics.
  mutating func append(
    _ range: Range<Int>, of document: inout XMLDocument, imports: inout StyleImports, offset: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    var open = [try sheet(range, layer: CascadeLayers.none, of: &document, offset: offset, budget: &budget)]
    while var sheet = open.popLast() {
      while let block = sheet.blocks.last {
        let statement = Self.statement(
          document.text.span, min(sheet.position, block.end)..<block.end, isInRule: block.list >= 0)
        switch statement {
        case .end:
          sheet.blocks.removeLast()
          sheet.position = block.end + 1
        case .skipped(let next): sheet.position = next
        case .declarations(let run, let next):
          sheet.position = next
          try appendDeclarations(run, block, of: &document, offset: sheet.offset, budget: &budget)
        case .rule(let prelude, let body, let next):
          sheet.position = next
          sheet.mayImport = false
          guard let list = try selectors(prelude, in: block, of: &document, offset: sheet.offset, budget: &budget),
            try enter(body, Block(end: body.upperBound, list: list, layer: block.layer), &sheet, &document, &budget)
          else { continue }
        case .atRule(let rule, let next):
          sheet.position = next
          guard let body = rule.body else {
            if rule.name == "layer" {
              declareLayers(rule.condition, in: block.layer, document)
            } else if rule.name == "import" {
              guard sheet.mayImport, open.count < StyleImports.maximumDepth,
                let imported = imports.sheet(
                  named: document.text.span.extracting(rule.condition), environment: environment)
              else {
                document.note("@import is not followed", at: sheet.offset)
                continue
              }
              let range = try document.append(imported.text, budget: &budget)
              let layer = imported.layer.map { layers.layer($0, in: block.layer) } ?? block.layer
              open.append(sheet)
              sheet = try self.sheet(range, layer: layer, of: &document, offset: sheet.offset, budget: &budget)
            } else if rule.name != "charset", rule.name != "namespace" {
              document.note("@\(rule.name.prefix(32)) has no effect", at: sheet.offset)
            }
            continue
          }
          sheet.mayImport = false
          if rule.name == "font-face" {
            try budget.chargeWork(count: body.count, unitsEach: Self.workPerByte)
            appendFontFace(body, of: &document, offset: sheet.offset)
            continue
          }
          if rule.name == "font-palette-values" {
            try budget.chargeWork(count: body.count, unitsEach: Self.workPerByte)
            try budget.allocate(count: body.count, bytesEach: Self.bytesPerPaletteByte)
            appendPalette(named: rule.condition, body, of: &document, offset: sheet.offset)
            continue
          }
          guard let inner = inner(of: rule, body, block, &document, offset: sheet.offset) else { continue }
          _ = try enter(body, inner, &sheet, &document, &budget)
        }
      }
    }
  }

  /// Ends the last style sheet.
  mutating func finish() {
    layerOrdinals = layers.ordinals()
  }

  /// Returns the precedence of a rule's layer. Rules outside layers have the highest one.
  func ordinal(of rule: Int) -> Int32 {
    let layer = rules[rule].layer
    return layer < 0 ? Int32.max : layerOrdinals[layer]
  }

  private func sheet(
    _ range: Range<Int>, layer: Int, of document: inout XMLDocument, offset: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> Sheet {
    try budget.chargeWorkInParts(count: range.count, unitsEach: Self.workPerByte)
    let range = try Self.withoutComments(range, of: &document, budget: &budget)
    return Sheet(
      position: range.lowerBound, blocks: [Block(end: range.upperBound, list: -1, layer: layer)], mayImport: true,
      offset: offset)
  }

  /// Opens a block, whose bytes are then scanned again.
  private func enter(
    _ body: Range<Int>, _ block: Block, _ sheet: inout Sheet, _ document: inout XMLDocument,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard sheet.blocks.count <= Self.maximumBlockDepth else {
      document.note("rules are nested too deeply", at: sheet.offset)
      return false
    }
    try budget.chargeWorkInParts(count: body.count, unitsEach: Self.workPerByte)
    sheet.blocks.append(block)
    sheet.position = body.lowerBound
    return true
  }

  // MARK: Rules

  /// Stores the selectors of a rule and returns their list; `nil` if they are not valid.
  private mutating func selectors(
    _ prelude: Range<Int>, in block: Block, of document: inout XMLDocument, offset: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    try budget.allocate(count: prelude.count, bytesEach: Self.bytesPerSelectorByte)
    let nesting =
      block.list >= 0
      ? SelectorParser.Nesting(
        list: block.list, specificity: selectorLists[block.list].map(\.specificity).max() ?? 0) : nil
    var parser = SelectorParser(nesting: nesting, names: document.names)
    guard let list = parser.list(document.text.span, range: prelude) else {
      let text = String(decoding: document.text[prelude.prefix(48)], as: UTF8.self)
      document.note(
        parser.unsupported.map { "rules with the selector \($0.prefix(48)) have no effect" }
          ?? "a rule with the selector \(text) is not valid", at: offset)
      return nil
    }
    guard rules.count + list.count <= maximumRuleCount, selectorLists.count < maximumRuleCount else {
      throw CodecError(.limitExceeded, "more than \(maximumRuleCount) style rules", format: .svgDocument)
    }
    selectorLists.append(list)
    return selectorLists.count - 1
  }

  /// Adds a run of declarations as rules for the selectors of the innermost style rule.
  private mutating func appendDeclarations(
    _ run: Range<Int>, _ owner: Block, of document: inout XMLDocument, offset: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let (start, customStart) = (block.declarations.count, block.customProperties.count)
    try DeclarationParser.append(run, of: &document, to: &block, cache: &cache, offset: offset, budget: &budget)
    let declarations = start..<block.declarations.count
    let custom = customStart..<block.customProperties.count
    guard !declarations.isEmpty || !custom.isEmpty, owner.list >= 0 else { return }
    let list = selectorLists[owner.list]
    guard rules.count + list.count <= maximumRuleCount else {
      throw CodecError(.limitExceeded, "more than \(maximumRuleCount) style rules", format: .svgDocument)
    }
    try budget.allocate(count: list.count, bytesEach: Self.bytesPerRule)
    try budget.allocate(
      declarations.count * 4 * MemoryLayout<Declaration>.stride
        + custom.count * 2 * MemoryLayout<CustomProperty>.stride)
    for selector in list {
      rules.append(Rule(selector: selector, layer: owner.layer, declarations: declarations, customProperties: custom))
    }
  }

  // MARK: At-rules

  /// Returns the block of an at-rule whose rules apply; `nil` if they do not.
  private mutating func inner(
    of rule: AtRule, _ body: Range<Int>, _ block: Block, _ document: inout XMLDocument, offset: Int
  ) -> Block? {
    var inner = block
    inner.end = body.upperBound
    switch rule.name {
    case "media", "supports":
      var parser = ConditionParser(environment)
      let holds =
        rule.name == "media"
        ? parser.holds(mediaQueries: document.text.span.extracting(rule.condition))
        : parser.holds(supports: document.text.span.extracting(rule.condition))
      if let unknown = parser.unknown { document.note("the media feature \(unknown) is not known", at: offset) }
      return holds ? inner : nil
    case "layer":
      let name = StyleSheet.trimmed(rule.condition, of: document.text.span)
      inner.layer = layers.layer(Array(document.text[name]), in: block.layer)
      return inner
    default:
      document.note("@\(rule.name.prefix(32)) has no effect", at: offset)
      return nil
    }
  }

  /// Adds the face of a rule.
  private mutating func appendFontFace(_ body: Range<Int>, of document: inout XMLDocument, offset: Int) {
    guard fontFaces.count < Self.maximumFontFaceCount else {
      document.note("more than \(Self.maximumFontFaceCount) @font-face rules have no effect", at: offset)
      return
    }
    let rule = FontFaceParser(body, of: document.text.span, byteOffset: offset).rule
    guard !rule.family.isEmpty, !rule.sources.isEmpty else {
      document.note("an @font-face rule without a family or a supported source has no effect", at: offset)
      return
    }
    fontFaces.append(rule)
  }

  /// Adds the palette of a rule.
  private mutating func appendPalette(
    named name: Range<Int>, _ body: Range<Int>, of document: inout XMLDocument, offset: Int
  ) {
    guard palettes.count < Self.maximumFontFaceCount else {
      document.note("more than \(Self.maximumFontFaceCount) @font-palette-values rules have no effect", at: offset)
      return
    }
    guard let rule = FontPaletteRule(named: name, body, of: document.text.span), !rule.families.isEmpty else {
      document.note("an @font-palette-values rule without a name or a family has no effect", at: offset)
      return
    }
    palettes.append(rule)
  }

  /// Adds the layers of a statement, which determines their order.
  private mutating func declareLayers(_ names: Range<Int>, in parent: Int, _ document: XMLDocument) {
    for name in document.text[names].split(separator: UInt8(ascii: ",")) {
      let trimmed = name.filter { !isSpace($0) }
      if !trimmed.isEmpty { _ = layers.layer(Array(trimmed), in: parent) }
    }
  }
}

// MARK: Syntax

extension StyleSheet {
  private struct AtRule {
    var name: String
    var condition: Range<Int>
    /// The block; `nil` for a rule that ends with a semicolon.
    var body: Range<Int>?
  }

  /// The next statement of a block and the position after it.
  private enum Statement {
    case end
    case skipped(next: Int)
    case declarations(Range<Int>, next: Int)
    case rule(prelude: Range<Int>, body: Range<Int>, next: Int)
    case atRule(AtRule, next: Int)
  }

  private static func statement(_ text: Span<UInt8>, _ range: Range<Int>, isInRule: Bool) -> Statement {
    guard range.lowerBound < range.upperBound else { return .end }
    var scanner = CSSScanner(text, range: range)
    skipSpaceAndCommentMarks(&scanner)
    if scanner.isAtEnd { return .end }
    if scanner.take(UInt8(ascii: "}")) { return .skipped(next: scanner.position) }
    let isAtRule = scanner.peek() == UInt8(ascii: "@")
    if isInRule, !isAtRule, let run = declarations(&scanner) { return .declarations(run, next: scanner.position) }
    if isAtRule { scanner.position += 1 }
    let name = isAtRule ? scanner.identifier() ?? [] : []
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: "{"), isAtRule ? UInt8(ascii: ";") : 0)
    let prelude = start..<scanner.position
    let word = String(decoding: name, as: UTF8.self).lowercased()
    guard scanner.take(UInt8(ascii: "{")) else {
      guard isAtRule else { return .end }
      return .atRule(
        AtRule(name: word, condition: prelude, body: nil), next: min(range.upperBound, scanner.position + 1))
    }
    let bodyStart = scanner.position
    scanner.skip(to: UInt8(ascii: "}"))
    let body = bodyStart..<scanner.position
    let next = min(range.upperBound, scanner.position + 1)
    return isAtRule
      ? .atRule(AtRule(name: word, condition: prelude, body: body), next: next)
      : .rule(prelude: prelude, body: body, next: next)
  }

  /// Moves over the declarations before the next nested rule; `nil` if there are none.
  private static func declarations(_ scanner: inout CSSScanner) -> Range<Int>? {
    let start = scanner.position
    var end = start
    while !scanner.isAtEnd, scanner.peek() != UInt8(ascii: "@") {
      let isCustom = scanner.peek() == UInt8(ascii: "-") && scanner.peek(1) == UInt8(ascii: "-")
      scanner.skip(to: UInt8(ascii: ";"), isCustom ? 0 : UInt8(ascii: "{"))
      // The braces of a nested rule end the declarations.
      if scanner.peek() == UInt8(ascii: "{"), !scanner.isAtEnd { break }
      scanner.position = min(scanner.end, scanner.position + 1)
      end = scanner.position
      scanner.skipSpace()
    }
    scanner.position = end
    return end > start ? start..<end : nil
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

  /// Returns a range without leading and trailing white space.
  package static func trimmed(_ range: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(text[start]) { start &+= 1 }
    while start < end, isSpace(text[end &- 1]) { end &-= 1 }
    return start..<end
  }

  /// Returns a slice of text without comments. If it contains any, the rest is appended to the text.
  static func withoutComments(
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
      if quote == 0, byte == UInt8(ascii: "("), startsURL(text, after: index, range) {
        // There are no comments in a URL without quotes.
        while index < range.upperBound, text[index] != UInt8(ascii: ")") {
          kept.append(text[index])
          index += 1
        }
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
