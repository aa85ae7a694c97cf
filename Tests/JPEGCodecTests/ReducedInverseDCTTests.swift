import JPEGCodec
import TestSupport
import Testing

/// Four outputs of one dimension of the scalar transform: rotations of Loeffler's network without the fourth input.
private func four(_ i: [Int32], shift: Int32) -> [Int32] {
  let center = i[0] << 14 + 1 << (shift - 1)
  let even = i[2] * 15137 - i[6] * 6270
  let inner = i[1] * 8697 - i[3] * 17799 + i[5] * 11893 - i[7] * 1730
  let outer = i[1] * 20995 + i[3] * 7373 - i[5] * 4926 - i[7] * 4176
  return [center + even + outer, center - even + inner, center - even - inner, center + even - outer].map {
    $0 >> shift
  }
}

/// Two outputs of one dimension.
private func two(_ i: [Int32], shift: Int32) -> [Int32] {
  let center = i[0] << 15 + 1 << (shift - 1)
  let odd = i[1] * 29692 - i[3] * 10426 + i[5] * 6967 - i[7] * 5906
  return [(center + odd) >> shift, (center - odd) >> shift]
}

/// Columns, then rows, with whole numbers of 32 bits between the passes.
private func scalar(_ block: [Int32], size: Int) -> [UInt8] {
  if size == 1 { return [UInt8(min(max((block[0] + 4) >> 3 + 128, 0), 255))] }
  let columns = (0..<8).map { x in
    let column = (0..<8).map { block[$0 * 8 + x] }
    return size == 4 ? four(column, shift: 12) : two(column, shift: 13)
  }
  return (0..<size).flatMap { y in
    let row = columns.map { $0[y] }
    return (size == 4 ? four(row, shift: 19) : two(row, shift: 20)).map { UInt8(min(max($0 + 128, 0), 255)) }
  }
}

private func kernel(_ block: [Int32], size: Int, lastIndex: Int) -> [UInt8] {
  var paired = [Int16](repeating: 0, count: 64)
  for index in 0..<64 { paired[Int(CoefficientOrder.pairedIndex(natural: UInt8(index)))] = Int16(block[index]) }
  var samples = [UInt8](repeating: 7, count: 16 * 6)
  var plane = samples.mutableSpan
  reducedInverseDCT(paired.span, lastIndex: lastIndex, size: size, into: &plane, at: 18, stride: 16)
  let isUntouched = samples.indices.allSatisfy { index in
    let (x, y) = (index % 16 - 2, index / 16 - 1)
    return (0..<size).contains(x) && (0..<size).contains(y) || samples[index] == 7
  }
  #expect(isUntouched)
  return (0..<size).flatMap { y in samples[18 + y * 16..<18 + y * 16 + size] }
}

@Suite struct ReducedInverseDCTTests {
  @Test(arguments: [1, 2, 4]) func isTheScalarTransformToTheBit(size: Int) {
    var noise = TestRandom(41)
    for round in 0..<2000 {
      let count = 1 + round % 64
      let range = Int32([3, 50, 400, 1000][round / 64 % 4])
      var block = [Int32](repeating: 0, count: 64)
      for index in 0..<count {
        block[Int(CoefficientOrder.natural[index])] = Int32.random(in: -range...range, using: &noise)
      }
      let expected = scalar(block, size: size)
      #expect(kernel(block, size: size, lastIndex: count - 1) == expected, "\(count) coefficients")
      #expect(kernel(block, size: size, lastIndex: 63) == expected)
    }
  }
}
