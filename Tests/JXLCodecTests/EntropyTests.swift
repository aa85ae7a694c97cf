// Parts of the entropy decoder, compared with slow implementations.

import JXLCodec
import TestSupport
import Testing

@Suite struct EntropyTests {
  /// Each symbol has as many states as its probability, with all offsets below it.
  @Test(arguments: [5, 6, 7, 8])
  func aliasTablesDivideTheStates(logSize: Int) {
    var random = TestRandom(UInt64(logSize))
    for symbolCount in [2, 3, 17, 1 << logSize] {
      var probabilities = [UInt16](repeating: 1, count: symbolCount)
      for _ in 0..<4096 - symbolCount {
        // Skewed, so that some symbols have most of the states.
        let bound = Int.random(in: 1...symbolCount, using: &random)
        probabilities[Int.random(in: 0..<bound, using: &random)] += 1
      }
      let entries = AliasTable.entries(probabilities, logAlphabetSize: logSize)
      var offsets = [[Int]](repeating: [], count: symbolCount)
      let bucketSize = 4096 >> logSize
      for state in 0..<4096 {
        let (bucket, position) = state.quotientAndRemainder(dividingBy: bucketSize)
        let entry = entries[bucket]
        let isOther = position >= Int(entry & 0xFF)
        let symbol = isOther ? Int(entry >> 8 & 0xFF) : bucket
        offsets[symbol].append(position + (isOther ? Int(entry >> 16 & 0xFFFF) : 0))
        #expect(UInt64(probabilities[symbol]) == entry >> (isOther ? 48 : 32) & 0xFFFF)
      }
      for symbol in 0..<symbolCount { #expect(offsets[symbol].sorted() == Array(0..<Int(probabilities[symbol]))) }
    }
  }

  @Test func lehmerCodes() {
    var random = TestRandom(3)
    for count in [0, 1, 2, 7, 100, 257] {
      let digits = (0..<count).map { Int.random(in: 0..<(count - $0), using: &random) }
      var unused = Array(0..<count)
      #expect(Permutation.elements(digits) == digits.map { unused.remove(at: $0) })
    }
  }

  @Test func moveToFront() {
    var map: [UInt8] = [1, 1, 0, 2, 2, 255]
    ContextMap.invertMoveToFront(&map)
    // The list is 0, 1, 2, … at first; each entry is the place of a value, which moves to the front.
    #expect(map == [1, 0, 0, 2, 1, 255])
  }

  @Test func signedNumbers() {
    #expect([0, 1, 2, 3, 4, .max].map(unpackSigned) == [0, -1, 1, -2, 2, .min])
  }

  @Test func numbersOf64Bits() throws {
    var writer = BitWriter()
    writer.write(0, 2)
    writer.write(1, 2)
    writer.write(5, 4)
    writer.write(2, 2)
    writer.write(200, 8)
    writer.write(3, 2)
    writer.write(0xABC, 12)
    for _ in 0..<6 {
      writer.write(1, 1)
      writer.write(0x5A, 8)
    }
    writer.write(1, 1)
    writer.write(0xF, 4)
    let bytes = writer.bytes
    var bits = BitReader(bytes.span, baseOffset: 0)
    #expect(try bits.readU64() == 0)
    #expect(try bits.readU64() == 6)
    #expect(try bits.readU64() == 217)
    #expect(try bits.readU64() == 0xF5A5_A5A5_A5A5_AABC)
  }
}
