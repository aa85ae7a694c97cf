// Custom properties and var() (CSS Custom Properties 1): the values that elements declare by `--name`, inherited, put in
// the place of each var() of other values. Elements that `use` leads to see those of their ancestors in the document.

internal import ImageCore

/// A custom property with its value.
struct CustomProperty: Sendable {
  /// With its two hyphens.
  var name: TextSlice
  var value: TextSlice
  var isImportant: Bool
}

/// The custom properties of all elements.
struct CustomProperties: Sendable {
  /// What one document may cost in steps up the tree and in bytes put in.
  private static let maximumStepCount = 2_000_000
  private static let maximumByteCount = 1 << 20
  /// How deep values may refer to each other; a cycle ends here as well.
  private static let maximumDepth = 10

  private var properties: [CustomProperty] = []
  /// The properties of each element that has any.
  private var ranges: [XMLDocument.NodeIndex: Range<Int>] = [:]
  private var stepCount = 0
  private var byteCount = 0

  /// Sets the properties of an element, in the order of the cascade.
  mutating func set(_ declared: [CustomProperty], of node: XMLDocument.NodeIndex) {
    guard !declared.isEmpty else { return }
    let start = properties.count
    properties += declared.filter { !$0.isImportant }
    properties += declared.filter { $0.isImportant }
    ranges[node] = start..<properties.count
  }

  /// A value with every var() replaced; `nil` where that is not possible, which makes the declaration invalid.
  mutating func substitute(
    _ value: Range<Int>, of node: XMLDocument.NodeIndex, in document: XMLDocument
  ) -> [UInt8]? {
    substitute(Array(document.text[value]), of: node, in: document, depth: 0)
  }

  private mutating func substitute(
    _ value: [UInt8], of node: XMLDocument.NodeIndex, in document: XMLDocument, depth: Int
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var position = 0
    while let call = Self.call(in: value, from: position) {
      guard depth < Self.maximumDepth, let name = call.name else { return nil }
      result += value[position..<call.range.lowerBound]
      let replacement: [UInt8]?
      if let (found, owner) = lookUp(name, from: node, in: document) {
        replacement = substitute(Array(document.text[found.range]), of: owner, in: document, depth: depth + 1)
      } else if let fallback = call.fallback {
        replacement = substitute(Array(value[fallback]), of: node, in: document, depth: depth + 1)
      } else {
        replacement = nil
      }
      guard let replacement else { return nil }
      byteCount += replacement.count
      guard byteCount <= Self.maximumByteCount else { return nil }
      result += replacement
      position = call.range.upperBound
    }
    return result + value[position...]
  }

  /// The value that an element sees, and the element that declares it.
  private mutating func lookUp(
    _ name: [UInt8], from node: XMLDocument.NodeIndex, in document: XMLDocument
  ) -> (TextSlice, XMLDocument.NodeIndex)? {
    var current = node
    while current != XMLDocument.noNode, stepCount < Self.maximumStepCount {
      for index in (ranges[current] ?? 0..<0).reversed() {
        stepCount += 1
        if document.text[properties[index].name.range].elementsEqual(name) { return (properties[index].value, current) }
      }
      stepCount += 1
      current = document[current].parent
    }
    return nil
  }

  // MARK: Calls

  private struct Call {
    /// From `var` to behind the bracket.
    var range: Range<Int>
    /// `nil` where the call is malformed.
    var name: [UInt8]?
    var fallback: Range<Int>?
  }

  /// Whether a value has a var() in it.
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
    // An open bracket is closed by the end.
    let isClosed = scanner.take(UInt8(ascii: ")")) || scanner.isAtEnd
    let isName = isClosed && name?.starts(with: "--".utf8) == true
    return Call(range: start..<scanner.position, name: isName ? name : nil, fallback: fallback)
  }
}
