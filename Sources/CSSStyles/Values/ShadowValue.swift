// The shadows of CSS: two or three lengths with a colour before or after them (CSS Backgrounds 3, section 6.1).

/// A shadow as written in `drop-shadow()` and `text-shadow`.
struct ShadowValue: Sendable {
  var x: Length
  var y: Length
  var blur: Length
  var color: ColorValue

  /// Reads a shadow up to a closing parenthesis, a comma or the end of the text; `nil` if it is invalid.
  init?(scanning scanner: inout TextScanner) {
    var color = Self.isNumber(scanner) ? nil : ColorParser.parse(&scanner)
    var lengths: [Length] = []
    scanner.skipSpace()
    while lengths.count < 3, Self.isNumber(scanner) {
      guard let length = Length(scanning: &scanner), length.unit != .percent else { return nil }
      lengths.append(length)
      scanner.skipSpace()
    }
    if color == nil, !scanner.isAtEnd, scanner.next != UInt8(ascii: ")"), scanner.next != UInt8(ascii: ",") {
      color = ColorParser.parse(&scanner)
      guard color != nil else { return nil }
    }
    guard lengths.count >= 2 else { return nil }
    blur = lengths.count == 3 ? lengths[2] : .zero
    guard blur.value >= 0 else { return nil }
    (x, y) = (lengths[0], lengths[1])
    self.color = color ?? .current
  }

  private static func isNumber(_ scanner: borrowing TextScanner) -> Bool {
    switch scanner.next {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
    default: false
    }
  }
}
