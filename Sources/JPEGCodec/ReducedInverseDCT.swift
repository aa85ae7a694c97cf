// Inverse DCTs of 4 × 4, 2 × 2 and 1 × 1 samples, for pictures at a fraction of their size: the low frequencies of a block,
// in the integer arithmetic of libjpeg's reduced transforms. 13 fraction bits; two of them stay between the passes.

/// Transforms one block of dequantised coefficients in paired order to `size` × `size` samples at `offset` of a plane.
package func reducedInverseDCT(
  _ block: Span<Int16>, size: Int, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  switch size {
  case 4: fourByFour(block, into: &samples, at: offset, stride: stride)
  case 2: twoByTwo(block, into: &samples, at: offset, stride: stride)
  default: samples[offset] = sample((Int32(block[0]) &+ 4) &>> 3)
  }
}

/// The coefficient at a row and a column.
@inline(__always)
private func coefficient(_ block: Span<Int16>, _ row: Int, _ column: Int) -> Int32 {
  Int32(block[Int(CoefficientOrder.pairedIndex(natural: UInt8(truncatingIfNeeded: row &* 8 &+ column)))])
}

@inline(__always)
private func sample(_ level: Int32) -> UInt8 {
  UInt8(truncatingIfNeeded: min(max(level &+ 128, 0), 255))
}

/// Four outputs of inputs 0…7 without the fourth, scaled by 2^14.
@inline(__always)
private func four(
  _ i0: Int32, _ i1: Int32, _ i2: Int32, _ i3: Int32, _ i5: Int32, _ i6: Int32, _ i7: Int32, shift: Int32
) -> (Int32, Int32, Int32, Int32) {
  let center = i0 &<< 14 &+ 1 &<< (shift &- 1)
  // 2^13 · √2 · cos(2π/16) and 2^13 · √2 · cos(6π/16), and so on.
  let even = i2 &* 15137 &- i6 &* 6270
  let inner = i1 &* 8697 &- i3 &* 17799 &+ i5 &* 11893 &- i7 &* 1730
  let outer = i1 &* 20995 &+ i3 &* 7373 &- i5 &* 4926 &- i7 &* 4176
  return (
    (center &+ even &+ outer) &>> shift, (center &- even &+ inner) &>> shift,
    (center &- even &- inner) &>> shift, (center &+ even &- outer) &>> shift
  )
}

private func fourByFour(
  _ block: Span<Int16>, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  var work = InlineArray<32, Int32>(repeating: 0)
  for column in 0..<8 where column != 4 {
    let outputs = four(
      coefficient(block, 0, column), coefficient(block, 1, column), coefficient(block, 2, column),
      coefficient(block, 3, column), coefficient(block, 5, column), coefficient(block, 6, column),
      coefficient(block, 7, column), shift: 12)
    work[column] = outputs.0
    work[8 + column] = outputs.1
    work[16 + column] = outputs.2
    work[24 + column] = outputs.3
  }
  for row in 0..<4 {
    let start = row * 8
    let outputs = four(
      work[start], work[start + 1], work[start + 2], work[start + 3], work[start + 5], work[start + 6],
      work[start + 7], shift: 19)
    let place = offset + row * stride
    samples[place] = sample(outputs.0)
    samples[place + 1] = sample(outputs.1)
    samples[place + 2] = sample(outputs.2)
    samples[place + 3] = sample(outputs.3)
  }
}

/// Two outputs of inputs 0, 1, 3, 5 and 7, scaled by 2^15.
@inline(__always)
private func two(
  _ i0: Int32, _ i1: Int32, _ i3: Int32, _ i5: Int32, _ i7: Int32, shift: Int32
) -> (Int32, Int32) {
  let center = i0 &<< 15 &+ 1 &<< (shift &- 1)
  let odd = i1 &* 29692 &- i3 &* 10426 &+ i5 &* 6967 &- i7 &* 5906
  return ((center &+ odd) &>> shift, (center &- odd) &>> shift)
}

private func twoByTwo(
  _ block: Span<Int16>, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  var work = InlineArray<16, Int32>(repeating: 0)
  for column in 0..<8 where column == 0 || column & 1 == 1 {
    let outputs = two(
      coefficient(block, 0, column), coefficient(block, 1, column), coefficient(block, 3, column),
      coefficient(block, 5, column), coefficient(block, 7, column), shift: 13)
    work[column] = outputs.0
    work[8 + column] = outputs.1
  }
  for row in 0..<2 {
    let start = row * 8
    let outputs = two(
      work[start], work[start + 1], work[start + 3], work[start + 5], work[start + 7], shift: 20)
    samples[offset + row * stride] = sample(outputs.0)
    samples[offset + row * stride + 1] = sample(outputs.1)
  }
}
