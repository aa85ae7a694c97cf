import JPEGCodec
import TestSupport
import Testing

private func lookup(_ table: HuffmanTable, isDC: Bool) -> [Int32] {
  var words = [Int32](repeating: 0, count: HuffmanLookup.wordCount)
  var span = words.mutableSpan
  HuffmanLookup.build(table, isDC: isDC, into: &span)
  return words
}

@Suite struct EntropyTests {
  @Test func blocksComeBackFromTheirCodes() throws {
    let places = (0..<80).map { UInt32(min($0, 63)) | 1 << 8 }
    var noise = TestRandom(8)
    for index in 0..<2 {
      let dc = try #require(HuffmanTable.standardDC(index))
      let ac = try #require(HuffmanTable.standardAC(index))
      let (dcCodes, acCodes) = (codes(dc), codes(ac))
      let (dcWords, acWords) = (lookup(dc, isDC: true), lookup(ac, isDC: false))
      var writer = BitWriter()
      var blocks: [[Int]] = []
      for round in 0..<500 {
        var block = [Int](repeating: 0, count: 64)
        block[0] = Int.random(in: -2047...2047, using: &noise) >> (round % 11)
        for place in 1..<64 where noise.next() % UInt64(1 + round % 40) == 0 {
          block[place] = Int.random(in: -1023...1023, using: &noise) >> (round % 10)
        }
        blocks.append(block)
        try writer.write(block, dcCodes, acCodes)
      }
      let bytes = writer.finish()
      var reader = EntropyReader(position: 0)
      for expected in blocks {
        var block = [Int16](repeating: 0, count: 64)
        var target = block.mutableSpan
        target[0] = Int16(reader.readDifference(bytes.span, dcWords.span, table: 0))
        let last = reader.readACCoefficients(
          bytes.span, acWords.span, table: 0, places.span, placesStart: 0, into: &target)
        #expect(block.map { Int($0) } == expected)
        #expect(last == (expected.indices.last { $0 > 0 && expected[$0] != 0 } ?? 0))
      }
      #expect(!reader.overrun && !reader.foundInvalidCode)
    }
  }

  @Test func zerosFollowTheEndAndAreCounted() {
    var reader = EntropyReader(position: 0)
    let bytes: [UInt8] = [0xAB, 0xFF, 0x00, 0xFF, 0xD9]
    reader.refill(bytes.span)
    #expect(reader.peek(16) == 0xABFF)
    reader.skip(16)
    #expect(!reader.overrun)
    #expect(reader.peek(8) == 0)
    reader.skip(1)
    #expect(reader.overrun)
    #expect(reader.position == 3)
  }

  @Test func contradictoryTablesAreRefused() {
    #expect(HuffmanTable(counts: [3] + [UInt8](repeating: 0, count: 15), symbols: [1, 2, 3]) == nil)
    #expect(HuffmanTable(counts: [1, 3] + [UInt8](repeating: 0, count: 14), symbols: [1, 2, 3, 4]) == nil)
    #expect(HuffmanTable(counts: [1] + [UInt8](repeating: 0, count: 15), symbols: []) == nil)
    #expect(HuffmanTable(counts: [1, 1] + [UInt8](repeating: 0, count: 14), symbols: [1, 2]) != nil)
  }

  @Test func extendIsThatOfTheSpecification() {
    #expect((0..<8).map { HuffmanLookup.extend($0, size: 3) } == [-7, -6, -5, -4, 4, 5, 6, 7])
    #expect(HuffmanLookup.extend(0, size: 0) == 0)
  }
}
