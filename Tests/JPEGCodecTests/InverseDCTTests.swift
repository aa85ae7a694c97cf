import JPEGCodec
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The transform by its definition, in double precision. ITU-T T.81, section A.3.3.
private func definition(_ block: [Int]) -> [Double] {
  var result: [Double] = []
  for y in 0..<8 {
    for x in 0..<8 {
      var sum = 0.0
      for v in 0..<8 {
        for u in 0..<8 where block[v * 8 + u] != 0 {
          let scale = (u == 0 ? 0.5.squareRoot() : 1) * (v == 0 ? 0.5.squareRoot() : 1)
          sum +=
            scale * Double(block[v * 8 + u]) * cos(Double((2 * x + 1) * u) * .pi / 16)
            * cos(Double((2 * y + 1) * v) * .pi / 16)
        }
      }
      result.append(sum / 4 + 128)
    }
  }
  return result
}

/// One dimension of the scalar integer transform: butterflies of Loeffler, Ligtenberg and Moschytz, 13 fraction bits.
private func butterflies(_ input: [Int32], shift: Int32) -> [Int32] {
  let z1 = (input[2] &+ input[6]) &* 4433
  let even2 = z1 &- input[6] &* 15137
  let even3 = z1 &+ input[2] &* 6270
  let sum = (input[0] &+ input[4]) &* 8192
  let difference = (input[0] &- input[4]) &* 8192
  let even = [sum &+ even3, difference &+ even2, difference &- even2, sum &- even3]
  let z5 = (input[7] &+ input[3] &+ input[5] &+ input[1]) &* 9633
  let a = (input[7] &+ input[1]) &* -7373
  let b = (input[5] &+ input[3]) &* -20995
  let c = (input[7] &+ input[3]) &* -16069 &+ z5
  let d = (input[5] &+ input[1]) &* -3196 &+ z5
  let odd = [
    input[1] &* 12299 &+ a &+ d, input[3] &* 25172 &+ b &+ c, input[5] &* 16819 &+ b &+ d, input[7] &* 2446 &+ a &+ c,
  ]
  let round: Int32 = 1 << (shift - 1)
  return (0..<8).map { index in
    let value = index < 4 ? even[index] &+ odd[index] : even[7 - index] &- odd[7 - index]
    return min(max((value &+ round) >> shift, -32768), 32767)
  }
}

/// The scalar integer transform, saturated to 16 bits between the passes as vector units do.
private func scalar(_ block: [Int]) -> [UInt8] {
  var work = block.map { Int32($0) }
  for x in 0..<8 {
    let column = butterflies((0..<8).map { work[$0 * 8 + x] }, shift: 11)
    for y in 0..<8 { work[y * 8 + x] = column[y] }
  }
  for y in 0..<8 {
    let row = butterflies((0..<8).map { work[y * 8 + $0] }, shift: 18)
    for x in 0..<8 { work[y * 8 + x] = row[x] }
  }
  return work.map { UInt8(min(max($0 + 128, 0), 255)) }
}

/// Returns the samples that the kernel computes for a block in natural order.
private func kernel(_ block: [Int], _ sparsity: BlockSparsity) -> [UInt8] {
  var paired = [Int16](repeating: 0, count: 64)
  for (index, value) in block.enumerated() {
    paired[Int(CoefficientOrder.pairedIndex(natural: UInt8(index)))] = Int16(value)
  }
  var plane = [UInt8](repeating: 7, count: 3 + 7 * 11 + 8 + 5)
  var samples = plane.mutableSpan
  inverseDCT(paired.span, sparsity, into: &samples, at: 3, stride: 11)
  #expect(plane.prefix(3) == [7, 7, 7] && plane.suffix(5) == [7, 7, 7, 7, 7])
  return (0..<8).flatMap { plane[3 + $0 * 11..<3 + $0 * 11 + 8] }
}

private func block(_ noise: inout TestRandom, coefficients: Int, range: Int) -> [Int] {
  var block = [Int](repeating: 0, count: 64)
  for index in 0..<coefficients {
    block[Int(CoefficientOrder.natural[index])] = Int.random(in: -range...range, using: &noise)
  }
  return block
}

@Suite struct InverseDCTTests {
  @Test func isWithinOneOfTheDefinition() {
    var noise = TestRandom(1)
    for round in 0..<400 {
      let block = block(&noise, coefficients: 1 + round % 64, range: round % 2 == 0 ? 60 : 200)
      let exact = definition(block)
      let samples = kernel(block, .dense)
      for index in 0..<64 { #expect(abs(min(max(exact[index], 0), 255) - Double(samples[index])) <= 1.01) }
    }
  }

  @Test func isTheScalarTransformToTheBit() {
    var noise = TestRandom(2)
    for round in 0..<3000 {
      let coefficients = 1 + round % 64
      let range = [3, 50, 1024, 4000][round / 64 % 4]
      let block = block(&noise, coefficients: coefficients, range: range)
      let expected = scalar(block)
      #expect(kernel(block, .dense) == expected)
      #expect(kernel(block, BlockSparsity(lastIndex: coefficients - 1)) == expected, "\(coefficients) coefficients")
    }
  }

  @Test func extremeBlocksSaturate() {
    for dc in [-8192, -2048, -1024, -1, 0, 1, 1024, 2047, 8191] {
      var block = [Int](repeating: 0, count: 64)
      block[0] = dc
      #expect(kernel(block, .constant) == kernel(block, .dense))
      #expect(kernel(block, .upperLeft) == kernel(block, .dense))
    }
    #expect(kernel([Int](repeating: 2047, count: 64), .dense) == scalar([Int](repeating: 2047, count: 64)))
    #expect(kernel([Int](repeating: -2048, count: 64), .dense) == scalar([Int](repeating: -2048, count: 64)))
  }

  @Test func pairedOrderIsAPermutation() {
    #expect(Set((0..<64).map { CoefficientOrder.pairedIndex(natural: $0) }) == Set(0..<64))
    #expect(Set(CoefficientOrder.natural) == Set(0..<64))
    // Zigzag by walking the diagonals.
    var walked: [UInt8] = []
    for diagonal in 0..<15 {
      let rows = (0..<8).filter { (0..<8).contains(diagonal - $0) }
      for row in diagonal % 2 == 0 ? rows.reversed() : rows { walked.append(UInt8(row * 8 + diagonal - row)) }
    }
    #expect(walked == CoefficientOrder.natural)
  }
}
