// Streams for the tests of decompressors: written bit by bit, and bytes that are worth compressing.

import TestSupport

/// Writes DEFLATE streams bit by bit. RFC 1951, section 3.1.1.
struct BitStreamBuilder {
  private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  /// Appends a number, least significant bit first.
  mutating func number(_ value: Int, _ count: Int) {
    for bit in 0..<count { append(value >> bit & 1) }
  }

  /// Appends a prefix code, most significant bit first.
  mutating func code(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { append(value >> bit & 1) }
  }

  /// Appends a literal or length symbol by the fixed code. RFC 1951, section 3.2.6.
  mutating func fixedSymbol(_ symbol: Int) {
    switch symbol {
    case ..<144: code(0x30 + symbol, 8)
    case ..<256: code(0x190 + symbol - 144, 9)
    case ..<280: code(symbol - 256, 7)
    default: code(0xC0 + symbol - 280, 8)
    }
  }

  /// Appends a match of three bytes with the fixed codes.
  mutating func fixedMatch(distanceSymbol: Int, extra: Int, extraCount: Int) {
    fixedSymbol(257)
    code(distanceSymbol, 5)
    number(extra, extraCount)
  }

  /// Appends the start of a dynamic block, whose code of lengths has the given lengths for 0…18.
  mutating func dynamicHeader(literals: Int, distances: Int, codeLengths: [Int], isFinal: Bool = true) {
    number(isFinal ? 5 : 4, 3)
    number(literals - 257, 5)
    number(distances - 1, 5)
    number(19 - 4, 4)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] { number(codeLengths[symbol], 3) }
  }

  /// Appends a stored block.
  mutating func stored(_ content: [UInt8], isFinal: Bool = false) {
    number(isFinal ? 1 : 0, 3)
    if bitCount % 8 > 0 { number(0, 8 - bitCount % 8) }
    number(content.count, 16)
    number(content.count ^ 0xFFFF, 16)
    bytes += content
    bitCount += content.count * 8
  }

  private mutating func append(_ bit: Int) {
    if bitCount % 8 == 0 { bytes.append(0) }
    bytes[bytes.count - 1] |= UInt8(bit) << UInt8(bitCount % 8)
    bitCount += 1
  }
}

enum DeflateSamples {
  /// Data with literals, short and long matches of all distances.
  static func mixture(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = TestRandom(seed)
    func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      if bytes.count > 4, number(3) == 0 {
        let distance = 1 + number(min(bytes.count, number(4) == 0 ? 32_768 : 40))
        for _ in 0..<3 + number(number(5) == 0 ? 400 : 20) { bytes.append(bytes[bytes.count - distance]) }
      } else {
        for _ in 0..<1 + number(30) { bytes.append(UInt8(number(number(2) == 0 ? 256 : 20))) }
      }
    }
    return Array(bytes.prefix(count))
  }

  /// Raw streams that are invalid, with the reasons of zlib.
  static let invalid: [(name: String, bytes: [UInt8], reason: String)] = {
    func stream(_ build: (inout BitStreamBuilder) -> Void) -> [UInt8] {
      var builder = BitStreamBuilder()
      build(&builder)
      return builder.bytes + [UInt8](repeating: 0, count: 400)
    }
    func dynamic(_ lengths: [Int: Int], _ build: (inout BitStreamBuilder) -> Void) -> [UInt8] {
      stream {
        $0.dynamicHeader(literals: 257, distances: 1, codeLengths: (0..<19).map { lengths[$0] ?? 0 })
        build(&$0)
      }
    }
    return [
      ("block type", stream { $0.number(7, 3) }, "invalid block type"),
      ("stored length", stream { $0.number(1, 40) }, "invalid stored block lengths"),
      ("287 literals", stream { $0.number(5 | 30 << 3, 40) }, "too many length or distance symbols"),
      ("31 distances", stream { $0.number(5 | 30 << 8, 40) }, "too many length or distance symbols"),
      ("over-subscribed code of lengths", dynamic([0: 1, 1: 1, 2: 1]) { _ in }, "invalid code lengths set"),
      ("incomplete code of lengths", dynamic([0: 2, 1: 1]) { _ in }, "invalid code lengths set"),
      ("single code of lengths", dynamic([1: 1]) { _ in }, "invalid code lengths set"),
      ("no code of lengths", dynamic([:]) { _ in }, "invalid code -- missing end-of-block"),
      ("repetition of nothing", dynamic([0: 1, 16: 1]) { $0.code(1, 1) }, "invalid bit length repeat"),
      (
        "too many repetitions",
        dynamic([0: 1, 18: 1]) {
          for _ in 0..<3 {
            $0.code(1, 1)
            $0.number(127, 7)
          }
        }, "invalid bit length repeat"
      ),
      ("no end of block", dynamic([0: 1, 18: 1]) { _ in }, "invalid code -- missing end-of-block"),
      (
        "over-subscribed literals",
        dynamic([1: 1, 2: 1]) { for _ in 0..<258 { $0.code(0, 1) } }, "invalid literal/lengths set"
      ),
      (
        "incomplete literals",
        dynamic([0: 1, 2: 1]) {
          for _ in 0..<256 { $0.code(0, 1) }
          for _ in 0..<2 { $0.code(1, 1) }
        }, "invalid literal/lengths set"
      ),
      (
        "incomplete distances",
        dynamic([0: 1, 1: 2, 2: 2]) {
          for _ in 0..<255 { $0.code(0, 1) }
          for _ in 0..<2 { $0.code(2, 2) }
          $0.code(3, 2)
        }, "invalid distances set"
      ),
      (
        "unused literal of a single code",
        dynamic([0: 1, 1: 1]) {
          for _ in 0..<256 { $0.code(0, 1) }
          for _ in 0..<2 { $0.code(1, 1) }
          $0.code(1, 1)
        }, "invalid literal/length code"
      ),
      (
        "length symbol 286",
        stream {
          $0.number(3, 3); $0.fixedSymbol(286)
        }, "invalid literal/length code"
      ),
      (
        "length symbol 287",
        stream {
          $0.number(3, 3); $0.fixedSymbol(287)
        }, "invalid literal/length code"
      ),
      (
        "distance symbol 30",
        stream {
          $0.number(3, 3)
          $0.fixedSymbol(65)
          $0.fixedMatch(distanceSymbol: 30, extra: 0, extraCount: 0)
        }, "invalid distance code"
      ),
      (
        "distance symbol 31",
        stream {
          $0.number(3, 3)
          $0.fixedSymbol(65)
          $0.fixedMatch(distanceSymbol: 31, extra: 0, extraCount: 0)
        }, "invalid distance code"
      ),
      (
        "distance before the start",
        stream {
          $0.number(3, 3)
          $0.fixedSymbol(65)
          $0.fixedMatch(distanceSymbol: 1, extra: 0, extraCount: 0)
        }, "invalid distance too far back"
      ),
      (
        "the longest distance, one byte too early",
        stream {
          $0.stored([UInt8](repeating: 1, count: 32_767))
          $0.number(3, 3)
          $0.fixedMatch(distanceSymbol: 29, extra: 8191, extraCount: 13)
        }, "invalid distance too far back"
      ),
    ]
  }()
}
