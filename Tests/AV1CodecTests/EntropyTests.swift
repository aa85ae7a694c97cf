import AV1Codec
import TestSupport
import Testing

@Suite struct EntropyTests {
  /// A distribution in both forms, at a group of the contexts.
  private struct Distribution {
    var cdf: [Int]
    let group: Int
    let symbolCount: Int

    init(symbolCount: Int, group: Int, _ random: inout TestRandom) {
      var points = Set<Int>()
      while points.count < symbolCount - 1 { points.insert(Int.random(in: 1...32767, using: &random)) }
      (cdf, self.group, self.symbolCount) = (points.sorted() + [32768, 0], group, symbolCount)
    }

    var groupCount: Int { symbolCount <= 4 ? 1 : symbolCount <= 8 ? 2 : 4 }

    func store(_ contexts: CDFContexts) {
      for index in 0..<groupCount { contexts[group + index] = 0 }
      for index in 0..<symbolCount - 1 {
        contexts[group + index / 4] |= UInt64(32768 - cdf[index]) << UInt64(index % 4 * 16)
      }
    }
  }

  @Test(arguments: [true, false])
  func symbolsAreThoseOfTheSpecification(adapts: Bool) {
    var random = TestRandom(3)
    for byteCount in [0, 1, 2, 3, 9, 40, 400] {
      let bytes = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      let contexts = CDFContexts(baseIndex: 0)
      var distributions = (2...16).map { Distribution(symbolCount: $0, group: $0 * 4, &random) }
      for distribution in distributions { distribution.store(contexts) }
      var slow = SlowSymbolDecoder(bytes)
      var decoder = SymbolDecoder(bytes.span, adapts: adapts)
      var mismatches = 0
      for _ in 0..<600 {
        let index = Int.random(in: -1..<distributions.count, using: &random)
        guard index >= 0 else {
          let count = Int.random(in: 1...9, using: &random)
          if decoder.decodeLiteral(count, bytes.span) != slow.decodeLiteral(count) { mismatches += 1 }
          continue
        }
        let (group, count) = (distributions[index].group, distributions[index].symbolCount)
        let symbol =
          switch count {
          case 2: decoder.decodeFlag(group, contexts, bytes.span) ? 1 : 0
          case 3, 4: decoder.decodeSymbol4(group, count: UInt32(count), contexts, bytes.span)
          case 5...8: decoder.decodeSymbol8(group, count: count, contexts, bytes.span)
          default: decoder.decodeSymbol16(group, count: count, contexts, bytes.span)
          }
        if symbol != slow.decode(&distributions[index].cdf, adapts: adapts) { mismatches += 1 }
        if decoder.isExhausted(byteCount: bytes.count) != (slow.maximumBitCount < -14) { mismatches += 1 }
      }
      #expect(mismatches == 0)
    }
  }

  /// Palettes of few colours have distributions of two groups.
  @Test(arguments: 2...8)
  func fewSymbolsMayHaveTwoGroups(_ symbolCount: Int) {
    var random = TestRandom(4)
    let bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
    let contexts = CDFContexts(baseIndex: 0)
    var distribution = Distribution(symbolCount: symbolCount, group: 8, &random)
    contexts[9] = 0
    distribution.store(contexts)
    var slow = SlowSymbolDecoder(bytes)
    var decoder = SymbolDecoder(bytes.span, adapts: true)
    for _ in 0..<100 {
      let symbol = decoder.decodeSymbol8(8, count: symbolCount, contexts, bytes.span)
      #expect(symbol == slow.decode(&distribution.cdf, adapts: true))
    }
  }

  @Test func numbersOfLimitedRangeTakeOneBitLess() {
    var random = TestRandom(6)
    let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    var slow = SlowSymbolDecoder(bytes)
    var decoder = SymbolDecoder(bytes.span, adapts: true)
    for count in 1...40 {
      var width = 0
      while 1 << width <= count { width += 1 }
      let shortCount = 1 << width - count
      var expected = count > 1 ? slow.decodeLiteral(width - 1) : 0
      if count > 1, expected >= shortCount { expected = expected << 1 - shortCount + slow.decodeLiteral(1) }
      #expect(decoder.decodeNonSymmetric(count, bytes.span) == expected)
    }
  }
}
