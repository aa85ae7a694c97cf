// Parsing of the `filter` property (Filter Effects 1, section 5): a list of references and functions.

internal import VectorGraphics

/// One entry of the list.
enum FilterFunction: Sendable {
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

  // MARK: Effects

  /// Returns the filter that a function is equivalent to, which uses sRGB and has no region.
  func resource(_ lengths: LengthContext, color: Color) -> RenderTree.FilterResource {
    func pixels(_ length: Length) -> Double { lengths.resolve(length, .other) }
    var overflow = FilterOverflow()
    switch self {
    case .blur(let length): overflow = FilterOverflow(deviation: pixels(length))
    case .dropShadow(let x, let y, let blur, _):
      overflow = FilterOverflow(moveX: pixels(x), moveY: pixels(y), deviation: pixels(blur))
    default: break
    }
    let primitive = FilterPrimitive(
      effect: effect(lengths, color: color), subregion: FilterSubregion(), usesLinearLight: false)
    return RenderTree.FilterResource(
      rect: nil, units: .userSpace, primitiveUnits: .userSpace, isOptional: true, overflow: overflow,
      primitives: [primitive])
  }

  /// Returns the primitive that a function is short for (section 6). A reference has none and has no effect.
  private func effect(_ lengths: LengthContext, color current: Color) -> any FilterEffect {
    func pixels(_ length: Length) -> Double { lengths.resolve(length, .other) }
    switch self {
    case .reference: return ColorMatrixEffect(matrix: .identity)
    case .blur(let length): return GaussianBlurEffect(deviation: pixels(length))
    case .dropShadow(let x, let y, let blur, let color):
      return DropShadowEffect(x: pixels(x), y: pixels(y), deviation: pixels(blur), color: color.resolved(current))
    case .brightness(let amount):
      return ComponentTransferEffect(colors: .linear(slope: amount, intercept: 0))
    case .contrast(let amount):
      return ComponentTransferEffect(colors: .linear(slope: amount, intercept: 0.5 - 0.5 * amount))
    case .grayscale(let amount): return ColorMatrixEffect(matrix: Self.grayscale(1 - amount))
    case .hueRotate(let degrees): return ColorMatrixEffect(matrix: .hueRotation(degrees))
    case .invert(let amount): return ComponentTransferEffect(colors: .table([amount, 1 - amount]))
    case .opacity(let amount): return ComponentTransferEffect(alpha: .table([0, amount]))
    case .saturate(let amount): return ColorMatrixEffect(matrix: .saturation(amount))
    case .sepia(let amount): return ColorMatrixEffect(matrix: Self.sepia(1 - amount))
    }
  }

  private static func grayscale(_ rest: Double) -> ColorMatrix {
    mixed([0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722], rest)
  }

  private static func sepia(_ rest: Double) -> ColorMatrix {
    mixed([0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131], rest)
  }

  /// Returns a colour matrix mixed with the identity.
  private static func mixed(_ colors: [Double], _ rest: Double) -> ColorMatrix {
    var coefficients = ColorMatrix.identity.coefficients
    for row in 0..<3 {
      for column in 0..<3 {
        coefficients[row * 5 + column] = colors[row * 3 + column] * (1 - rest) + (row == column ? rest : 0)
      }
    }
    return ColorMatrix(coefficients)
  }
}
