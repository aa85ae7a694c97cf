// An 8 × 8 inverse DCT in 16-bit vectors, from dequantised coefficients to samples, bit-identical to libjpeg's scalar
// integer transform. ITU-T T.81, annex A.3.3; the transform of Loeffler, Ligtenberg and Moschytz with 13 fraction bits.
//
// Coefficients are in paired order (see CoefficientOrder): each vector holds rows r and r + 4 of four columns in
// alternating lanes, as a multiply-and-add of pairs requires. Each output of the odd part is then a sum of two such
// products, and each output of the even part a sum of two more, instead of shared butterflies. Integer sums are exact,
// so the results are the same.

internal import VectorLanes

/// Eight vectors of four sums each: outputs 0…7 of four one-dimensional transforms.
private struct Outputs {
  var o0, o1, o2, o3, o4, o5, o6, o7: SIMD4<Int32>
}

/// Four one-dimensional transforms of the row pairs (0, 4), (2, 6), (1, 5), (3, 7), with `bias` added for rounding.
@inline(__always)
private func transform(
  _ rows04: SIMD8<Int16>, _ rows26: SIMD8<Int16>, _ rows15: SIMD8<Int16>, _ rows37: SIMD8<Int16>,
  bias: SIMD4<Int32>
) -> Outputs {
  // 8192 = 2^13; 4433 = 2^13·√2·cos(6π/16)…: the constants of the scalar transform, multiplied out.
  let evenRows = PairedLanes(rows04, rows26)
  let sum = evenRows.first(8192, 8192, to: bias)
  let difference = evenRows.first(8192, -8192, to: bias)
  let outer = evenRows.second(10703, 4433)
  let inner = evenRows.second(4433, -10704)
  let even0 = sum &+ outer
  let even1 = difference &+ inner
  let even2 = difference &- inner
  let even3 = sum &- outer
  let oddRows = PairedLanes(rows15, rows37)
  let odd0 = oddRows.second(9633, 2260, to: oddRows.first(11363, 6437))
  let odd1 = oddRows.second(-2259, -6436, to: oddRows.first(9633, -11362))
  let odd2 = oddRows.second(-11362, 9633, to: oddRows.first(6437, 2261))
  let odd3 = oddRows.second(-6436, -11363, to: oddRows.first(2260, 9633))
  return Outputs(
    o0: even0 &+ odd0, o1: even1 &+ odd1, o2: even2 &+ odd2, o3: even3 &+ odd3,
    o4: even3 &- odd3, o5: even2 &- odd2, o6: even1 &- odd1, o7: even0 &- odd0)
}

/// Scales down eight sums of columns 0…3 and 4…7, and interleaves columns c and c + 4.
@inline(__always)
private func pairColumns(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD8<Int16> {
  let row = packSaturating(left, right, shiftedRightBy: 11)
  return interleaveLow16(row, interleaveHigh64(row, row))
}

/// Four one-dimensional transforms whose inputs 4…7 are zero, of the pairs (0, 2) and (1, 3), with `bias` added for
/// rounding.
@inline(__always)
private func shortTransform(_ rows02: SIMD8<Int16>, _ rows13: SIMD8<Int16>, bias: SIMD4<Int32>) -> Outputs {
  let rows = PairedLanes(rows02, rows13)
  let even0 = rows.first(8192, 10703, to: bias)
  let even1 = rows.first(8192, 4433, to: bias)
  let even2 = rows.first(8192, -4433, to: bias)
  let even3 = rows.first(8192, -10703, to: bias)
  let odd0 = rows.second(11363, 9633)
  let odd1 = rows.second(9633, -2259)
  let odd2 = rows.second(6437, -11362)
  let odd3 = rows.second(2260, -6436)
  return Outputs(
    o0: even0 &+ odd0, o1: even1 &+ odd1, o2: even2 &+ odd2, o3: even3 &+ odd3,
    o4: even3 &- odd3, o5: even2 &- odd2, o6: even1 &- odd1, o7: even0 &- odd0)
}

/// Scales down four rows of columns 0, 2, 1, 3, and gathers the pairs (0, 2) and (1, 3) of each.
@inline(__always)
private func gatherPairs(
  _ r0: SIMD4<Int32>, _ r1: SIMD4<Int32>, _ r2: SIMD4<Int32>, _ r3: SIMD4<Int32>
) -> (columns02: SIMD8<Int16>, columns13: SIMD8<Int16>) {
  let even = packSaturating(r0, r2, shiftedRightBy: 11)
  let odd = packSaturating(r1, r3, shiftedRightBy: 11)
  let low = interleaveLow32(even, odd)
  let high = interleaveHigh32(even, odd)
  return (interleaveLow64(low, high), interleaveHigh64(low, high))
}

/// Transposes 4 × 4 lanes of 32 bits.
@inline(__always)
private func transpose(
  _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>
) -> (SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>) {
  let ab0 = interleaveLow32(a, b)
  let cd0 = interleaveLow32(c, d)
  let ab1 = interleaveHigh32(a, b)
  let cd1 = interleaveHigh32(c, d)
  return (
    interleaveLow64(ab0, cd0), interleaveHigh64(ab0, cd0), interleaveLow64(ab1, cd1), interleaveHigh64(ab1, cd1)
  )
}

@inline(__always)
private func bytes(_ vector: SIMD8<Int16>) -> SIMD16<UInt8> {
  // SAFETY: both types are 16 bytes, for which every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: SIMD16<UInt8>.self)
}

@inline(__always)
private func words(_ vector: SIMD16<UInt8>) -> SIMD8<Int16> {
  // SAFETY: both types are 16 bytes, for which every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self)
}

/// Rounds at 18 bits and shifts the zero level to 128.
@inline(__always)
private func secondBias() -> SIMD4<Int32> {
  let bias: Int32 = (1 << 17) + (128 << 18)
  return SIMD4(bias, bias, bias, bias)
}

/// The second pass over eight rows of paired columns.
@inline(__always)
private func finish(
  _ r0: SIMD8<Int16>, _ r1: SIMD8<Int16>, _ r2: SIMD8<Int16>, _ r3: SIMD8<Int16>,
  _ r4: SIMD8<Int16>, _ r5: SIMD8<Int16>, _ r6: SIMD8<Int16>, _ r7: SIMD8<Int16>,
  into samples: UnsafeMutableRawPointer, stride: Int
) {
  let (upper04, upper26, upper15, upper37) = transpose(r0, r1, r2, r3)
  let (lower04, lower26, lower15, lower37) = transpose(r4, r5, r6, r7)
  let upper = transform(upper04, upper26, upper15, upper37, bias: secondBias())
  let lower = transform(lower04, lower26, lower15, lower37, bias: secondBias())
  unsafe store(upper, lower, into: samples, stride: stride)
}

/// Stores the samples of eight rows, given as the upper four and the lower four.
@inline(__always)
private func store(_ upper: Outputs, _ lower: Outputs, into samples: UnsafeMutableRawPointer, stride: Int) {
  // Columns of eight samples; two columns per vector of bytes.
  let columns04 = packUnsignedSaturating(
    packSaturating(upper.o0, lower.o0, shiftedRightBy: 18),
    packSaturating(upper.o4, lower.o4, shiftedRightBy: 18))
  let columns15 = packUnsignedSaturating(
    packSaturating(upper.o1, lower.o1, shiftedRightBy: 18),
    packSaturating(upper.o5, lower.o5, shiftedRightBy: 18))
  let columns26 = packUnsignedSaturating(
    packSaturating(upper.o2, lower.o2, shiftedRightBy: 18),
    packSaturating(upper.o6, lower.o6, shiftedRightBy: 18))
  let columns37 = packUnsignedSaturating(
    packSaturating(upper.o3, lower.o3, shiftedRightBy: 18),
    packSaturating(upper.o7, lower.o7, shiftedRightBy: 18))
  // An 8 × 8 transpose of bytes.
  let columns02 = interleaveLow8(columns04, columns26)
  let columns46 = interleaveHigh8(columns04, columns26)
  let columns13 = interleaveLow8(columns15, columns37)
  let columns57 = interleaveHigh8(columns15, columns37)
  let left0 = words(interleaveLow8(columns02, columns13))
  let left4 = words(interleaveHigh8(columns02, columns13))
  let right0 = words(interleaveLow8(columns46, columns57))
  let right4 = words(interleaveHigh8(columns46, columns57))
  var row = unsafe samples
  func store(_ two: SIMD8<Int16>) {
    // SAFETY: the caller has proved that eight rows of eight bytes fit.
    let halves = unsafe unsafeBitCast(two, to: SIMD2<Int64>.self)
    unsafe row.storeBytes(of: halves[0], as: Int64.self)
    unsafe row += stride
    unsafe row.storeBytes(of: halves[1], as: Int64.self)
    unsafe row += stride
  }
  store(interleaveLow32(left0, right0))
  store(interleaveHigh32(left0, right0))
  store(interleaveLow32(left4, right4))
  store(interleaveHigh32(left4, right4))
}

/// The coefficients of a block that can be nonzero, in the cases that the transform distinguishes.
package enum BlockSparsity {
  /// Only the first.
  case constant
  /// Only those in the upper left quarter, which includes the first ten in zigzag order.
  case upperLeft
  /// Any of them.
  case dense

  /// The sparsity implied by the zigzag index of the last nonzero coefficient.
  @inline(__always)
  package init(lastIndex: Int) {
    self = lastIndex == 0 ? .constant : (lastIndex < 10 ? .upperLeft : .dense)
  }
}

/// Transforms one block of dequantised coefficients, given in paired order, to samples at `offset` of a plane.
///
/// - Parameter block: 64 coefficients.
@inline(__always)
package func inverseDCT(
  _ block: Span<Int16>, _ sparsity: BlockSparsity, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  precondition(
    block.count == 64 && offset >= 0 && stride >= 8 && stride < 1 << 28 && samples.count >= 8
      && offset <= samples.count &- 8 && 7 &* stride <= samples.count &- 8 &- offset, "the block exceeds the plane")
  if case .constant = sparsity {
    // Both passes for a single DC coefficient, in 16 bits like the vectors.
    let level = ((Int32(block[0] &<< 2) &+ 16) &>> 5) &+ 128
    let sample = UInt64(truncatingIfNeeded: min(max(level, 0), 255)) &* 0x0101_0101_0101_0101
    unsafe samples.withUnsafeMutableBytes { plane in
      // SAFETY: eight rows of eight bytes starting at `offset` are within the plane, by the precondition.
      guard var row = unsafe plane.baseAddress.map({ unsafe $0 + offset }) else { return }
      for _ in 0..<8 {
        unsafe row.storeBytes(of: sample, as: UInt64.self)
        unsafe row += stride
      }
    }
    return
  }
  unsafe block.withUnsafeBytes { source in
    unsafe samples.withUnsafeMutableBytes { plane in
      // SAFETY: the block has 128 bytes, and eight rows of eight bytes starting at `offset` are within the plane.
      guard let first = unsafe plane.baseAddress.map({ unsafe $0 + offset }), let pairs = source.baseAddress else {
        return
      }
      if case .dense = sparsity {
        unsafe transformDense(pairs, into: first, stride: stride)
      } else {
        unsafe transformUpperLeft(pairs, into: first, stride: stride)
      }
    }
  }
}

@inline(never)
private func transformDense(_ pairs: UnsafeRawPointer, into samples: UnsafeMutableRawPointer, stride: Int) {
  func load(_ index: Int) -> SIMD8<Int16> {
    // SAFETY: `index` is below 8, and the block has eight vectors.
    unsafe pairs.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
  }
  // Rounds at 11 bits; two fraction bits remain for the second pass.
  let bias = SIMD4<Int32>(1 << 10, 1 << 10, 1 << 10, 1 << 10)
  let left = transform(load(0), load(2), load(4), load(6), bias: bias)
  let right = transform(load(1), load(3), load(5), load(7), bias: bias)
  unsafe finish(
    pairColumns(left.o0, right.o0), pairColumns(left.o1, right.o1), pairColumns(left.o2, right.o2),
    pairColumns(left.o3, right.o3), pairColumns(left.o4, right.o4), pairColumns(left.o5, right.o5),
    pairColumns(left.o6, right.o6), pairColumns(left.o7, right.o7), into: samples, stride: stride)
}

@inline(never)
private func transformUpperLeft(_ pairs: UnsafeRawPointer, into samples: UnsafeMutableRawPointer, stride: Int) {
  func load(_ index: Int) -> SIMD8<Int16> {
    // SAFETY: `index` is below 8, and the block has eight vectors.
    unsafe pairs.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
  }
  // Rounds at 11 bits; two fraction bits remain for the second pass.
  let bias = SIMD4<Int32>(1 << 10, 1 << 10, 1 << 10, 1 << 10)
  // Rows 4…7 are zero, so their lanes take rows 2 and 3.
  let left = shortTransform(join(load(0), load(2)), join(load(4), load(6)), bias: bias)
  let upper = gatherPairs(left.o0, left.o1, left.o2, left.o3)
  let lower = gatherPairs(left.o4, left.o5, left.o6, left.o7)
  unsafe store(
    shortTransform(upper.columns02, upper.columns13, bias: secondBias()),
    shortTransform(lower.columns02, lower.columns13, bias: secondBias()), into: samples, stride: stride)
}

/// The even lanes of `a`, and those of `b` moved to the odd lanes. The odd lanes of both are zero.
@inline(__always)
private func join(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
  // SAFETY: both types are 16 bytes, for which every bit pattern is valid. Lanes are little-endian on all platforms
  // that have vectors of this kind.
  unsafe a | unsafeBitCast(unsafeBitCast(b, to: SIMD4<UInt32>.self) &<< 16, to: SIMD8<Int16>.self)
}
