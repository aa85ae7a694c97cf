// The encoder's vector kernels against libjpeg's scalar definitions.

import JPEGCodec
import TestSupport
import Testing

@Suite struct EncoderKernelTests {
  /// `jpeg_fdct_islow` of libjpeg's jfdctint.c on samples around zero; results are scaled by 8.
  private func slowForwardDCT(_ samples: [Int]) -> [Int] {
    func descale(_ value: Int, _ shift: Int) -> Int { (value + 1 << (shift - 1)) >> shift }
    func transform(_ v: [Int], _ isRow: Bool) -> [Int] {
      let (t0, t7, t1, t6) = (v[0] + v[7], v[0] - v[7], v[1] + v[6], v[1] - v[6])
      let (t2, t5, t3, t4) = (v[2] + v[5], v[2] - v[5], v[3] + v[4], v[3] - v[4])
      let (t10, t13, t11, t12) = (t0 + t3, t0 - t3, t1 + t2, t1 - t2)
      let shift = isRow ? 11 : 15
      var out = [Int](repeating: 0, count: 8)
      out[0] = isRow ? (t10 + t11) << 2 : descale(t10 + t11, 2)
      out[4] = isRow ? (t10 - t11) << 2 : descale(t10 - t11, 2)
      let z = (t12 + t13) * 4433
      out[2] = descale(z + t13 * 6270, shift)
      out[6] = descale(z - t12 * 15137, shift)
      let z5 = (t4 + t6 + t5 + t7) * 9633
      let z1 = -(t4 + t7) * 7373
      let z2 = -(t5 + t6) * 20995
      let z3 = -(t4 + t6) * 16069 + z5
      let z4 = -(t5 + t7) * 3196 + z5
      out[7] = descale(t4 * 2446 + z1 + z3, shift)
      out[5] = descale(t5 * 16819 + z2 + z4, shift)
      out[3] = descale(t6 * 25172 + z2 + z3, shift)
      out[1] = descale(t7 * 12299 + z1 + z4, shift)
      return out
    }
    var block = samples
    for row in 0..<8 {
      block.replaceSubrange(row * 8..<row * 8 + 8, with: transform(Array(block[row * 8..<row * 8 + 8]), true))
    }
    for column in 0..<8 {
      let result = transform((0..<8).map { block[$0 * 8 + column] }, false)
      for row in 0..<8 { block[row * 8 + column] = result[row] }
    }
    return block
  }

  @Test func blocksAreTransformedAndDividedAsByLibjpeg() {
    var noise = TestRandom(21)
    for round in 0..<600 {
      let stride = 8 + round % 13
      let start = round % 5
      let samples = (0..<start + 7 * stride + 8).map { _ -> UInt8 in
        switch round % 4 {
        case 0: UInt8(truncatingIfNeeded: noise.next())
        case 1: noise.next() % 2 == 0 ? 0 : 255
        case 2: UInt8(120 + noise.next() % 16)
        default: round % 8 == 3 ? 0 : 255
        }
      }
      let largest = [1, 3, 16, 255, 6_050][round % 5]
      let steps = (0..<64).map { _ in UInt16(1 + noise.next() % UInt64(largest)) }
      var block = [Int16](repeating: 99, count: 64)
      var output = block.mutableSpan
      let mask = forwardDCT(
        samples.span, at: start, stride: stride, divisors: BlockQuantizer(naturalSteps: steps).divisors.span,
        into: &output)
      let transformed = slowForwardDCT(
        (0..<64).map { Int(samples[start + $0 / 8 * stride + $0 % 8]) - 128 })
      // The same in two steps.
      var unquantized = [Int16](repeating: 99, count: 64)
      var unquantizedSpan = unquantized.mutableSpan
      forwardDCT(samples.span, at: start, stride: stride, into: &unquantizedSpan)
      #expect(unquantized.map { Int($0) } == transformed)
      var later = [Int16](repeating: 99, count: 64)
      var laterSpan = later.mutableSpan
      let divisors = BlockQuantizer(naturalSteps: steps).divisors
      let laterMask = quantize(unquantized.span, divisors: divisors.span, into: &laterSpan)
      #expect(later == block && laterMask == mask)
      let expected = zip(transformed, steps).map { value, step -> Int16 in
        let divisor = Int(step) * 8
        let quotient = (abs(value) + divisor / 2) / divisor
        return Int16(value < 0 ? -quotient : quotient)
      }
      #expect(block == expected)
      #expect(mask == expected.enumerated().reduce(UInt64(0)) { $1.element == 0 ? $0 : $0 | 1 << UInt64($1.offset) })
    }
  }

  @Test func reciprocalsDivideExactly() {
    // Every magnitude that the transform can produce, by every step that libjpeg's tables can have.
    for step in Array(1...300) + Array(stride(from: 301, through: 6_050, by: 37)) {
      let words = BlockQuantizer(naturalSteps: [UInt16](repeating: UInt16(step), count: 64)).divisors
      let (reciprocal, correction, scale) = (UInt32(words[0]), UInt32(words[64]), UInt32(words[128]))
      let divisor = UInt32(step) * 8
      var isExact = true
      for magnitude in UInt32(0)...16_384 {
        let quotient = ((((magnitude + correction) * reciprocal) >> 16) * scale) >> 16
        if quotient != (magnitude + divisor / 2) / divisor { isExact = false }
      }
      #expect(isExact, "step \(step)")
    }
  }

  @Test func averagesAreThoseOfLibjpeg() {
    var noise = TestRandom(22)
    for count in Array(0...40) + [100, 257] {
      let upper = (0..<2 * count).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      let lower = (0..<2 * count).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
      var columns = [UInt8](repeating: 0, count: count)
      var both = columns
      var columnOutput = columns.mutableSpan
      halveColumns(upper.span, count: count, into: &columnOutput)
      var bothOutput = both.mutableSpan
      halveBoth(upper.span, lower.span, count: count, into: &bothOutput)
      for x in 0..<count {
        let pair = Int(upper[2 * x]) + Int(upper[2 * x + 1])
        let four = pair + Int(lower[2 * x]) + Int(lower[2 * x + 1])
        #expect(Int(columns[x]) == (pair + x % 2) >> 1)
        #expect(Int(both[x]) == (four + 1 + x % 2) >> 2)
      }
    }
  }

  /// The total length of the codes of an unlimited Huffman tree: the sum of all inner nodes.
  private func treeCost(_ counts: [Int]) -> Int {
    var nodes = counts.filter { $0 > 0 }
    var cost = 0
    while nodes.count > 1 {
      nodes.sort(by: >)
      let sum = nodes.removeLast() + nodes.removeLast()
      cost += sum
      nodes.append(sum)
    }
    return cost
  }

  @Test func tablesAreOptimalAndLimited() throws {
    var noise = TestRandom(23)
    for round in 0..<60 {
      let used = 1 + Int(noise.next() % 40)
      var counts = [Int](repeating: 0, count: 256)
      for _ in 0..<used { counts[Int(noise.next() % 256)] = 1 + Int(noise.next() % 1_000) }
      // Fibonacci numbers make the deepest trees.
      if round % 3 == 0 {
        var (a, b) = (1, 1)
        for symbol in 0..<38 {
          counts[symbol] = a
          (a, b) = (b, a + b)
        }
      }
      let table = try #require(HuffmanTable(optimalFor: counts))
      var lengths: [UInt8: Int] = [:]
      var place = 0
      for (index, count) in table.counts.enumerated() {
        for _ in 0..<count {
          lengths[table.symbols[place]] = index + 1
          place += 1
        }
      }
      #expect(Set(lengths.keys) == Set(counts.indices.filter { counts[$0] > 0 }.map { UInt8($0) }))
      // Room for the code of all ones.
      #expect(lengths.values.reduce(0) { (sum: Int, length) in sum + 1 << (16 - length) } < 1 << 16)
      if round % 3 != 0 {
        let cost = counts.enumerated().reduce(0) { $0 + $1.element * (lengths[UInt8($1.offset)] ?? 0) }
        let least = treeCost(counts + [1])
        // The reserved code costs the bit by which the rarest symbols are longer.
        #expect(cost <= least && cost >= treeCost(counts))
      }
    }
  }
}
