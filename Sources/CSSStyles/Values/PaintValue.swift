// `fill` and `stroke` values, references to elements, and lists of numbers.

package import VectorGraphics
internal import XMLDocuments

/// The value of a `fill` or `stroke` property.
package enum PaintValue: Hashable, Sendable {
  /// The paint to use if a reference cannot be resolved.
  package enum Fallback: Hashable, Sendable {
    case unspecified
    case none
    case color(ColorValue)
  }

  case none
  case color(ColorValue)
  case contextFill
  case contextStroke
  /// A reference to a paint server.
  case reference(ElementReference, Fallback)

  init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    if let reference = parseReference(&scanner) {
      scanner.skipSpace()
      let rest = bytes.extracting(scanner.position...)
      if scanner.isAtEnd {
        self = .reference(reference, .unspecified)
      } else if isKeyword(StyleSheetText.trimmed(rest), "none") {
        self = .reference(reference, .none)
      } else if let color = ColorParser.parse(&scanner), ColorParser.endsWithProfileColor(&scanner) {
        self = .reference(reference, .color(color))
      } else {
        return nil
      }
      return
    }
    let rest = StyleSheetText.trimmed(bytes)
    if scanner.next != UInt8(ascii: "#"), let keyword = Self(keyword: rest) {
      self = keyword
    } else if let color = ColorParser.parse(&scanner), ColorParser.endsWithProfileColor(&scanner) {
      self = .color(color)
    } else {
      return nil
    }
  }

  private init?(keyword: Span<UInt8>) {
    if isKeyword(keyword, "none") {
      self = .none
    } else if isKeyword(keyword, "context-fill") {
      self = .contextFill
    } else if isKeyword(keyword, "context-stroke") {
      self = .contextStroke
    } else {
      return nil
    }
  }
}

/// Slices of text without leading and trailing white space.
enum StyleSheetText {
  @_lifetime(copy bytes)
  static func trimmed(_ bytes: Span<UInt8>) -> Span<UInt8> {
    bytes.extracting(StyleSheet.trimmed(0..<bytes.count, of: bytes))
  }

  /// Returns the next word, up to white space, and moves to its end; `nil` at the end of the text.
  static func nextWord(_ bytes: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    let start = position
    while position < bytes.count, !isSpace(bytes[position]) { position += 1 }
    return start < position ? start..<position : nil
  }
}

/// Reads `url(…)`, quoted or not; `nil` for any other value. The scanner is moved past the parenthesis.
func parseReference(_ scanner: inout TextScanner) -> ElementReference? {
  let start = scanner.position
  guard isKeyword(scanner.word(), "url"), scanner.take(UInt8(ascii: "(")) else {
    scanner.position = start
    return nil
  }
  scanner.skipSpace()
  var quote: UInt8 = 0
  if scanner.next == UInt8(ascii: "\"") || scanner.next == UInt8(ascii: "'") {
    quote = scanner.next
    scanner.position += 1
    scanner.skipSpace()
  }
  let isLocal = scanner.take(UInt8(ascii: "#"))
  let first = scanner.position
  let terminator = quote == 0 ? UInt8(ascii: ")") : quote
  while !scanner.isAtEnd, scanner.next != terminator { scanner.position += 1 }
  var last = scanner.position
  while last > first, isSpace(scanner.bytes[last - 1]) { last -= 1 }
  if quote != 0 {
    _ = scanner.take(quote)
    scanner.skipSpace()
  }
  guard scanner.take(UInt8(ascii: ")")) else {
    scanner.position = start
    return nil
  }
  return isLocal ? .id((first..<last).map { scanner.bytes[$0] }) : .external
}

/// Returns the range of the fragment of a `href` to the same document.
package func parseFragment(_ bytes: Span<UInt8>) -> Range<Int>? {
  let range = StyleSheet.trimmed(0..<bytes.count, of: bytes)
  guard !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "#") else { return nil }
  return range.lowerBound + 1..<range.upperBound
}

/// Parses the points of a polyline. An unpaired last number is dropped, as is everything after an error.
package func parsePoints(_ bytes: Span<UInt8>, maximumCount: Int) -> [Point] {
  var scanner = TextScanner(bytes)
  var points: [Point] = []
  scanner.skipSpace()
  while points.count < maximumCount, let x = scanner.number() {
    scanner.skipSpaceAndComma()
    guard let y = scanner.number() else { break }
    scanner.skipSpaceAndComma()
    points.append(Point(x: x, y: y))
  }
  return points
}
