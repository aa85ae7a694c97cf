// Custom properties and var() (CSS Custom Properties 1): values declared as `--name` are inherited and substituted for
// var() in other values. Elements referenced by `use` inherit from their ancestors in the document.
//
// Elements that declare the same properties under the same ancestor share a scope, and a value is substituted once per
// scope.

internal import ImageCore

/// A custom property with its value.
struct CustomProperty: Sendable {
  /// The name, including the two hyphens.
  var name: TextSlice
  /// A hash of the name.
  var key: UInt64
  var value: TextSlice
  var isImportant: Bool
}

/// The custom properties of all elements.
struct CustomProperties: Sendable {
  /// An index into ``scopes``; −1 if no property is declared.
  private typealias ScopeIndex = Int32

  /// The properties that an element declares, and the scope from which it inherits.
  private struct Scope {
    var parent: ScopeIndex
    /// The matching rules in ascending order of precedence.
    var rules: [Int]
    /// The properties of the `style` attribute.
    var own: [CustomProperty]
  }

  private struct ScopeKey: Hashable {
    var parent: ScopeIndex
    var rules: [Int]
  }

  private struct ValueKey: Hashable {
    /// The bytes of a short value, which many elements may repeat.
    var bytes: [UInt8]
    /// The location of a longer value, which only the elements that a rule selects share.
    var place: TextSlice
    var scope: ScopeIndex

    private static let maximumShortByteCount: Int32 = 64

    init(_ value: TextSlice, of document: XMLDocument, scope: ScopeIndex) {
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

  /// The number of bytes that may still be substituted.
  private var remainingByteCount: Int
  private let maximumByteCount: Int
  private var scopes: [Scope] = []
  /// The scope of each element visited.
  private var scopeOfNode: [XMLDocument.NodeIndex: ScopeIndex] = [:]
  private var shared: [ScopeKey: ScopeIndex] = [:]
  private var replaced: [ValueKey: TextSlice] = [:]

  init(maximumByteCount: Int) {
    self.maximumByteCount = maximumByteCount
    remainingByteCount = maximumByteCount
  }

  /// Assigns the properties of its parent to an element.
  mutating func inherit(_ node: XMLDocument.NodeIndex, from parent: XMLDocument.NodeIndex) {
    guard !scopes.isEmpty, let scope = scopeOfNode[parent] else { return }
    scopeOfNode[node] = scope
  }

  /// Sets the properties that an element itself declares.
  ///
  /// - Parameters:
  ///   - own: the properties of its `style` attribute.
  ///   - rules: the rules that select it, in ascending order of precedence.
  mutating func set(
    _ own: [CustomProperty], _ rules: [Int], of sheet: StyleSheet, for node: XMLDocument.NodeIndex,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    if own.isEmpty, rules.isEmpty || sheet.customProperties.isEmpty { return }
    let rules = rules.filter { !sheet.rules[$0].customProperties.isEmpty }
    guard !own.isEmpty || !rules.isEmpty else { return }
    let key = ScopeKey(parent: scopeOfNode[node] ?? -1, rules: rules)
    if own.isEmpty, let known = shared[key] {
      scopeOfNode[node] = known
      return
    }
    try budget.allocate(
      2 * (MemoryLayout<Scope>.stride + rules.count * MemoryLayout<Int>.stride)
        + own.count * MemoryLayout<CustomProperty>.stride)
    let scope = ScopeIndex(scopes.count)
    scopes.append(Scope(parent: key.parent, rules: rules, own: own))
    scopeOfNode[node] = scope
    if own.isEmpty { shared[key] = scope }
  }

  // MARK: Replacing

  /// Returns a declared value with every var() substituted; empty if that fails, which makes the declaration invalid.
  ///
  /// - Throws: `limitExceeded` if the total size of substitutions exceeds the limit.
  mutating func substitute(
    _ value: TextSlice, for node: XMLDocument.NodeIndex, of sheet: StyleSheet, in document: inout XMLDocument,
    budget: inout ResourceBudget
  ) throws(CodecError) -> TextSlice {
    let scope = scopeOfNode[node] ?? -1
    let key = ValueKey(value, of: document, scope: scope)
    if let known = replaced[key] { return known }
    let bytes = try substitute(
      Array(document.text[value.range]), in: scope, of: sheet, document, depth: 0, budget: &budget)
    remainingByteCount -= bytes?.count ?? 0
    let range = try document.append(bytes ?? [], budget: &budget)
    let result = TextSlice(StyleSheet.trimmed(range, of: document.text.span))
    replaced[key] = result
    return result
  }

  private mutating func substitute(
    _ value: [UInt8], in scope: ScopeIndex, of sheet: StyleSheet, _ document: XMLDocument, depth: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    var result: [UInt8] = []
    var position = 0
    while let call = Self.call(in: value, from: position) {
      try budget.chargeWork(Self.workPerCall + 4 * (call.range.upperBound - position))
      guard depth < Self.maximumDepth, let name = call.name else { return nil }
      result += value[position..<call.range.lowerBound]
      let replacement: [UInt8]?
      if let (found, owner) = try lookUp(name, from: scope, of: sheet, document, &budget) {
        replacement = try substitute(
          Array(document.text[found.range]), in: owner, of: sheet, document, depth: depth + 1, budget: &budget)
      } else if let fallback = call.fallback {
        replacement = try substitute(
          Array(value[fallback]), in: scope, of: sheet, document, depth: depth + 1, budget: &budget)
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
        .limitExceeded, "var() expands to more than \(maximumByteCount) bytes", format: SVGDecoder.type)
    }
  }

  /// Returns the value that applies in a scope, and the scope that declares it.
  private func lookUp(
    _ name: [UInt8], from scope: ScopeIndex, of sheet: StyleSheet, _ document: XMLDocument,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> (TextSlice, ScopeIndex)? {
    let key = XMLDocument.hash(name.span)
    var current = scope
    while current >= 0 {
      let level = scopes[Int(current)]
      // Important values take precedence over later ones that are not important.
      for isImportant in [true, false] {
        let found = try Self.last(level.own[...], key, name, isImportant, document, &budget)
        if let found { return (found, current) }
        for rule in level.rules.reversed() {
          let properties = sheet.customProperties[sheet.rules[rule].customProperties]
          if let found = try Self.last(properties, key, name, isImportant, document, &budget) {
            return (found, current)
          }
        }
      }
      current = level.parent
    }
    return nil
  }

  /// Returns the value of the last property with a name.
  private static func last(
    _ properties: ArraySlice<CustomProperty>, _ key: UInt64, _ name: [UInt8], _ isImportant: Bool,
    _ document: XMLDocument, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TextSlice? {
    try budget.chargeWork(count: properties.count + 1, unitsEach: workPerStep)
    let found = properties.last { property in
      property.key == key && property.isImportant == isImportant
        && document.text[property.name.range].elementsEqual(name)
    }
    return found?.value
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
