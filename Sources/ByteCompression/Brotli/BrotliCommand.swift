// Insert-and-copy lengths (RFC 7932, section 5).

/// The numbers of one symbol of the alphabet of commands.
struct BrotliCommand: Sendable {
  var insertCount: Int32
  var insertExtraBits: Int32
  var copyCount: Int32
  var copyExtraBits: Int32
  /// Whether the distance is the last one and is not coded.
  var repeatsDistance: Bool

  static let symbolCount = 704

  /// The commands by symbol.
  static let all: [BrotliCommand] = {
    let inserts = BrotliCodedNumbers(
      first: 0, extraBits: [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24])
    let copies = BrotliCodedNumbers(
      first: 2, extraBits: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24])
    // The symbols consist of cells of 8 × 8 codes: the first insert code and the first copy code of each.
    let cells = [
      (0, 0), (0, 8), (0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (16, 0), (8, 16), (16, 8), (16, 16),
    ]
    return (0..<symbolCount).map { symbol in
      let cell = cells[symbol >> 6]
      let insert = inserts[cell.0 + symbol >> 3 & 7]
      let copy = copies[cell.1 + symbol & 7]
      return BrotliCommand(
        insertCount: Int32(insert.first), insertExtraBits: Int32(insert.extraBits), copyCount: Int32(copy.first),
        copyExtraBits: Int32(copy.extraBits), repeatsDistance: symbol < 128)
    }
  }()
}
