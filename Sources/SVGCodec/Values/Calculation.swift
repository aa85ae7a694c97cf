// calc() of CSS Values 4, limited to results of one relative unit plus user units, such as `calc(100% - 2 * 8px)`.

/// An operand of a calculation: a number or a length.
private enum Operand {
  case number(Double)
  case length(Length)
}

extension Length {
  /// The maximum nesting depth of parentheses.
  private static let maximumDepth = 16

  /// Reads `calc(…)`. Returns `nil` without moving the scanner if there is none, if units do not match, or for sums of
  /// two different relative units.
  init?(scanningCalculation scanner: inout TextScanner) {
    let start = scanner.position
    guard isKeyword(scanner.word(), "calc"), scanner.take(UInt8(ascii: "(")),
      let result = Self.sum(&scanner, depth: 0), scanner.take(UInt8(ascii: ")"))
    else {
      scanner.position = start
      return nil
    }
    switch result {
    case .number(let value): self.init(value)
    case .length(let length): self = length
    }
  }

  private static func sum(_ scanner: inout TextScanner, depth: Int) -> Operand? {
    guard var result = product(&scanner, depth: depth) else { return nil }
    while scanner.next == UInt8(ascii: "+") || scanner.next == UInt8(ascii: "-") {
      let sign: Double = scanner.next == UInt8(ascii: "+") ? 1 : -1
      scanner.position += 1
      guard let term = product(&scanner, depth: depth) else { return nil }
      switch (result, term) {
      case (.number(let first), .number(let second)): result = .number(first + sign * second)
      case (.length(let first), .length(let second)):
        guard let total = first.adding(second, times: sign) else { return nil }
        result = .length(total)
      default: return nil
      }
    }
    return result
  }

  private static func product(_ scanner: inout TextScanner, depth: Int) -> Operand? {
    guard var result = factor(&scanner, depth: depth) else { return nil }
    while scanner.next == UInt8(ascii: "*") || scanner.next == UInt8(ascii: "/") {
      let isDivision = scanner.next == UInt8(ascii: "/")
      scanner.position += 1
      guard let next = factor(&scanner, depth: depth) else { return nil }
      switch (result, next) {
      case (_, .number(0)) where isDivision: return nil
      case (.number(let first), .number(let second)): result = .number(isDivision ? first / second : first * second)
      case (.length(let first), .number(let second)):
        result = .length(first.scaled(by: isDivision ? 1 / second : second))
      case (.number(let first), .length(let second)) where !isDivision: result = .length(second.scaled(by: first))
      default: return nil
      }
    }
    return result
  }

  /// Reads a number, a length or a parenthesised expression, with the white space around it.
  private static func factor(_ scanner: inout TextScanner, depth: Int) -> Operand? {
    scanner.skipSpace()
    defer { scanner.skipSpace() }
    let start = scanner.position
    if scanner.next | 0x20 == UInt8(ascii: "c") {
      guard isKeyword(scanner.word(), "calc"), scanner.next == UInt8(ascii: "(") else { return nil }
    }
    if scanner.take(UInt8(ascii: "(")) {
      guard depth < maximumDepth, let inner = sum(&scanner, depth: depth + 1), scanner.take(UInt8(ascii: ")")) else {
        return nil
      }
      return inner
    }
    guard let value = scanner.number() else { return nil }
    let isPlain = scanner.next != UInt8(ascii: "%") && !isLetter(scanner.next)
    if isPlain { return .number(value) }
    scanner.position = start
    return Length(scanning: &scanner).map { .length($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
  }

  private func scaled(by factor: Double) -> Length {
    var result = self
    result.value *= factor
    result.userUnits *= factor
    return result
  }

  /// Returns the sum with a multiple of another length; `nil` if both have relative units that differ.
  private func adding(_ other: Length, times factor: Double) -> Length? {
    let other = other.scaled(by: factor)
    var result = self
    if unit == other.unit {
      result.value += other.value
    } else if other.unit == .none {
      result.userUnits += other.value
    } else if unit == .none {
      result = other
      result.userUnits += value
      return result.adding(userUnits: userUnits)
    } else {
      return nil
    }
    return result.adding(userUnits: other.userUnits)
  }

  private func adding(userUnits more: Double) -> Length {
    var result = self
    result.userUnits += more
    return result
  }
}
