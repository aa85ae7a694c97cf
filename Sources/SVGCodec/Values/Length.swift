// The lengths, percentages and angles of CSS Values 4 that SVG uses.

/// A number with a unit.
struct Length: Hashable, Sendable {
  enum Unit: Hashable, Sendable {
    /// User units, which equal CSS pixels.
    case none
    case percent
    case em
    case ex
    case ch
    case ic
    case rem
    case lineHeight
    case viewportWidth
    case viewportHeight
    case viewportMinimum
    case viewportMaximum
  }

  var value: Double
  var unit: Unit
  /// The user units that a calculation adds to a value with a relative unit.
  var userUnits = 0.0

  static let zero = Length(0)

  init(_ value: Double, _ unit: Unit = .none) {
    self.value = value
    self.unit = unit
  }

  /// Whether the length is relative to a font.
  var isFontRelative: Bool {
    switch unit {
    case .em, .ex, .ch, .ic, .rem, .lineHeight: true
    default: false
    }
  }

  static func percent(_ value: Double) -> Length { Length(value, .percent) }

  /// Parses a whole value; `nil` unless it consists of a single length.
  init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let length = Length(scanning: &scanner) else { return nil }
    scanner.skipSpace()
    guard scanner.isAtEnd else { return nil }
    self = length
  }

  /// Reads a length from a list. Absolute units are converted to user units at 96 per inch.
  init?(scanning scanner: inout TextScanner) {
    let start = scanner.position
    guard let value = scanner.number() else {
      self.init(scanningCalculation: &scanner)
      return
    }
    if scanner.take(UInt8(ascii: "%")) {
      self.init(value, .percent)
      return
    }
    let word = scanner.word()
    guard let (factor, unit) = Self.unit(word) else {
      scanner.position = start
      return nil
    }
    self.init(value * factor, unit)
  }

  private static func unit(_ word: Span<UInt8>) -> (Double, Unit)? {
    if word.count == 0 { return (1, .none) }
    guard word.count <= 4 else { return nil }
    var name = ""
    for index in 0..<word.count { name.unicodeScalars.append(Unicode.Scalar(lowercased(word[index]))) }
    switch name {
    case "px": return (1, .none)
    case "in": return (96, .none)
    case "cm": return (96 / 2.54, .none)
    case "mm": return (96 / 25.4, .none)
    case "q": return (96 / 101.6, .none)
    case "pt": return (96 / 72, .none)
    case "pc": return (16, .none)
    case "em": return (1, .em)
    case "ex": return (1, .ex)
    case "ch": return (1, .ch)
    case "ic": return (1, .ic)
    case "rem": return (1, .rem)
    case "lh", "rlh": return (1, .lineHeight)
    case "vw", "vi": return (1, .viewportWidth)
    case "vh", "vb": return (1, .viewportHeight)
    case "vmin": return (1, .viewportMinimum)
    case "vmax": return (1, .viewportMaximum)
    default: return nil
    }
  }
}

/// The reference values of relative lengths.
struct LengthContext: Sendable {
  /// The font size of the element, in user units.
  var fontSize: Double
  /// The font size of the root element, in user units.
  var rootFontSize: Double
  /// The size of the nearest viewport, in user units.
  var viewportWidth: Double
  var viewportHeight: Double

  enum Direction: Sendable {
    case horizontal
    case vertical
    /// Neither; relative to the normalised diagonal (SVG 2, section 8.9).
    case other
  }

  func percentBase(_ direction: Direction) -> Double {
    switch direction {
    case .horizontal: viewportWidth
    case .vertical: viewportHeight
    case .other:
      ((viewportWidth * viewportWidth + viewportHeight * viewportHeight) / 2).squareRoot()
    }
  }

  /// Returns a length in user units. Font metrics are those that CSS assumes in the absence of a font: `ex` and `ch`
  /// are half an em.
  func resolve(_ length: Length, _ direction: Direction) -> Double {
    resolveUnit(length, direction) + length.userUnits
  }

  private func resolveUnit(_ length: Length, _ direction: Direction) -> Double {
    switch length.unit {
    case .none: length.value
    case .percent: length.value / 100 * percentBase(direction)
    case .em: length.value * fontSize
    case .ex, .ch: length.value * fontSize / 2
    case .ic: length.value * fontSize
    case .rem: length.value * rootFontSize
    // A `normal` line height is about 1.2.
    case .lineHeight: length.value * fontSize * 1.2
    case .viewportWidth: length.value / 100 * viewportWidth
    case .viewportHeight: length.value / 100 * viewportHeight
    case .viewportMinimum: length.value / 100 * min(viewportWidth, viewportHeight)
    case .viewportMaximum: length.value / 100 * max(viewportWidth, viewportHeight)
    }
  }
}

/// Parses a number or a percentage as a fraction; `nil` for any other value.
func parseFraction(_ bytes: Span<UInt8>) -> Double? {
  var scanner = TextScanner(bytes)
  scanner.skipSpace()
  guard let value = scanner.number() else { return nil }
  let isPercentage = scanner.take(UInt8(ascii: "%"))
  scanner.skipSpace()
  guard scanner.isAtEnd else { return nil }
  return isPercentage ? value / 100 : value
}

/// Reads an angle in degrees, as used by `orient` and CSS rotations.
func parseAngle(_ scanner: inout TextScanner) -> Double? {
  guard let value = scanner.number() else { return nil }
  let word = scanner.word()
  if word.count == 0 || isKeyword(word, "deg") { return value }
  if isKeyword(word, "rad") { return value * 180 / .pi }
  if isKeyword(word, "grad") { return value * 0.9 }
  if isKeyword(word, "turn") { return value * 360 }
  return nil
}
