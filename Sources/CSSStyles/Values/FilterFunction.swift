// Parsing of the `filter` property (Filter Effects 1, section 5): a list of references and functions.

internal import VectorGraphics
internal import XMLDocuments

/// One entry of the list.
package enum FilterFunction: Sendable {
  case reference(ElementReference)
  case blur(Length)
  case dropShadow(x: Length, y: Length, blur: Length, color: ColorValue)
  case brightness(Double)
  case contrast(Double)
  case grayscale(Double)
  case hueRotate(degrees: Double)
  case invert(Double)
  case opacity(Double)
  case saturate(Double)
  case sepia(Double)

  /// Parses a whole value; `nil` if there is any error, as CSS requires.
  static func parse(_ bytes: Span<UInt8>) -> [FilterFunction]? {
    var scanner = TextScanner(bytes)
    var list: [FilterFunction] = []
    scanner.skipSpace()
    while !scanner.isAtEnd {
      guard let function = FilterFunction(scanning: &scanner) else { return nil }
      list.append(function)
      scanner.skipSpace()
    }
    return list.isEmpty ? nil : list
  }

  private init?(scanning scanner: inout TextScanner) {
    if let id = parseReference(&scanner) {
      self = .reference(id)
      return
    }
    let name = scanner.word()
    guard scanner.take(UInt8(ascii: "(")) else { return nil }
    scanner.skipSpace()
    let function: FilterFunction?
    if isKeyword(name, "blur") {
      function = Self.length(&scanner, default: .zero).map { .blur($0) }
    } else if isKeyword(name, "drop-shadow") {
      function = ShadowValue(scanning: &scanner).map { .dropShadow(x: $0.x, y: $0.y, blur: $0.blur, color: $0.color) }
    } else if isKeyword(name, "hue-rotate") {
      function = Self.angle(&scanner).map { .hueRotate(degrees: $0) }
    } else {
      function = Self.amount(&scanner).flatMap { Self.adjustment(name, $0) }
    }
    guard let function else { return nil }
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ")")) else { return nil }
    self = function
  }

  private static func adjustment(_ name: Span<UInt8>, _ amount: Double) -> FilterFunction? {
    if isKeyword(name, "brightness") { return .brightness(amount) }
    if isKeyword(name, "contrast") { return .contrast(amount) }
    if isKeyword(name, "grayscale") { return .grayscale(min(amount, 1)) }
    if isKeyword(name, "invert") { return .invert(min(amount, 1)) }
    if isKeyword(name, "opacity") { return .opacity(min(amount, 1)) }
    if isKeyword(name, "saturate") { return .saturate(amount) }
    return isKeyword(name, "sepia") ? .sepia(min(amount, 1)) : nil
  }

  /// Reads a non-negative number or percentage; 1 if there is none.
  private static func amount(_ scanner: inout TextScanner) -> Double? {
    if scanner.next == UInt8(ascii: ")") { return 1 }
    guard let value = scanner.number(), value >= 0 else { return nil }
    return scanner.take(UInt8(ascii: "%")) ? value / 100 : value
  }

  /// Reads an angle; 0 if there is none. The only angle without a unit is 0.
  private static func angle(_ scanner: inout TextScanner) -> Double? {
    if scanner.next == UInt8(ascii: ")") { return 0 }
    let start = scanner.position
    if let number = scanner.number(), number != 0, scanner.word().count == 0 { return nil }
    scanner.position = start
    if let calculation = Calculation.parse(&scanner), calculation.kind != .angle { return nil }
    scanner.position = start
    return parseAngle(&scanner)
  }

  /// Reads a non-negative length other than a percentage.
  private static func length(_ scanner: inout TextScanner, default initial: Length) -> Length? {
    if scanner.next == UInt8(ascii: ")") { return initial }
    guard let length = Length(scanning: &scanner), length.value >= 0, length.unit != .percent else { return nil }
    return length
  }
}
