import JPEGCodec
import Testing

/// Writes codes bit by bit, stuffed. ITU-T T.81, sections C.2 and F.1.2.
private struct BitWriter {
  var bytes: [UInt8] = []
  private var bits: [Bool] = []

  mutating func append(_ value: Int, count: Int) {
    for position in (0..<count).reversed() { bits.append(value >> position & 1 == 1) }
    while bits.count >= 8 {
      let byte = bits.prefix(8).reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      bits.removeFirst(8)
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
  }

  mutating func finish() -> [UInt8] {
    while !bits.isEmpty { append(1, count: 1) }
    return bytes
  }
}

/// Codes of all symbols, counted up length by length.
private func codes(_ table: HuffmanTable) -> [UInt8: (code: Int, length: Int)] {
  var result: [UInt8: (code: Int, length: Int)] = [:]
  var code = 0
  var place = 0
  for length in 1...16 {
    for _ in 0..<table.counts[length - 1] {
      result[table.symbols[place]] = (code, length)
      code += 1
      place += 1
    }
    code <<= 1
  }
  return result
}

/// The number of extra bits of a value and the bits themselves.
private func extraBits(_ value: Int) -> (size: Int, bits: Int) {
  var size = 0
  while abs(value) >> size != 0 { size += 1 }
  return (size, value < 0 ? value + (1 << size) - 1 : value)
}

private func lookup(_ table: HuffmanTable, isDC: Bool) -> [Int32] {
  var words = [Int32](repeating: 0, count: HuffmanLookup.wordCount)
  var span = words.mutableSpan
  HuffmanLookup.build(table, isDC: isDC, into: &span)
  return words
}

@Suite struct EntropyTests {
  @Test func blocksComeBackFromTheirCodes() throws {
    let places = (0..<80).map { UInt32(min($0, 63)) | 1 << 8 }
    var noise = Noise(8)
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
        try write(block, dcCodes, acCodes, to: &writer)
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

  private func write(
    _ block: [Int], _ dcCodes: [UInt8: (code: Int, length: Int)], _ acCodes: [UInt8: (code: Int, length: Int)],
    to writer: inout BitWriter
  ) throws {
    func put(_ symbol: Int, _ codes: [UInt8: (code: Int, length: Int)]) throws {
      let code = try #require(codes[UInt8(symbol)])
      writer.append(code.code, count: code.length)
    }
    let dc = extraBits(block[0])
    try put(dc.size, dcCodes)
    writer.append(dc.bits, count: dc.size)
    var run = 0
    for value in block.dropFirst() {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        try put(0xF0, acCodes)
        run -= 16
      }
      let extra = extraBits(value)
      try put(run << 4 | extra.size, acCodes)
      writer.append(extra.bits, count: extra.size)
      run = 0
    }
    if run > 0 { try put(0, acCodes) }
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
