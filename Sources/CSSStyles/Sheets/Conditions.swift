// The conditions of at-rules: media queries (Media Queries 4) for a static image on a screen, and `@supports` (CSS
// Conditional 3). Both are combinations of features by not, and, or, with parentheses of limited depth.

internal import XMLDocuments

/// The environment in which media queries are evaluated.
struct MediaEnvironment: Sendable {
  /// The size of the viewport in CSS pixels.
  var width: Double
  var height: Double
}

/// Evaluates conditions.
struct ConditionParser {
  /// The result of a condition that may be unknown, as that of an unknown feature.
  private typealias Result = Bool?

  private static let maximumDepth = 16

  private let environment: MediaEnvironment
  /// The part that is not known, if there is one.
  private(set) var unknown: String?

  init(_ environment: MediaEnvironment) {
    self.environment = environment
  }

  // MARK: Media queries

  /// Returns whether any of some media queries applies.
  mutating func holds(mediaQueries bytes: Span<UInt8>) -> Bool {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    scanner.skipSpace()
    if scanner.isAtEnd { return true }
    while true {
      let start = scanner.position
      scanner.skip(to: UInt8(ascii: ","))
      if query(bytes, start..<scanner.position) { return true }
      guard scanner.take(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func query(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var scanner = CSSScanner(bytes, range: range)
    scanner.skipSpace()
    let start = scanner.position
    var isNegated = false
    var word = Self.word(&scanner)
    if word == "not" || word == "only" {
      scanner.skipSpace()
      // `not (…)` is a condition, `not screen` a type.
      if scanner.peek() == UInt8(ascii: "(") {
        scanner.position = start
        return condition(&scanner, depth: 0, isMedia: true) == true && scanner.isAtEnd
      }
      isNegated = word == "not"
      word = Self.word(&scanner)
    }
    guard !word.isEmpty else {
      scanner.position = start
      let result = condition(&scanner, depth: 0, isMedia: true)
      scanner.skipSpace()
      return result == true && scanner.isAtEnd
    }
    let isType = word == "all" || word == "screen"
    scanner.skipSpace()
    if scanner.isAtEnd { return isType != isNegated }
    guard Self.word(&scanner) == "and" else { return false }
    scanner.skipSpace()
    let result = condition(&scanner, depth: 0, isMedia: true)
    scanner.skipSpace()
    guard let result, scanner.isAtEnd else { return false }
    return (isType && result) != isNegated
  }

  // MARK: Supports

  /// Returns whether the condition of `@supports` holds.
  mutating func holds(supports bytes: Span<UInt8>) -> Bool {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    let result = condition(&scanner, depth: 0, isMedia: false)
    scanner.skipSpace()
    return result == true && scanner.isAtEnd
  }

  // MARK: Combinations

  private static func word(_ scanner: inout CSSScanner) -> String {
    String(decoding: scanner.identifier() ?? [], as: UTF8.self).lowercased()
  }

  /// Reads a condition. The recursion for parentheses is limited.
  private mutating func condition(_ scanner: inout CSSScanner, depth: Int, isMedia: Bool) -> Result {
    guard depth < Self.maximumDepth else { return nil }
    scanner.skipSpace()
    let start = scanner.position
    if Self.word(&scanner) == "not" {
      scanner.skipSpace()
      return term(&scanner, depth: depth, isMedia: isMedia).map { !$0 }
    }
    scanner.position = start
    var result = term(&scanner, depth: depth, isMedia: isMedia)
    while true {
      scanner.skipSpace()
      let start = scanner.position
      let word = Self.word(&scanner)
      guard word == "and" || word == "or" else {
        scanner.position = start
        return result
      }
      scanner.skipSpace()
      let next = term(&scanner, depth: depth, isMedia: isMedia)
      if word == "and" {
        result = result == false || next == false ? false : result.flatMap { first in next.map { first && $0 } }
      } else {
        result = result == true || next == true ? true : result.flatMap { first in next.map { first || $0 } }
      }
    }
  }

  private mutating func term(_ scanner: inout CSSScanner, depth: Int, isMedia: Bool) -> Result {
    let function = Self.word(&scanner)
    guard scanner.take(UInt8(ascii: "(")) else { return nil }
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ")"))
    let range = start..<scanner.position
    guard scanner.take(UInt8(ascii: ")")) else { return nil }
    if !function.isEmpty {
      guard !isMedia, function == "selector" else { return isMedia ? nil : false }
      var parser = SelectorParser(nesting: nil, names: NameNumbers(.svg))
      return parser.list(scanner.bytes, range: range) != nil
    }
    let trimmed = StyleSheet.trimmed(range, of: scanner.bytes)
    var inner = CSSScanner(scanner.bytes, range: trimmed)
    let isNested: Bool
    if inner.peek() == UInt8(ascii: "(") {
      isNested = true
    } else {
      let word = Self.word(&inner)
      inner.skipSpace()
      isNested = word == "not" || inner.peek() == UInt8(ascii: "(") && word == "selector"
    }
    if isNested {
      inner.position = trimmed.lowerBound
      let result = condition(&inner, depth: depth + 1, isMedia: isMedia)
      inner.skipSpace()
      return inner.isAtEnd ? result : nil
    }
    return isMedia ? feature(scanner.bytes, trimmed) : supports(scanner.bytes, trimmed)
  }

  private func supports(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var scanner = CSSScanner(bytes, range: range)
    guard let name = scanner.identifier() else { return false }
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ":")) else { return false }
    if name.starts(with: "--".utf8) { return true }
    let value = StyleSheet.trimmed(scanner.position..<range.upperBound, of: bytes)
    let lowercase = name.map { lowercased($0) }
    guard let property = PropertyTable.property(named: lowercase.span) else { return false }
    let text = bytes.extracting(value)
    guard property.row.limitation?(text) == nil else { return false }
    return property.row.longhands.isEmpty
      ? DeclarationParser.longhandValue(property, text, TextSlice(value)) != nil
      : DeclarationParser.longhands(of: property, text, TextSlice(value)) != nil
  }

  // MARK: Features

  /// The features whose values are keywords, with the keyword that describes a static image on a screen.
  private static let keywords: [String: String] = [
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "hover": "none",
    "any-hover": "none", "pointer": "none", "any-pointer": "none", "scripting": "none", "update": "none",
    "forced-colors": "none", "inverted-colors": "none", "display-mode": "browser", "color-gamut": "srgb",
    "dynamic-range": "standard", "scan": "progressive", "overflow-block": "none", "overflow-inline": "none",
  ]

  private mutating func feature(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Result {
    let text = String(decoding: range.map { bytes[$0] }, as: UTF8.self).lowercased()
    if let colon = text.firstIndex(of: ":") {
      let name = Self.trimmed(text[..<colon])
      let value = Self.trimmed(text[text.index(after: colon)...])
      if let expected = Self.keywords[name] { return value == expected }
      if name == "orientation" { return value == (environment.width > environment.height ? "landscape" : "portrait") }
      for (prefix, holds) in [("min-", { $0 >= $1 }), ("max-", { $0 <= $1 })] as [(String, (Double, Double) -> Bool)]
      where name.hasPrefix(prefix) {
        return compare(String(name.dropFirst(4)), value, holds)
      }
      return compare(name, value, ==)
    }
    if let operatorStart = text.firstIndex(where: { "<>=".contains($0) }) {
      return comparison(text, operatorStart)
    }
    let name = Self.trimmed(text[...])
    if let value = Self.keywords[name] { return value != "none" && value != "no-preference" }
    return value(of: name).map { $0 != 0 } ?? note(name)
  }

  /// Evaluates `value < feature <= value` or a part of it.
  private mutating func comparison(_ text: String, _ first: String.Index) -> Result {
    var parts: [String] = [Self.trimmed(text[..<first])]
    var operators: [String] = []
    var rest = text[first...]
    while !rest.isEmpty, operators.count < 3 {
      let sign = rest.prefix { "<>=".contains($0) }
      operators.append(String(sign))
      rest = rest.dropFirst(sign.count)
      let part = rest.prefix { !"<>=".contains($0) }
      parts.append(Self.trimmed(part))
      rest = rest.dropFirst(part.count)
    }
    guard operators.count <= 2, parts.count == operators.count + 1 else { return nil }
    var result = true
    for (index, sign) in operators.enumerated() {
      let comparisons: [String: (Double, Double) -> Bool] = [
        "<": { $0 < $1 }, "<=": { $0 <= $1 }, ">": { $0 > $1 }, ">=": { $0 >= $1 }, "=": { $0 == $1 },
      ]
      guard let holds = comparisons[sign] else { return nil }
      func number(_ part: String) -> Double? { value(of: part) ?? Self.number(part) }
      guard let left = number(parts[index]), let right = number(parts[index + 1]) else { return note(text) }
      result = result && holds(left, right)
    }
    return result
  }

  private mutating func compare(_ name: String, _ value: String, _ holds: (Double, Double) -> Bool) -> Result {
    guard let actual = self.value(of: name), let expected = Self.number(value) else { return note(name) }
    return holds(actual, expected)
  }

  private mutating func note(_ name: String) -> Result {
    unknown = String(name.prefix(48))
    return nil
  }

  /// Returns the value of a numeric feature.
  private func value(of name: String) -> Double? {
    switch name {
    case "width", "device-width": environment.width
    case "height", "device-height": environment.height
    case "aspect-ratio", "device-aspect-ratio": environment.width / max(environment.height, 1e-9)
    case "resolution", "-webkit-device-pixel-ratio": 1
    case "color": 8
    case "color-index", "monochrome", "grid": 0
    default: nil
    }
  }

  /// Parses a number, a ratio, a resolution in dots per pixel, or a length in CSS pixels.
  private static func number(_ text: String) -> Double? {
    if let slash = text.firstIndex(of: "/") {
      guard let first = Double(trimmed(text[..<slash])),
        let second = Double(trimmed(text[text.index(after: slash)...])),
        second != 0
      else { return nil }
      return first / second
    }
    for (unit, factor) in [("dppx", 1), ("dpi", 1.0 / 96), ("dpcm", 2.54 / 96)] where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * factor }
    }
    let bytes = Array(text.utf8)
    guard let length = Length(parsing: bytes.span), length.unit != .percent else { return nil }
    return LengthContext(fontSize: 16, rootFontSize: 16, viewportWidth: 0, viewportHeight: 0).resolve(length, .other)
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
