// The microsyntax common to path data, transforms, points, lengths and colours: numbers, white space, commas.

internal import XMLDocuments

/// Reads numbers and words from a slice of text.
package struct TextScanner: ~Escapable {
  let bytes: Span<UInt8>
  package var position = 0

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { position >= bytes.count }

  /// The next byte; 0 at the end.
  @inline(__always)
  package var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func skipSpace() {
    while position < bytes.count, isSpace(bytes[position]) { position &+= 1 }
  }

  /// Skips white space that contains at most one comma.
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func skipSpaceAndComma() {
    skipSpace()
    if next == UInt8(ascii: ",") {
      position &+= 1
      skipSpace()
    }
  }

  /// Consumes a byte if it is the next one.
  @_lifetime(self: copy self)
  package mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position &+= 1
    return true
  }

  /// Reads a word: letters and hyphens.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func word() -> Span<UInt8> {
    let start = position
    while position < bytes.count {
      guard isWordByte(bytes[position]) else { break }
      position &+= 1
    }
    return bytes.extracting(start..<position)
  }

  /// Reads a number with optional sign, fraction and exponent; `nil` if there is none.
  ///
  /// The result is always finite. An `e` that is not followed by digits is left for the unit (`1em`).
  @_lifetime(self: copy self)
  package mutating func number() -> Double? {
    guard bytes.count &- position > 8 else { return anyNumber() }
    // Most numbers have up to seven digits. Their signs, points and lengths differ from one to the next, and are
    // computed without branches, which would be mispredicted.
    let first = bytes[position]
    let isNegative = first == UInt8(ascii: "-")
    let signLength = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    guard let short = EightBytes(bytes, at: position &+ signLength).shortDecimal else { return anyNumber() }
    position &+= signLength &+ short.length
    return Double(short.mantissa) / signedPowersOfTen[short.fractionLength &+ (isNegative ? 8 : 0)]
  }

  /// Reads a number of any form.
  @inline(never)
  @_lifetime(self: copy self)
  private mutating func anyNumber() -> Double? {
    // The place is a local variable, because a property would be stored after every digit.
    var index = position
    let end = bytes.count
    var isNegative = false
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index &+= 1
    }
    var mantissa: UInt64 = 0
    let wholeStart = index
    var scale = takeDigits(from: &index, to: &mantissa)
    var digitCount = index &- wholeStart
    if index < end, bytes[index] == UInt8(ascii: ".") {
      if index &+ 1 < end, isDigit(bytes[index &+ 1]) {
        index &+= 1
        let fractionStart = index
        scale &+= takeDigits(from: &index, to: &mantissa) &- (index &- fractionStart)
        digitCount &+= index &- fractionStart
      } else if digitCount > 0 {
        // "1." is not a number in SVG 1.1, but is one in SVG 2 and in all implementations.
        index &+= 1
      }
    }
    guard digitCount > 0 else { return nil }
    position = index
    scale = max(-400, min(400, scale &+ exponent()))
    let magnitude = scaled(mantissa, by: scale)
    let value = isNegative ? -magnitude : magnitude
    return value.isFinite ? value : (isNegative ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude)
  }

  /// Appends digits to a mantissa. Returns the number of digits that it has no room for.
  @inline(__always)
  private func takeDigits(from index: inout Int, to mantissa: inout UInt64) -> Int {
    var dropped = 0
    let end = bytes.count
    while index < end {
      let digit = bytes[index] &- 48
      guard digit < 10 else { break }
      if mantissa < 100_000_000_000_000_000 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
      } else {
        dropped &+= 1
      }
      index &+= 1
    }
    return dropped
  }

  /// Reads an exponent; 0 if there is none.
  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func exponent() -> Int {
    guard next | 0x20 == UInt8(ascii: "e") else { return 0 }
    var index = position &+ 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index &+= 1
    }
    guard index < bytes.count, isDigit(bytes[index]) else { return 0 }
    var value = 0
    while index < bytes.count, isDigit(bytes[index]) {
      if value < 10_000 { value = value &* 10 &+ Int(bytes[index] &- 48) }
      index &+= 1
    }
    position = index
    return isNegative ? -value : value
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool {
    byte &- 48 < 10
  }
}

/// Returns `mantissa · 10^scale`.
@inline(__always)
private func scaled(_ mantissa: UInt64, by scale: Int) -> Double {
  if scale == 0 { return Double(mantissa) }
  if scale < 0, scale >= -22 { return Double(mantissa) / powerOfTen(-scale) }
  if scale > 0, scale <= 22 { return Double(mantissa) * powerOfTen(scale) }
  var value = Double(mantissa)
  var rest = abs(scale)
  while rest > 0 {
    let step = min(rest, 22)
    value = scale > 0 ? value * powerOfTen(step) : value / powerOfTen(step)
    rest -= step
  }
  return value
}

/// Returns `10^exponent` for 0…22, all of which are exact.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> Double {
  powersOfTen[exponent]
}

/// The powers of ten with up to seven zeros, then their negatives.
private let signedPowersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, -1, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7,
]

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
