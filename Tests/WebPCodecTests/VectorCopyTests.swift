import TestSupport
import Testing
import WebPCodec

/// Kernels that store several pixels or examine several levels at once, compared with loops.
@Suite struct VectorCopyTests {
  @Test(arguments: 1...3) func packedIndicesBecomeTheirColors(packingBits: Int) {
    var noise = TestRandom(UInt64(20 + packingBits))
    let bits = 8 >> packingBits
    let colors = (0..<1 << bits).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) }
    let groups = colorsOfPackedIndices(colors.span, packingBits: packingBits)
    for count in 0...70 {
      let packed = (0..<count + 1).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) }
      var expected = packed
      for index in 0..<count {
        let byte = Int(packed[index >> packingBits] >> 8 & 0xFF)
        let shift = index % (1 << packingBits) * bits
        expected[index] = colors[(byte >> shift) % (1 << bits)]
      }
      var row = packed
      var span = row.mutableSpan
      expandPackedIndices(&span, count: count, groups: groups.span, packingBits: packingBits)
      #expect(row == expected, "\(count) pixels")
    }
  }

  @Test func onlyFourthBytesAreReplaced() {
    var noise = TestRandom(24)
    for count in 0...70 {
      let samples = noise.bytes(count)
      var pixels = noise.bytes(count * 4 + 3)
      var expected = pixels
      for index in 0..<count { expected[index * 4 + 3] = samples[index] }
      var span = pixels.mutableSpan
      replaceFourthBytes(of: &span, with: samples.span)
      #expect(pixels == expected, "\(count) pixels")
    }
  }

  @Test func nonzeroLevelsAreSetBits() {
    var noise = TestRandom(25)
    for _ in 0..<200 {
      let levels = (0..<24).map { _ in Int16.random(in: -1...1, using: &noise) &* Int16(noise.bytes(1)[0]) }
      for start in 0...8 {
        let mask = nonzeroLanes(levels.span, at: start)
        for index in 0..<16 {
          let isSet = (mask >> UInt16(index)) & 1 == 1
          #expect(isSet == (levels[start + index] != 0))
        }
      }
    }
  }

  @Test func pairsOfPredictionsAreThePredictions() {
    var noise = TestRandom(26)
    for _ in 0..<20 {
      let buffer = noise.bytes(MacroblockLayout.byteCount)
      for block in 0..<16 {
        let place = MacroblockLayout.luma + block / 4 * 4 * MacroblockLayout.stride + block % 4 * 4
        for mode in [0, 2, 4, 6, 8] as [UInt8] {
          let pair = predictedPair(buffer.span, block: block, mode: mode)
          var (first, second) = (buffer, buffer)
          var span = first.mutableSpan
          predictSubblock(&span, block: block, mode: mode)
          var secondSpan = second.mutableSpan
          predictSubblock(&secondSpan, block: block, mode: mode + 1)
          for (y, row) in [pair.r0, pair.r1, pair.r2, pair.r3].enumerated() {
            for x in 0..<4 {
              let index = place + y * MacroblockLayout.stride + x
              #expect(row[x] == Int16(first[index]))
              #expect(row[4 + x] == Int16(second[index]))
            }
          }
        }
      }
    }
  }
}
