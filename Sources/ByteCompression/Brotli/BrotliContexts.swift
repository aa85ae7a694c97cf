// Contexts select one of several prefix codes by what precedes a literal, or by the length before a distance (RFC 7932,
// section 7).

/// Context IDs of literals, and context maps.
enum BrotliContexts {
  /// The number of context IDs of literals.
  static let literalCount = 64
  /// The number of context IDs of distances.
  static let distanceCount = 4

  /// For each context mode 512 values: those of the last byte, then those of the byte before it. The context ID is the
  /// disjunction of both.
  static let literalTable: [UInt8] = {
    var table: [UInt8] = []
    for byte in 0..<256 { table.append(UInt8(byte & 63)) }
    table += [UInt8](repeating: 0, count: 256)
    for byte in 0..<256 { table.append(UInt8(byte >> 2)) }
    table += [UInt8](repeating: 0, count: 256)
    table += utf8LastByte
    for byte in UInt8.min...UInt8.max { table.append(utf8EarlierByte(byte)) }
    for byte in UInt8.min...UInt8.max { table.append(magnitude(byte) << 3) }
    for byte in UInt8.min...UInt8.max { table.append(magnitude(byte)) }
    return table
  }()

  /// The class of the last byte of UTF-8 text · 4: punctuation and letters; for bytes that are not ASCII, their parity
  /// and whether they start a character.
  private static let utf8LastByte: [UInt8] = {
    var table = [UInt8](repeating: 0, count: 256)
    func set(_ characters: String, _ value: UInt8) {
      for byte in characters.utf8 { table[Int(byte)] = value }
    }
    for byte in 33...126 { table[byte] = 12 }
    for byte in 65...90 { table[byte] = 52 }
    for byte in 97...122 { table[byte] = 60 }
    for byte in 48...57 { table[byte] = 44 }
    set("\t\n\r", 4)
    set(" ", 8)
    set("\"'", 16)
    set("%", 20)
    set("(<[{", 24)
    set(")>]}", 28)
    set(",:;", 32)
    set(".", 36)
    set("=", 40)
    set("AEIOU", 48)
    set("aeiou", 56)
    for byte in 128..<192 { table[byte] = UInt8(byte & 1) }
    for byte in 192..<256 { table[byte] = UInt8(2 + byte & 1) }
    return table
  }()

  /// The class of the byte before the last one of UTF-8 text.
  private static func utf8EarlierByte(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 224...: 2
    case UInt8(ascii: "a")...UInt8(ascii: "z"): 3
    case 33...126: 1
    default: 0
    }
  }

  /// The class of a byte as a signed number.
  private static func magnitude(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0: 0
    case 1...15: 1
    case 16...63: 2
    case 64...127: 3
    case 128...191: 4
    case 192...239: 5
    case 240...254: 6
    default: 7
    }
  }

  /// Reads the number of prefix codes and the map from block type and context ID to the number of the code.
  ///
  /// - Parameter size: the number of block types · the number of context IDs.
  static func readMap(
    size: Int, _ bits: inout BrotliBits, _ input: Span<UInt8>
  ) throws(BrotliDamage) -> (codeCount: Int, map: [UInt8]) {
    let codeCount = readCount(&bits, input)
    var map = [UInt8](repeating: 0, count: size)
    if codeCount == 1 { return (1, map) }
    let maximumRunBits = bits.read(1, input) == 0 ? 0 : bits.read(4, input) + 1
    let codes = try BrotliCodes(count: 1, alphabetSize: codeCount + maximumRunBits, &bits, input)
    var index = 0
    while index < size {
      let symbol = codes.symbol(0, &bits, input)
      if symbol > maximumRunBits {
        map[index] = UInt8(truncatingIfNeeded: symbol - maximumRunBits)
        index += 1
      } else {
        let run = symbol == 0 ? 1 : 1 << symbol + bits.read(symbol, input)
        guard run <= size - index else { throw BrotliDamage("a context map is too long") }
        index += run
      }
    }
    if bits.isPastEnd(of: input) { throw BrotliDamage("the stream ends inside a context map") }
    if bits.read(1, input) == 1 { invertMoveToFront(&map) }
    return (codeCount, map)
  }

  private static func invertMoveToFront(_ map: inout [UInt8]) {
    var order = Array(UInt8.min...UInt8.max)
    for position in map.indices {
      let index = Int(map[position])
      let value = order[index]
      map[position] = value
      if index > 0 {
        order.remove(at: index)
        order.insert(value, at: 0)
      }
    }
  }

  /// Reads the number of block types or of prefix codes, 1…256.
  static func readCount(_ bits: inout BrotliBits, _ input: Span<UInt8>) -> Int {
    guard bits.read(1, input) == 1 else { return 1 }
    let extraBits = bits.read(3, input)
    return 1 + 1 << extraBits + bits.read(extraBits, input)
  }
}
