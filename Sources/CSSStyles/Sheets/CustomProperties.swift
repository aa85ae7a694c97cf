// Custom properties and var() (CSS Custom Properties 1): values declared as `--name` are inherited and substituted for
// var() in other values. Elements referenced by `use` inherit from the `use` element.
//
// Elements that declare the same properties under the same ancestor share a scope, and a value is substituted and parsed
// once per scope.

package import ImageCoding
package import XMLDocuments

/// A custom property with its value.
struct CustomProperty: Sendable {
  /// The name, including the two hyphens.
  var name: TextSlice
  /// A hash of the name.
  var key: UInt64
  var value: TextSlice
  var isImportant: Bool
}

/// The custom properties that elements declare.
package struct CustomDeclarations: Sendable {
  /// The matching rules with custom properties, in ascending order of precedence.
  var rules: [Int] = []
  /// The properties of the `style` attribute.
  var own: [CustomProperty] = []
}

/// The custom properties of the elements whose styles are computed.
package struct CustomProperties: Sendable {
  /// An index into ``scopes``; −1 if no property is declared.
  package typealias ScopeIndex = Int32

  /// The properties that an element declares, and the scope from which it inherits.
  private struct Scope {
    var parent: ScopeIndex
    /// An index of ``StyledDocument/customDeclarations``.
    var declarations: Int32
  }

  private struct ScopeKey: Hashable {
    var parent: ScopeIndex
    var declarations: Int32
  }

  private struct ValueKey: Hashable {
    var property: Property
    /// The bytes of a short value, which many elements may repeat.
    var bytes: [UInt8]
    /// The location of a longer value, which only the elements that a rule selects share.
    var place: TextSlice
    var scope: ScopeIndex

    private static let maximumShortByteCount: Int32 = 64

    init(_ property: Property, _ value: TextSlice, of document: XMLDocument, scope: ScopeIndex) {
      self.property = property
      let isShort = value.count <= Self.maximumShortByteCount
      bytes = isShort ? Array(document.text[value.range]) : []
      place = isShort ? .empty : value
      self.scope = scope
    }
  }

  /// The maximum depth of references between values, which also ends cycles.
  private static let maximumDepth = 10
  private static let workPerStep = 4
  private static let workPerCall = 200
  /// The number of bytes of a value in the table of substituted ones.
  private static let bytesPerValue = 256

  /// The number of bytes that may still be substituted.
  private var remainingByteCount: Int
  private let maximumByteCount: Int
  private var scopes: [Scope] = []
  private var shared: [ScopeKey: ScopeIndex] = [:]
  private var replaced: [ValueKey: DeclaredValue] = [:]

  package init(maximumByteCount: Int) {
    self.maximumByteCount = maximumByteCount
    remainingByteCount = maximumByteCount
  }

  /// Returns the scope of an element that inherits from another scope.
  package mutating func scope(
    of node: XMLDocument.NodeIndex, in document: StyledDocument, parent: ScopeIndex, budget: inout ResourceBudget
  ) throws(CodecError) -> ScopeIndex {
    let declarations = document.customDeclarationIndex(of: node)
    guard declarations >= 0 else { return parent }
    let key = ScopeKey(parent: parent, declarations: declarations)
    if let known = shared[key] { return known }
    try budget.allocate(4 * MemoryLayout<Scope>.stride)
    let scope = ScopeIndex(scopes.count)
    scopes.append(Scope(parent: parent, declarations: declarations))
    shared[key] = scope
    return scope
  }

  // MARK: Replacing

  /// Returns a declared value with every var() substituted; `unset` if that fails or the result is not valid.
  ///
  /// - Throws: `limitExceeded` if the total size of substitutions exceeds the limit.
  package mutating func substitute(
    _ value: TextSlice, of property: Property, declaredAs declared: Property, in scope: ScopeIndex,
    of document: StyledDocument, budget: inout ResourceBudget
  ) throws(CodecError) -> DeclaredValue {
    try budget.chargeWork(Int(value.count))
    let key = ValueKey(property, value, of: document.xml, scope: scope)
    if let known = replaced[key] { return known }
    let bytes = try substitute(
      Array(document.xml.text[value.range]), in: scope, of: document, depth: 0, budget: &budget)
    var result = DeclaredValue.unset
    if let bytes {
      remainingByteCount -= bytes.count
      try budget.chargeWork(count: bytes.count, unitsEach: DeclarationParser.workPerByte)
      let span = bytes.span
      let trimmed = StyleSheet.trimmed(0..<bytes.count, of: span)
      result = DeclarationParser.value(of: property, declaredAs: declared, span.extracting(trimmed)) ?? .unset
    }
    try budget.allocate(Self.bytesPerValue + Int(bytes?.count ?? 0))
    replaced[key] = result
    return result
  }

  private mutating func substitute(
    _ value: [UInt8], in scope: ScopeIndex, of document: StyledDocument, depth: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    var result: [UInt8] = []
    var position = 0
    while let call = Self.call(in: value, from: position) {
      try budget.chargeWork(Self.workPerCall + 4 * (call.range.upperBound - position))
      guard depth < Self.maximumDepth, let name = call.name else { return nil }
      result += value[position..<call.range.lowerBound]
      let replacement: [UInt8]?
      if let (found, owner) = try lookUp(name, from: scope, of: document, &budget) {
        replacement = try substitute(
          Array(document.xml.text[found.range]), in: owner, of: document, depth: depth + 1, budget: &budget)
      } else if let fallback = call.fallback {
        replacement = try substitute(
          Array(value[fallback]), in: scope, of: document, depth: depth + 1, budget: &budget)
      } else {
        replacement = nil
      }
      guard let replacement else { return nil }
      result += replacement
      try check(result.count)
      try budget.chargeWork(replacement.count)
      position = call.range.upperBound
    }
    result += value[position...]
    try check(result.count)
    return result
  }

  private func check(_ byteCount: Int) throws(CodecError) {
    guard byteCount <= remainingByteCount else {
      throw CodecError(
        .limitExceeded, "var() expands to more than \(maximumByteCount) bytes", format: .svgDocument)
    }
  }

  /// Returns the value that applies in a scope, and the scope that declares it; `nil` if there is none or it is
  /// `initial`.
  private func lookUp(
    _ name: [UInt8], from scope: ScopeIndex, of document: StyledDocument, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (TextSlice, ScopeIndex)? {
    let key = XMLDocument.hash(name.span)
    var current = scope
    while current >= 0 {
      let level = scopes[Int(current)]
      if let found = try value(key, name, of: document.customDeclarations[Int(level.declarations)], document, &budget) {
        let bytes = document.xml.text.span.extracting(found.range)
        if isKeyword(bytes, "initial") { return nil }
        if !isKeyword(bytes, "inherit"), !isKeyword(bytes, "unset") { return (found, current) }
      }
      current = level.parent
    }
    return nil
  }

  private func value(
    _ key: UInt64, _ name: [UInt8], of declarations: CustomDeclarations, _ document: StyledDocument,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> TextSlice? {
    // Important values take precedence over later ones that are not important.
    for isImportant in [true, false] {
      let found = try Self.last(declarations.own[...], key, name, isImportant, document.xml, &budget)
      if let found { return found }
      for rule in declarations.rules.reversed() {
        let properties = document.sheet.block.customProperties[document.sheet.rules[rule].customProperties]
        if let found = try Self.last(properties, key, name, isImportant, document.xml, &budget) { return found }
      }
    }
    return nil
  }

  /// Returns the value of the last property with a name.
  private static func last(
    _ properties: ArraySlice<CustomProperty>, _ key: UInt64, _ name: [UInt8], _ isImportant: Bool,
    _ document: XMLDocument, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TextSlice? {
    try budget.chargeWork(count: properties.count + 1, unitsEach: workPerStep)
    for property in properties.reversed() where property.key == key && property.isImportant == isImportant {
      guard Int(property.name.count) == name.count else { continue }
      try budget.chargeWork(name.count)
      if document.text[property.name.range].elementsEqual(name) { return property.value }
    }
    return nil
  }

  // MARK: Calls

  private struct Call {
    /// The range from `var` to the end of the closing parenthesis.
    var range: Range<Int>
    /// The name; `nil` if the call is malformed.
    var name: [UInt8]?
    var fallback: Range<Int>?
  }

  /// Returns whether a value contains var().
  static func hasCall(_ value: Span<UInt8>) -> Bool { startOfCall(in: value, from: 0) != nil }

  private static func startOfCall(in value: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 4 < value.count {
      if value[index] | 0x20 == UInt8(ascii: "v"), value[index + 1] | 0x20 == UInt8(ascii: "a"),
        value[index + 2] | 0x20 == UInt8(ascii: "r"), value[index + 3] == UInt8(ascii: "(")
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func call(in value: [UInt8], from position: Int) -> Call? {
    let bytes = value.span
    guard let start = startOfCall(in: bytes, from: position) else { return nil }
    var scanner = CSSScanner(bytes, range: start + 4..<bytes.count)
    scanner.skipSpace()
    let name = scanner.identifier()
    scanner.skipSpace()
    var fallback: Range<Int>?
    if scanner.take(UInt8(ascii: ",")) {
      let start = scanner.position
      scanner.skip(to: UInt8(ascii: ")"))
      fallback = start..<scanner.position
    }
    // The end of the value closes open parentheses.
    let isClosed = scanner.take(UInt8(ascii: ")")) || scanner.isAtEnd
    let isName = isClosed && name?.starts(with: "--".utf8) == true
    return Call(range: start..<scanner.position, name: isName ? name : nil, fallback: fallback)
  }
}
