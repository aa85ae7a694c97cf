// Values of animations as text: lists, and texts that differ only in their numbers, which can be mixed and added. The
// grammars of attributes need not be known for that.

internal import CSSStyles
internal import VectorGraphics
internal import XMLDocuments

/// Arithmetic of attribute values.
enum AnimationText {
  /// Returns the trimmed items of a list that is separated by semicolons. An empty item at the end is dropped.
  static func items(of bytes: Span<UInt8>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: ";") {
      items.append(StyleSheet.trimmed(start..<index, of: bytes))
      start = index + 1
    }
    if items.last?.isEmpty == true { items.removeLast() }
    return items
  }

  /// A number, or the text between two numbers.
  private enum Token {
    case number(Double, Range<Int>)
    case other([UInt8])
  }

  /// Returns the parts of a value whose numbers can be mixed; `nil` for words, such as identifiers with digits, and for
  /// path data with arcs, whose flags need not be separated.
  private static func tokens(of bytes: Span<UInt8>, isPathData: Bool) -> [Token]? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    let first = scanner.next
    let isNumeric = UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || [43, 45, 46].contains(first)
    guard isNumeric || isPathData && first | 0x20 == UInt8(ascii: "m") else { return nil }
    var tokens: [Token] = []
    var other: [UInt8] = []
    func flush() {
      if !other.isEmpty { tokens.append(.other(other)) }
      other = []
    }
    while !scanner.isAtEnd {
      let start = scanner.position
      if let number = scanner.number() {
        flush()
        tokens.append(.number(number, start..<scanner.position))
        continue
      }
      let byte = scanner.next
      scanner.position += 1
      if isPathData, byte | 0x20 == UInt8(ascii: "a") { return nil }
      // White space and commas separate alike.
      if isSpace(byte) || byte == UInt8(ascii: ",") {
        if other.last != 32 { other.append(32) }
      } else {
        other.append(byte)
      }
    }
    while other.last == 32 { other.removeLast() }
    flush()
    return tokens
  }

  /// Returns a value whose numbers are combined of those of two values; `nil` if the values differ in anything else.
  private static func combined(
    _ first: [UInt8], _ second: [UInt8], isPathData: Bool, _ operation: (Double, Double) -> Double
  ) -> [UInt8]? {
    guard let left = tokens(of: first.span, isPathData: isPathData),
      let right = tokens(of: second.span, isPathData: isPathData), left.count == right.count
    else { return nil }
    var result: [UInt8] = []
    var followsNumber = false
    for (one, other) in zip(left, right) {
      switch (one, other) {
      case (.number(let a, let range), .number(let b, _)):
        let value = operation(a, b)
        if followsNumber { result.append(32) }
        if value == a { result += first[range] } else { result += number(value) }
        followsNumber = true
      case (.other(let a), .other(let b)):
        guard a == b else { return nil }
        result += a
        followsNumber = false
      default: return nil
      }
    }
    return result
  }

  /// Returns the text of a number.
  static func number(_ value: Double) -> [UInt8] { Array("\(value.isFinite ? value : 0)".utf8) }

  /// Returns a value between two; `nil` if nothing is between them.
  static func mixed(_ first: [UInt8], _ second: [UInt8], _ fraction: Double, of attribute: [UInt8]) -> [UInt8]? {
    if isColor(attribute), let a = color(first), let b = color(second) {
      func mix(_ x: Double, _ y: Double) -> Double { x + (y - x) * fraction }
      return text(
        Color(
          red: mix(a.red, b.red), green: mix(a.green, b.green), blue: mix(a.blue, b.blue),
          alpha: mix(a.alpha, b.alpha)))
    }
    return combined(first, second, isPathData: isPathData(attribute)) { $0 + ($1 - $0) * fraction }
  }

  /// Returns the sum of a value and a multiple of another; `nil` if they cannot be added.
  static func sum(_ first: [UInt8], _ second: [UInt8], times count: Double, of attribute: [UInt8]) -> [UInt8]? {
    if isColor(attribute), let a = color(first), let b = color(second) {
      func add(_ x: Double, _ y: Double) -> Double { min(max(x + y * count, 0), 1) }
      return text(
        Color(red: add(a.red, b.red), green: add(a.green, b.green), blue: add(a.blue, b.blue), alpha: a.alpha))
    }
    return combined(first, second, isPathData: isPathData(attribute)) { $0 + $1 * count }
  }

  /// Returns the distance between two values, for paced animations; `nil` if there is none.
  static func distance(_ first: [UInt8], _ second: [UInt8], of attribute: [UInt8]) -> Double? {
    if isColor(attribute), let a = color(first), let b = color(second) {
      let squares = [a.red - b.red, a.green - b.green, a.blue - b.blue].reduce(0) { $0 + $1 * $1 }
      return squares.squareRoot()
    }
    var squares = 0.0
    let known = combined(first, second, isPathData: isPathData(attribute)) { a, b in
      squares += (a - b) * (a - b)
      return a
    }
    return known == nil ? nil : squares.squareRoot()
  }

  private static func isPathData(_ attribute: [UInt8]) -> Bool { attribute == [UInt8(ascii: "d")] }

  private static func isColor(_ attribute: [UInt8]) -> Bool {
    ["fill", "stroke", "color", "stop-color", "flood-color", "lighting-color"].contains {
      attribute.elementsEqual($0.utf8)
    }
  }

  private static func color(_ bytes: [UInt8]) -> Color? {
    guard case .color(let color) = ColorParser.parse(bytes.span) else { return nil }
    return color
  }

  private static func text(_ color: Color) -> [UInt8] {
    let channels = [color.red, color.green, color.blue].map { "\(Int((min(max(0, $0), 1) * 255).rounded()))" }
    return Array("rgba(\(channels.joined(separator: ",")),\(color.alpha))".utf8)
  }
}
