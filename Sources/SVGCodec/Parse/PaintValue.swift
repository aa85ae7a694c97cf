// `fill` and `stroke` values, references to other elements and lists of numbers.

internal import VectorGraphics

/// What a `fill` or `stroke` property says.
enum PaintValue: Hashable, Sendable {
  /// What to do when a reference leads nowhere.
  enum Fallback: Hashable, Sendable {
    case unspecified
    case none
    case color(ColorValue)
  }

  case none
  case color(ColorValue)
  case contextFill
  case contextStroke
  /// A paint server by the id that is a run of the document's text.
  case reference(id: TextSlice, Fallback)

  /// Parses a value that stands at `offset` of the document's text.
  init?(parsing bytes: Span<UInt8>, offset: Int) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    if let id = parseReference(&scanner) {
      let slice = TextSlice(offset + id.lowerBound..<offset + id.upperBound)
      scanner.skipSpace()
      let rest = bytes.extracting(scanner.position...)
      if scanner.isAtEnd {
        self = .reference(id: slice, .unspecified)
      } else if isKeyword(StyleSheetText.trimmed(rest), "none") {
        self = .reference(id: slice, .none)
      } else if let color = ColorParser.parse(&scanner) {
        self = .reference(id: slice, .color(color))
      } else {
        self = .reference(id: slice, .unspecified)
      }
      return
    }
    let rest = StyleSheetText.trimmed(bytes)
    if isKeyword(rest, "none") {
      self = .none
    } else if isKeyword(rest, "context-fill") {
      self = .contextFill
    } else if isKeyword(rest, "context-stroke") {
      self = .contextStroke
    } else if let color = ColorParser.parse(&scanner) {
      // What follows a colour, such as `icc-color()`, is dropped.
      self = .color(color)
    } else {
      return nil
    }
  }
}

/// Runs of text without the white space around them.
enum StyleSheetText {
  @_lifetime(copy bytes)
  static func trimmed(_ bytes: Span<UInt8>) -> Span<UInt8> {
    bytes.extracting(StyleSheet.trimmed(0..<bytes.count, of: bytes))
  }
}

/// The fragment of `url(#id)`, quoted or not, as a range of the scanner's bytes; `nil` for anything else. The scanner
/// is left behind the parenthesis.
func parseReference(_ scanner: inout TextScanner) -> Range<Int>? {
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
  guard scanner.take(UInt8(ascii: "#")) else {
    scanner.position = start
    return nil
  }
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
  return first..<last
}

/// The fragment of a `href` that leads into the same document, as a range of the bytes.
func parseFragment(_ bytes: Span<UInt8>) -> Range<Int>? {
  let range = StyleSheet.trimmed(0..<bytes.count, of: bytes)
  guard !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "#") else { return nil }
  return range.lowerBound + 1..<range.upperBound
}

/// The points of a polyline; a number without a partner is dropped, as is all that follows an error.
func parsePoints(_ bytes: Span<UInt8>, maximumCount: Int) -> [Point] {
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
