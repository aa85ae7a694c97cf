// Declarations: from the text of a block or a `style` attribute to typed values (CSS Syntax 3). A declaration that is
// not valid is dropped with a diagnostic, so that it overrides nothing.

internal import ImageCoding
internal import XMLDocuments

/// The declarations of a block.
struct DeclarationBlock: Sendable {
  var declarations: [Declaration] = []
  var customProperties: [CustomProperty] = []
}

/// Parses declarations.
enum DeclarationParser {
  /// The work units for scanning a byte of a style sheet, and for parsing a byte of a value.
  static let workPerByte = 20

  /// Appends the declarations of a range without comments and nested rules.
  static func append(
    _ range: Range<Int>, of document: inout XMLDocument, to block: inout DeclarationBlock,
    cache: inout DeclaredValueCache, offset: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWorkInParts(count: range.count, unitsEach: workPerByte)
    let start = block.declarations.count
    var notes: [String] = []
    let text = document.text
    try appendAll(range, text.span, to: &block, &cache, &notes, &budget)
    for note in notes { document.note(note, at: offset) }
    keepLast(of: &block.declarations, from: start)
  }

  private static func appendAll(
    _ range: Range<Int>, _ text: Span<UInt8>, to block: inout DeclarationBlock, _ cache: inout DeclaredValueCache,
    _ notes: inout [String], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var scanner = CSSScanner(text, range: range)
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return }
      if scanner.peek() == UInt8(ascii: "-"), scanner.peek(1) == UInt8(ascii: "-") {
        if let property = customProperty(&scanner) { block.customProperties.append(property) }
      } else {
        try append(&scanner, to: &block.declarations, &cache, &notes, &budget)
      }
      scanner.skip(to: UInt8(ascii: ";"))
      scanner.position = min(scanner.end, scanner.position + 1)
    }
  }

  private static func customProperty(_ scanner: inout CSSScanner) -> CustomProperty? {
    let start = scanner.position
    guard scanner.identifier() != nil else { return nil }
    let name = TextSlice(start..<scanner.position)
    guard let (value, isImportant) = value(&scanner) else { return nil }
    let key = XMLDocument.hash(scanner.bytes.extracting(name.range))
    return CustomProperty(name: name, key: key, value: value, isImportant: isImportant)
  }

  private static func append(
    _ scanner: inout CSSScanner, to declarations: inout [Declaration], _ cache: inout DeclaredValueCache,
    _ notes: inout [String], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let property = property(&scanner, &notes) else { return }
    guard let (slice, isImportant) = value(&scanner) else {
      notes.append("a declaration of \(property.row.name) without a value is ignored")
      return
    }
    func add(_ property: Property, _ value: DeclaredValue) {
      declarations.append(
        Declaration(property: property, value: value, isImportant: isImportant, byteCount: slice.count))
    }
    let row = property.row
    let bytes = scanner.bytes.extracting(slice.range)
    if row.longhands.isEmpty,
      let value = try cache.value(of: property, slice, in: scanner.bytes, budget: &budget)
    {
      add(property, value)
    } else if !row.longhands.isEmpty,
      let longhands = try cache.longhands(of: property, slice, in: scanner.bytes, budget: &budget)
    {
      for longhand in longhands { add(longhand.property, longhand.value) }
    } else {
      notes.append("the value \(abbreviated(bytes)) of \(row.name) is not valid")
      return
    }
    if let note = limitation(of: row, bytes) { notes.append(note) }
  }

  /// Returns the diagnostic for a valid value that is not drawn as specified.
  static func limitation(of row: PropertyRow, _ bytes: Span<UInt8>) -> String? {
    if let limitation = row.limitation { return limitation(bytes) }
    guard bytes.count > 5, lowercased(bytes[0]) == UInt8(ascii: "u"), bytes[3] == UInt8(ascii: "(") else { return nil }
    var scanner = TextScanner(bytes)
    return parseReference(&scanner) == .external ? "links to another document are not followed" : nil
  }

  /// Reads the name of a property; `nil` if it is not known.
  private static func property(_ scanner: inout CSSScanner, _ notes: inout [String]) -> Property? {
    let start = scanner.position
    // Nearly all names are in lower case, without escapes.
    while UInt8(ascii: "a")...UInt8(ascii: "z") ~= scanner.peek() || scanner.peek() == UInt8(ascii: "-") {
      scanner.position += 1
    }
    let next = scanner.peek()
    if next == UInt8(ascii: ":") || isSpace(next),
      let property = PropertyTable.property(named: scanner.bytes.extracting(start..<scanner.position))
    {
      return property
    }
    scanner.position = start
    guard let name = scanner.identifier() else {
      if scanner.peek() != UInt8(ascii: ";") { notes.append("a declaration without a property is ignored") }
      return nil
    }
    let lowercase = name.map { lowercased($0) }
    let property = PropertyTable.property(named: lowercase.span)
    // Properties of particular programs start with a hyphen.
    if property == nil, lowercase.first != UInt8(ascii: "-") {
      notes.append("the property \(abbreviated(lowercase.span)) is not known")
    }
    return property
  }

  /// Returns what a shorthand declares; `nil` if its value is not valid.
  static func longhands(of property: Property, _ bytes: Span<UInt8>, _ slice: TextSlice) -> [Longhand]? {
    let row = property.row
    if let common = keyword(bytes) ?? (CustomProperties.hasCall(bytes) ? .text(slice, of: property) : nil) {
      return row.longhands.compactMap { name in PropertyTable.property(named: name).map { ($0, common) } }
    }
    return row.expand?(bytes)?.compactMap { name, value in PropertyTable.property(named: name).map { ($0, value) } }
  }

  /// Returns the value of a longhand; `nil` if it is not valid.
  static func longhandValue(_ property: Property, _ bytes: Span<UInt8>, _ slice: TextSlice) -> DeclaredValue? {
    guard bytes.count > 0 else { return nil }
    if let common = keyword(bytes) { return common }
    if CustomProperties.hasCall(bytes) { return .text(slice, of: property) }
    return property.row.parse(bytes).map { .value($0) }
  }

  /// Returns the value of a property after the substitution of var(); `nil` if it is not valid.
  static func value(of property: Property, declaredAs declared: Property, _ bytes: Span<UInt8>) -> DeclaredValue? {
    if let common = keyword(bytes) { return common }
    if property == declared { return property.row.parse(bytes).map { .value($0) } }
    return declared.row.expand?(bytes)?.first { $0.name == property.row.name }?.value
  }

  /// Returns the value of a keyword that every property has.
  private static func keyword(_ bytes: Span<UInt8>) -> DeclaredValue? {
    guard 5...12 ~= bytes.count else { return nil }
    switch lowercased(bytes[0]) {
    case UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "r"): break
    default: return nil
    }
    if isKeyword(bytes, "inherit") { return .inherit }
    if isKeyword(bytes, "initial") { return .initial }
    if isKeyword(bytes, "unset") || isKeyword(bytes, "revert") { return .unset }
    return isKeyword(bytes, "revert-layer") ? .revertLayer : nil
  }

  /// Reads the value after the colon, up to the end of the declaration.
  private static func value(_ scanner: inout CSSScanner) -> (TextSlice, isImportant: Bool)? {
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ":")) else { return nil }
    scanner.skipSpace()
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ";"))
    var value = StyleSheet.trimmed(start..<scanner.position, of: scanner.bytes)
    let isImportant = removeImportant(from: &value, of: scanner.bytes)
    return (TextSlice(value), isImportant)
  }

  private static func removeImportant(from value: inout Range<Int>, of text: Span<UInt8>) -> Bool {
    guard let mark = value.last(where: { text[$0] == UInt8(ascii: "!") }) else { return false }
    let word = StyleSheet.trimmed(mark + 1..<value.upperBound, of: text)
    guard isKeyword(text.extracting(word), "important") else { return false }
    value = StyleSheet.trimmed(value.lowerBound..<mark, of: text)
    return true
  }

  private static func abbreviated(_ bytes: Span<UInt8>) -> String {
    String(decoding: (0..<min(bytes.count, 48)).map { bytes[$0] }, as: UTF8.self)
  }

  /// Removes declarations that a later one of the block overrides, so that the number of declarations of a long block
  /// is limited to that of properties.
  private static func keepLast(of declarations: inout [Declaration], from start: Int) {
    guard declarations.count - start > maximumPlainCount else { return }
    var seen: Set<DeclarationKey> = []
    var kept: [Declaration] = []
    for declaration in declarations[start...].reversed() {
      let key = DeclarationKey(property: declaration.property, isImportant: declaration.isImportant)
      if seen.insert(key).inserted { kept.append(declaration) }
    }
    guard kept.count < declarations.count - start else { return }
    declarations.replaceSubrange(start..., with: kept.reversed())
  }

  /// The maximum number of declarations of a block that is left unchanged.
  private static let maximumPlainCount = 32

  private struct DeclarationKey: Hashable {
    var property: Property
    var isImportant: Bool
  }
}
