// The syntaxes of CSS Color 4: names, hexadecimal notation, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(),
// color(). Text in, sRGB out; colours outside the sRGB gamut are clipped.

internal import VectorGraphics
internal import XMLDocuments

/// Parses colours.
package enum ColorParser {
  /// Parses a value that consists of a colour only.
  package static func parse(_ bytes: Span<UInt8>) -> ColorValue? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let color = parse(&scanner) else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? color : nil
  }

  /// Parses a value that consists of a colour, which `icc-color()` may follow (SVG 1.1, section 11.2). The colour is for
  /// readers that do not have the profile, such as this one.
  static func parseWithProfileColor(_ bytes: Span<UInt8>) -> ColorValue? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let color = parse(&scanner), endsWithProfileColor(&scanner) else { return nil }
    return color
  }

  /// Returns whether nothing follows a colour but, possibly, `icc-color()`.
  static func endsWithProfileColor(_ scanner: inout TextScanner) -> Bool {
    scanner.skipSpace()
    if scanner.isAtEnd { return true }
    guard isKeyword(scanner.word(), "icc-color"), scanner.take(UInt8(ascii: "(")) else { return false }
    while !scanner.isAtEnd, scanner.next != UInt8(ascii: ")") { scanner.position += 1 }
    guard scanner.take(UInt8(ascii: ")")) else { return false }
    scanner.skipSpace()
    return scanner.isAtEnd
  }

  /// The maximum nesting depth of functions of colours.
  private static let maximumDepth = 12

  /// Reads a colour and moves the scanner to its end.
  ///
  /// - Parameter depth: the number of functions around it, which is limited.
  package static func parse(_ scanner: inout TextScanner, depth: Int = 0) -> ColorValue? {
    if scanner.take(UInt8(ascii: "#")) { return hexadecimal(&scanner).map { .color($0) } }
    let start = scanner.position
    while !scanner.isAtEnd, isWordByte(scanner.next) { scanner.position += 1 }
    let word = scanner.bytes.extracting(start..<scanner.position)
    guard word.count > 0, word.count <= 24 else { return nil }
    var name = ""
    for index in 0..<word.count { name.unicodeScalars.append(Unicode.Scalar(lowercased(word[index]))) }
    if scanner.take(UInt8(ascii: "(")) { return function(name, &scanner, depth: depth)?.simplified }
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
    var value: UInt32 = 0
    var count = 0
    while let digit = hexadecimalDigit(scanner.next), !scanner.isAtEnd, count <= 8 {
      value = value << 4 | UInt32(digit)
      count += 1
      scanner.position += 1
    }
    guard count == 3 || count == 4 || count == 6 || count == 8 else { return nil }
    let channelCount = count > 4 ? count / 2 : count
    func channel(_ index: Int) -> Double {
      let place = channelCount - 1 - index
      return count > 4 ? Double(value >> UInt32(8 * place) & 255) / 255 : Double(value >> UInt32(4 * place) & 15) / 15
    }
    return Color(red: channel(0), green: channel(1), blue: channel(2), alpha: channelCount == 4 ? channel(3) : 1)
  }

  // MARK: Functions

  private static func function(_ name: String, _ scanner: inout TextScanner, depth: Int) -> ColorValue? {
    guard depth < maximumDepth else { return nil }
    switch name {
    case "color-mix": return mix(&scanner, depth: depth)
    case "light-dark":
      scanner.skipSpace()
      guard let light = parse(&scanner, depth: depth + 1), separator(&scanner),
        let dark = parse(&scanner, depth: depth + 1), end(&scanner)
      else { return nil }
      return .scheme(light: light, dark: dark)
    default: return channels(name, &scanner, depth: depth)
    }
  }

  /// Reads a word of letters, digits and hyphens in lower case.
  private static func name(_ scanner: inout TextScanner) -> String {
    scanner.skipSpace()
    let start = scanner.position
    while !scanner.isAtEnd, isWordByte(scanner.next) { scanner.position += 1 }
    let word = scanner.bytes.extracting(start..<scanner.position)
    guard word.count <= 24 else { return "" }
    var name = ""
    for index in 0..<word.count { name.unicodeScalars.append(Unicode.Scalar(lowercased(word[index]))) }
    return name
  }

  private static func separator(_ scanner: inout TextScanner) -> Bool {
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ",")) else { return false }
    scanner.skipSpace()
    return true
  }

  private static func end(_ scanner: inout TextScanner) -> Bool {
    scanner.skipSpace()
    return scanner.take(UInt8(ascii: ")"))
  }

  /// Reads the arguments of `color-mix()` (CSS Color 5, section 3).
  private static func mix(_ scanner: inout TextScanner, depth: Int) -> ColorValue? {
    scanner.skipSpace()
    var method: (space: ColorSpaceName, path: ColorMix.HuePath) = (.oklab, .shorter)
    let start = scanner.position
    if isKeyword(scanner.word(), "in") {
      guard let known = interpolation(&scanner), separator(&scanner) else { return nil }
      method = known
    } else {
      scanner.position = start
    }
    guard let first = part(&scanner, depth: depth), separator(&scanner), let second = part(&scanner, depth: depth),
      end(&scanner),
      let mix = ColorMix(space: method.space, path: method.path, shares: (first.share, second.share))
    else { return nil }
    return .mix(mix, first.color, second.color)
  }

  /// Reads a colour space after `in`, and the way around the circle of hues.
  static func interpolation(_ scanner: inout TextScanner) -> (space: ColorSpaceName, path: ColorMix.HuePath)? {
    let word = name(&scanner)
    let space: ColorSpaceName
    switch word {
    case "hsl", "hwb", "lab", "lch", "oklab", "oklch":
      guard let known = ColorSpaceName(rawValue: word) else { return nil }
      space = known
    default:
      guard let known = ColorSpaceName(predefined: word) else { return nil }
      space = known
    }
    let start = scanner.position
    let paths: [String: ColorMix.HuePath] = [
      "shorter": .shorter, "longer": .longer, "increasing": .increasing, "decreasing": .decreasing,
    ]
    guard let path = paths[name(&scanner)] else {
      scanner.position = start
      return (space, .shorter)
    }
    guard space.hueIndex != nil, name(&scanner) == "hue" else { return nil }
    return (space, path)
  }

  /// Reads a colour with a percentage before or after it.
  private static func part(_ scanner: inout TextScanner, depth: Int) -> (color: ColorValue, share: Double?)? {
    var share = percentage(&scanner)
    scanner.skipSpace()
    guard let color = parse(&scanner, depth: depth + 1) else { return nil }
    scanner.skipSpace()
    if share == nil { share = percentage(&scanner) }
    if let share, !(0...1 ~= share) { return nil }
    return (color, share)
  }

  static func percentage(_ scanner: inout TextScanner) -> Double? {
    let start = scanner.position
    if let value = scanner.number(), scanner.take(UInt8(ascii: "%")) { return value / 100 }
    scanner.position = start
    return nil
  }

  /// Reads the arguments of a function of channels, with an optional origin colour.
  private static func channels(_ function: String, _ scanner: inout TextScanner, depth: Int) -> ColorValue? {
    scanner.skipSpace()
    var origin: ColorValue?
    let start = scanner.position
    if isKeyword(scanner.word(), "from") {
      scanner.skipSpace()
      guard let color = parse(&scanner, depth: depth + 1) else { return nil }
      origin = color
    } else {
      scanner.position = start
    }
    var hasCommas = false
    guard let space = function == "color" ? ColorSpaceName(predefined: name(&scanner)) : .init(function: function),
      let list = arguments(&scanner, channels: origin == nil ? [] : space.channelNames, &hasCommas),
      list.count == 3 || list.count == 4
    else { return nil }
    let result = ColorFunction(
      space: space, arguments: Array(list.prefix(3)), alpha: list.count == 4 ? list[3] : nil)
    if hasCommas, space == .rgb {
      // Numbers and percentages are not mixed in the syntax with commas.
      guard Set(list.prefix(3).map(\.kind)).count == 1 else { return nil }
    }
    guard let origin else { return .color(result.color) }
    return .relative(to: origin, result)
  }

  /// Reads the arguments up to the closing parenthesis, separated by white space, commas or, before alpha, a slash.
  private static func arguments(
    _ scanner: inout TextScanner, channels: [String], _ hasCommas: inout Bool
  ) -> [ColorFunction.Argument]? {
    var list: [ColorFunction.Argument] = []
    while list.count <= 4 {
      scanner.skipSpace()
      if scanner.take(UInt8(ascii: ")")) { return list }
      if scanner.next == UInt8(ascii: ",") { hasCommas = true }
      if scanner.take(UInt8(ascii: ",")) || scanner.take(UInt8(ascii: "/")) { scanner.skipSpace() }
      guard let argument = argument(&scanner, channels) else { return nil }
      list.append(argument)
    }
    return nil
  }

  private static func argument(_ scanner: inout TextScanner, _ channels: [String]) -> ColorFunction.Argument? {
    let start = scanner.position
    if let value = scanner.number() {
      if scanner.take(UInt8(ascii: "%")) { return ColorFunction.Argument(value: value, kind: .percentage) }
      if scanner.word().count == 0 { return ColorFunction.Argument(value: value) }
      scanner.position = start
      return parseAngle(&scanner).map { ColorFunction.Argument(value: $0, kind: .angle) }
    }
    if let calculation = Calculation.parse(&scanner, channels: channels) {
      return ColorFunction.Argument(calculation: calculation)
    }
    let word = scanner.word()
    if isKeyword(word, "none") { return ColorFunction.Argument() }
    guard let index = channels.firstIndex(where: { isWord(word, $0) }) else { return nil }
    return ColorFunction.Argument(calculation: Calculation(steps: [.channel(index)], kind: .number))
  }
}
