// The embedded ICC profile: an entropy-coded stream of commands and data (ISO/IEC 18181-1, annex E).

internal import ImageCoding

/// Reads the profile that follows the headers.
enum ICCProfileDecoder {
  /// The maximum size of a profile, of level 10.
  private static let maximumByteCount: UInt64 = 1 << 28

  /// Returns the bytes of the profile, which are not parsed.
  static func read(_ bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let encodedSize = try bits.readU64()
    guard encodedSize <= maximumByteCount else {
      throw bits.error(.malformed, "the encoded ICC profile has \(encodedSize) bytes")
    }
    let count = Int(encodedSize)
    let code = try EntropyCode(parsing: &bits, contextCount: 41, budget: &budget)
    try budget.allocate(count + SymbolReader.windowByteCount(code, valueCount: count))
    var encoded: [UInt8] = []
    encoded.reserveCapacity(count)
    var symbols = SymbolReader(&bits, code)
    var (previous, last): (UInt8, UInt8) = (0, 0)
    for index in 0..<count {
      if index % 4096 == 0 {
        try budget.chargeWork(min(4096, count - index) * 20, byteOffset: bits.byteOffset)
        try bits.checkEnd()
      }
      let context = index <= 128 ? 0 : 1 + lastContext(last) + 8 * previousContext(previous)
      let value = symbols.read(context: context, code, &bits)
      guard value < 256 else { throw bits.error(.malformed, "a byte of the ICC profile is \(value)") }
      (previous, last) = (last, UInt8(truncatingIfNeeded: value))
      encoded.append(last)
    }
    try symbols.finish(&bits, code)
    do throws(CodecError) {
      return try ICCProfileCommands.decode(encoded.span, budget: &budget)
    } catch {
      throw error.located(at: bits.byteOffset, in: JXLDecoder.type)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || byte == 44 || byte == 46 }

  private static func lastContext(_ byte: UInt8) -> Int {
    if isLetter(byte) { return 0 }
    if isDigit(byte) { return 1 }
    switch byte {
    case 0: return 2
    case 1: return 3
    case 2...15: return 4
    case 241...254: return 5
    case 255: return 6
    default: return 7
    }
  }

  private static func previousContext(_ byte: UInt8) -> Int {
    if isLetter(byte) { return 0 }
    if isDigit(byte) { return 1 }
    switch byte {
    case 0...15: return 2
    case 241...255: return 3
    default: return 4
    }
  }
}
