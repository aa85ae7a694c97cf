// The lengths, percentages and angles of CSS Values 4 that SVG uses.

internal import XMLDocuments

/// A number with a unit.
package struct Length: Hashable, Sendable {
  package enum Unit: Hashable, Sendable {
    /// User units, which equal CSS pixels.
    case none
    case percent
    case em
    case ex
    case ch
    case ic
    case cap
    case rem
    case lineHeight
    case rootLineHeight
    case viewportWidth
    case viewportHeight
    case viewportMinimum
    case viewportMaximum
    case calculated
  }

  package var value: Double
  package var unit: Unit
  /// The calculation whose result is the length, if its operands have several units; the unit is then `calculated`.
  var calculation: Calculation?

  package static let zero = Length(0)

  package init(_ value: Double, _ unit: Unit = .none) {
    self.value = value
    self.unit = unit
  }

  /// Whether the length is relative to a font.
  package var isFontRelative: Bool {
    calculation?.steps.contains { step in
      if case .push(_, let unit) = step { unit.isFontRelative } else { false }
    } ?? unit.isFontRelative
  }

  /// Whether the length is zero whatever its unit refers to.
  package var isZero: Bool { value == 0 && calculation == nil }

  package static func percent(_ value: Double) -> Length { Length(value, .percent) }

  /// Parses a whole value; `nil` unless it consists of a single length.
  package init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let length = Length(scanning: &scanner) else { return nil }
    scanner.skipSpace()
    guard scanner.isAtEnd else { return nil }
    self = length
  }

  /// Reads a length from a list. Absolute units are converted to user units at 96 per inch.
  package init?(scanning scanner: inout TextScanner) {
    let start = scanner.position
    guard let value = scanner.number() else {
      guard let calculation = Calculation.parse(&scanner), calculation.kind != .angle else {
        scanner.position = start
        return nil
      }
      self.init(calculation)
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

  /// Creates a length from a calculation, which is evaluated at once if its operands have a single unit.
  init(_ calculation: Calculation) {
    if let unit = calculation.commonUnit {
      self.init(calculation.evaluate { value, _ in value }, calculation.kind == .number ? .none : unit)
    } else {
      self.init(0, .calculated)
      self.calculation = calculation
    }
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
    case "cap": return (1, .cap)
    case "rem": return (1, .rem)
    case "lh": return (1, .lineHeight)
    case "rlh": return (1, .rootLineHeight)
    case "vw", "vi": return (1, .viewportWidth)
    case "vh", "vb": return (1, .viewportHeight)
    case "vmin": return (1, .viewportMinimum)
    case "vmax": return (1, .viewportMaximum)
    default: return nil
    }
  }
}

extension Length.Unit {
  /// Whether lengths in the unit are relative to a font.
  var isFontRelative: Bool {
    switch self {
    case .em, .ex, .ch, .ic, .cap, .rem, .lineHeight, .rootLineHeight: true
    default: false
    }
  }
}

/// The reference values of relative lengths.
package struct LengthContext: Sendable {
  /// The font size of the element, in user units.
  package var fontSize: Double
  /// The font size of the root element, in user units.
  var rootFontSize: Double
  /// The size of the nearest viewport, in user units.
  package var viewportWidth: Double
  package var viewportHeight: Double
  /// The font of the element; if `nil`, its metrics are those that CSS assumes.
  package var font: FontReference?

  package init(
    fontSize: Double, rootFontSize: Double, viewportWidth: Double, viewportHeight: Double, font: FontReference? = nil
  ) {
    self.fontSize = fontSize
    self.rootFontSize = rootFontSize
    self.viewportWidth = viewportWidth
    self.viewportHeight = viewportHeight
    self.font = font
  }

  package enum Direction: Sendable {
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

  /// Returns a length in user units.
  package func resolve(_ length: Length, _ direction: Direction) -> Double {
    if let calculation = length.calculation { return calculation.evaluate { resolve($0, $1, direction) } }
    return resolve(length.value, length.unit, direction)
  }

  private func resolve(_ value: Double, _ unit: Length.Unit, _ direction: Direction) -> Double {
    switch unit {
    case .none: value
    case .percent: value / 100 * percentBase(direction)
    case .em: value * fontSize
    case .ex: value * fontSize * metrics.ex
    case .ch: value * fontSize * metrics.ch
    case .ic: value * fontSize * metrics.ic
    case .cap: value * fontSize * metrics.cap
    case .rem: value * rootFontSize
    case .lineHeight: value * (font?.lineHeight ?? fontSize * metrics.lineHeight)
    case .rootLineHeight: value * (font?.rootLineHeight ?? rootFontSize * metrics.lineHeight)
    case .viewportWidth: value / 100 * viewportWidth
    case .viewportHeight: value / 100 * viewportHeight
    case .viewportMinimum: value / 100 * min(viewportWidth, viewportHeight)
    case .viewportMaximum: value / 100 * max(viewportWidth, viewportHeight)
    case .calculated: 0
    }
  }

  private var metrics: FontUnitMetrics { font?.metrics ?? .assumed }

  /// Returns a length with font-relative units replaced by user units.
  func absolute(_ length: Length) -> Length {
    if let calculation = length.calculation {
      return Length(calculation.replacing(\.isFontRelative) { resolve($0, $1, .other) })
    }
    return length.unit.isFontRelative ? Length(resolve(length, .other)) : length
  }
}

/// Parses a number or a percentage as a fraction; `nil` for any other value.
package func parseFraction(_ bytes: Span<UInt8>) -> Double? {
  var scanner = TextScanner(bytes)
  scanner.skipSpace()
  guard let value = scanner.number() else {
    guard let calculation = Calculation.parse(&scanner), calculation.kind != .angle, scanner.isAtEnd else { return nil }
    return calculation.evaluate { value, unit in unit == .percent ? value / 100 : value }
  }
  let isPercentage = scanner.take(UInt8(ascii: "%"))
  scanner.skipSpace()
  guard scanner.isAtEnd else { return nil }
  return isPercentage ? value / 100 : value
}

/// Reads an angle in degrees, as used by `orient` and CSS rotations.
package func parseAngle(_ scanner: inout TextScanner) -> Double? {
  guard let value = scanner.number() else {
    guard let calculation = Calculation.parse(&scanner), calculation.kind != .length else { return nil }
    return calculation.evaluate { value, _ in value }
  }
  let word = scanner.word()
  if word.count == 0 || isKeyword(word, "deg") { return value }
  if isKeyword(word, "rad") { return value * 180 / .pi }
  if isKeyword(word, "grad") { return value * 0.9 }
  if isKeyword(word, "turn") { return value * 360 }
  return nil
}
