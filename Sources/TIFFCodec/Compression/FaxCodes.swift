// The codes of runs and modes (ITU-T T.4, tables 2 and 3; T.6, table 1), as data and as lookup tables.

/// The code words of facsimile coding.
package enum FaxCodes {
  /// The codes of white runs of 0…63 pixels.
  package static let whiteTerminating = """
    00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 \
    0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 \
    00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 \
    00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 \
    01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100
    """
  /// The codes of white runs of 64, 128, … 1728 pixels.
  package static let whiteMakeUp = """
    11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 \
    011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 \
    010011010 011000 010011011
    """
  /// The codes of black runs of 0…63 pixels.
  package static let blackTerminating = """
    0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 \
    0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 \
    00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 \
    000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 \
    000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 000001100100 \
    000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 \
    000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111
    """
  /// The codes of black runs of 64, 128, … 1728 pixels.
  package static let blackMakeUp = """
    0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 \
    0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 \
    0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 \
    0000001011011 0000001100100 0000001100101
    """
  /// The codes of runs of 1792, 1856, … 2560 pixels of both colours.
  package static let sharedMakeUp = """
    00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 \
    000000011100 000000011101 000000011110 000000011111
    """
  /// The codes of the modes: vertical with a1 from three to the left of b1 to three to the right, pass, horizontal.
  static let modes = "0000010 000010 010 1 011 000011 0000011 0001 001"
  /// The index of the pass mode in ``modes``. Lower ones are vertical, with a displacement of the index minus 3.
  static let passMode = 7
  /// The index of the horizontal mode in ``modes``.
  static let horizontalMode = 8

  /// A code word: its bits and their number.
  struct Word: Hashable {
    var bits: UInt32
    var length: Int

    init(_ digits: Substring) {
      bits = digits.utf8.reduce(0) { $0 << 1 | UInt32($1 & 1) }
      length = digits.utf8.count
    }
  }

  /// Returns the code words of a list.
  static func words(_ list: String) -> [Word] { list.split(separator: " ").map { Word($0) } }

  /// The code words of a colour with the lengths of their runs.
  static func runs(isBlack: Bool) -> [(run: Int, word: Word)] {
    let terminating = words(isBlack ? blackTerminating : whiteTerminating).enumerated().map { (run: $0, word: $1) }
    let makeUp = words(isBlack ? blackMakeUp : whiteMakeUp) + words(sharedMakeUp)
    return terminating + makeUp.enumerated().map { (run: 64 * ($0 + 1), word: $1) }
  }
}

/// Tables that are indexed by the next bits of the input. An entry is `value << 4 | length`; 0 if no code matches.
struct FaxTables {
  /// The number of bits that index ``white`` and ``black``.
  static let runBitCount = 13
  /// The number of bits that index ``mode``.
  static let modeBitCount = 7

  let white: [UInt16]
  let black: [UInt16]
  /// The values are indices of ``FaxCodes/modes``.
  let mode: [UInt16]

  /// The tables of all decodes.
  static let shared = FaxTables()

  private init() {
    white = Self.table(FaxCodes.runs(isBlack: false), bitCount: Self.runBitCount)
    black = Self.table(FaxCodes.runs(isBlack: true), bitCount: Self.runBitCount)
    mode = Self.table(
      FaxCodes.words(FaxCodes.modes).enumerated().map { (run: $0, word: $1) }, bitCount: Self.modeBitCount)
  }

  private static func table(_ codes: [(run: Int, word: FaxCodes.Word)], bitCount: Int) -> [UInt16] {
    var table = [UInt16](repeating: 0, count: 1 << bitCount)
    for (value, word) in codes {
      let free = bitCount - word.length
      let first = Int(word.bits) << free
      for index in first..<first + 1 << free { table[index] = UInt16(value << 4 | word.length) }
    }
    return table
  }
}
