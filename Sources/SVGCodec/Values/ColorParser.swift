// The syntaxes of CSS Color 4: names, hexadecimal notation, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(),
// color(). Text in, sRGB out; colours outside the sRGB gamut are clipped.

internal import VectorGraphics

/// Parses colours.
enum ColorParser {
  /// Parses a value that consists of a colour only.
  static func parse(_ bytes: Span<UInt8>) -> ColorValue? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let color = parse(&scanner) else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? color : nil
  }

  /// Reads a colour and moves the scanner to its end.
  static func parse(_ scanner: inout TextScanner) -> ColorValue? {
    if scanner.take(UInt8(ascii: "#")) { return hexadecimal(&scanner).map { .color($0) } }
    let start = scanner.position
    while !scanner.isAtEnd, isWordByte(scanner.next) { scanner.position += 1 }
    let word = scanner.bytes.extracting(start..<scanner.position)
    guard word.count > 0, word.count <= 24 else { return nil }
    var name = ""
    for index in 0..<word.count { name.unicodeScalars.append(Unicode.Scalar(lowercased(word[index]))) }
    if scanner.take(UInt8(ascii: "(")) { return function(name, &scanner).map { .color($0) } }
    if name == "currentcolor" { return .current }
    if name == "transparent" { return .color(.transparent) }
    return (namedColors[name] ?? systemColors[name]).map { .color(Color(hexadecimal: $0)) }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch lowercased(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func hexadecimal(_ scanner: inout TextScanner) -> Color? {
    var digits: [Double] = []
    while let digit = hexadecimalDigit(scanner.next), !scanner.isAtEnd, digits.count <= 8 {
      digits.append(Double(digit))
      scanner.position += 1
    }
    switch digits.count {
    case 3, 4:
      let channels = digits.map { $0 / 15 }
      return Color(
        red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 1)
    case 6, 8:
      var channels: [Double] = []
      for index in stride(from: 0, to: digits.count, by: 2) {
        channels.append((digits[index] * 16 + digits[index + 1]) / 255)
      }
      return Color(
        red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 1)
    default: return nil
    }
  }

  // MARK: Functions

  /// An argument of a colour function.
  private struct Component {
    enum Kind {
      case number
      case percentage
      case angle
    }

    var value: Double
    var kind: Kind

    /// Returns the number, with percentages relative to `whole`.
    func number(percentOf whole: Double) -> Double { kind == .percentage ? value / 100 * whole : value }
  }

  private static func function(_ name: String, _ scanner: inout TextScanner) -> Color? {
    var space = ""
    if name == "color" {
      scanner.skipSpace()
      let start = scanner.position
      while !scanner.isAtEnd, isWordByte(scanner.next) { scanner.position += 1 }
      let word = scanner.bytes.extracting(start..<scanner.position)
      guard word.count <= 24 else { return nil }
      for index in 0..<word.count { space.unicodeScalars.append(Unicode.Scalar(lowercased(word[index]))) }
    }
    guard let arguments = arguments(&scanner), arguments.count == 3 || arguments.count == 4 else { return nil }
    let alpha = arguments.count == 4 ? min(max(arguments[3].number(percentOf: 1), 0), 1) : 1
    let first = arguments[0]
    let second = arguments[1]
    let third = arguments[2]
    let linear: (Double, Double, Double)
    switch name {
    case "rgb", "rgba":
      func channel(_ component: Component) -> Double {
        // Browsers and resvg round to 8-bit values here.
        min(max((component.number(percentOf: 255)).rounded(), 0), 255) / 255
      }
      return Color(red: channel(first), green: channel(second), blue: channel(third), alpha: alpha)
    case "hsl", "hsla":
      let rgb = ColorConversion.hsl(first.value, percent(second), percent(third))
      return Color(red: rgb.0, green: rgb.1, blue: rgb.2, alpha: alpha)
    case "hwb":
      let rgb = ColorConversion.hwb(first.value, percent(second), percent(third))
      return Color(red: rgb.0, green: rgb.1, blue: rgb.2, alpha: alpha)
    case "lab":
      linear = ColorConversion.lab(
        first.number(percentOf: 100), second.number(percentOf: 125), third.number(percentOf: 125))
    case "lch":
      let (a, b) = ColorConversion.rectangular(chroma: second.number(percentOf: 150), hue: third.value)
      linear = ColorConversion.lab(first.number(percentOf: 100), a, b)
    case "oklab":
      linear = ColorConversion.oklab(
        first.number(percentOf: 1), second.number(percentOf: 0.4), third.number(percentOf: 0.4))
    case "oklch":
      let (a, b) = ColorConversion.rectangular(chroma: second.number(percentOf: 0.4), hue: third.value)
      linear = ColorConversion.oklab(first.number(percentOf: 1), a, b)
    case "color":
      let channels = (first.number(percentOf: 1), second.number(percentOf: 1), third.number(percentOf: 1))
      if space == "srgb" {
        return Color(
          red: min(max(channels.0, 0), 1), green: min(max(channels.1, 0), 1), blue: min(max(channels.2, 0), 1),
          alpha: alpha)
      }
      guard let converted = ColorConversion.linearSRGB(channels, from: space) else { return nil }
      linear = converted
    default: return nil
    }
    return Color(
      red: ColorConversion.encoded(linear.0), green: ColorConversion.encoded(linear.1),
      blue: ColorConversion.encoded(linear.2), alpha: alpha)
  }

  private static func percent(_ component: Component) -> Double {
    min(max(component.value / 100, 0), 1)
  }

  /// Reads the arguments up to the closing parenthesis, separated by white space, commas or, before alpha, a slash.
  private static func arguments(_ scanner: inout TextScanner) -> [Component]? {
    var list: [Component] = []
    while list.count <= 4 {
      scanner.skipSpace()
      if scanner.take(UInt8(ascii: ")")) { return list }
      if scanner.take(UInt8(ascii: ",")) || scanner.take(UInt8(ascii: "/")) { scanner.skipSpace() }
      let start = scanner.position
      if let value = scanner.number() {
        if scanner.take(UInt8(ascii: "%")) {
          list.append(Component(value: value, kind: .percentage))
          continue
        }
        let word = scanner.word()
        if word.count == 0 {
          list.append(Component(value: value, kind: .number))
          continue
        }
        scanner.position = start
        guard let angle = parseAngle(&scanner) else { return nil }
        list.append(Component(value: angle, kind: .angle))
      } else {
        guard isKeyword(scanner.word(), "none") else { return nil }
        list.append(Component(value: 0, kind: .number))
      }
    }
    return nil
  }
}
