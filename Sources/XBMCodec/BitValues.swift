// The values between the braces: C integers of 8 or 16 bits, separated by commas.

internal import ImageCoding

/// Reads the array of an X bitmap.
struct BitValues: ~Escapable {
  private var scanner: TextScanner
  /// The number of bits of a value: 8, or 16 in files of X10.
  let bitCount: Int

  /// The number of characters that are passed between two charges.
  private static let portion = 4096

  /// Finds the start of the array; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - workPerCharacter: what each character before the array costs.
  ///   - budget: charged while the characters are passed.
  @_lifetime(copy bytes)
  init?(_ bytes: Span<UInt8>, workPerCharacter: Int, budget: inout ResourceBudget) throws(CodecError) {
    var scanner = TextScanner(bytes, limit: bytes.count)
    while scanner.nextDefinition() != nil {}
    try budget.chargeWork(count: scanner.position, unitsEach: workPerCharacter)
    var isShort = false
    var next = scanner.position
    while let letter = scanner.peek, letter != UInt8(ascii: "{") {
      if scanner.position >= next {
        try budget.chargeWork(count: Self.portion, unitsEach: workPerCharacter, byteOffset: next)
        next += Self.portion
      }
      if letter == UInt8(ascii: "s"), scanner.starts(with: "short") == true { isShort = true }
      scanner.advance()
    }
    guard scanner.peek != nil else { return nil }
    scanner.advance()
    self.scanner = scanner
    bitCount = isShort ? 16 : 8
  }

  /// The offset of the next character.
  var position: Int { scanner.position }

  /// Returns the next value; `nil` at the end of the array or at a character that does not belong to one.
  @_lifetime(self: copy self)
  mutating func next() -> UInt16? {
    skipping: while let letter = scanner.peek {
      switch letter {
      case UInt8(ascii: ","), 0x20, 0x09...0x0D: scanner.advance()
      case UInt8(ascii: "/"):
        guard scanner.starts(with: "/*") == true, scanner.skipPastEndOfComment() else { return nil }
      default: break skipping
      }
    }
    guard let first = scanner.peek, Self.digit(first) ?? 16 < 10 else { return nil }
    var base: UInt32 = 10
    if first == UInt8(ascii: "0") {
      base = 8
      scanner.advance()
      if let letter = scanner.peek, letter | 0x20 == UInt8(ascii: "x") {
        base = 16
        scanner.advance()
      }
    }
    var value: UInt32 = 0
    while let letter = scanner.peek, let digit = Self.digit(letter), digit < base {
      value = value &* base &+ digit
      scanner.advance()
    }
    return UInt16(truncatingIfNeeded: value)
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ letter: UInt8) -> UInt32? {
    switch letter {
    case 0x30...0x39: UInt32(letter - 0x30)
    case 0x41...0x46: UInt32(letter - 0x41 + 10)
    case 0x61...0x66: UInt32(letter - 0x61 + 10)
    default: nil
    }
  }
}
