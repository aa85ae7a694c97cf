// Words at any byte, against sums of bytes.

import TestSupport
import Testing
import VectorLanes

struct UnalignedWordTests {
  private static func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  @Test func loadsAreSumsOfBytes() {
    var random = TestRandom(8)
    let bytes = random.bytes(40)
    for index in 0...bytes.count - 8 {
      let eight = bytes[index..<index + 8]
      #expect(loadBigEndian64(bytes.span, at: index) == Self.word(eight))
      #expect(loadLittleEndian64(bytes.span, at: index) == Self.word(eight.reversed()))
    }
    for index in 0...bytes.count - 4 {
      #expect(UInt64(loadLittleEndian32(bytes.span, at: index)) == Self.word(bytes[index..<index + 4].reversed()))
    }
  }

  @Test func storesChangeEightBytes() {
    for index in 0...12 {
      let old = [UInt8](repeating: 0xEE, count: 20)
      let digits: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
      var (big, little) = (old, old)
      var span = big.mutableSpan
      storeBigEndian64(Self.word(digits), into: &span, at: index)
      span = little.mutableSpan
      storeLittleEndian64(Self.word(digits.reversed()), into: &span, at: index)
      let expected = old.prefix(index) + digits + old.suffix(12 - index)
      #expect(big == Array(expected))
      #expect(little == Array(expected))
    }
  }
}
