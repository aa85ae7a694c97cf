// Inverse DCTs to 4 × 4, 2 × 2 and 1 × 1 samples in 16-bit vectors, for pictures decoded at a reduced size: the low
// frequencies of a block, in the integer arithmetic of libjpeg's reduced transforms. 13 fraction bits, of which two
// remain between the passes. Coefficients are in paired order, as for the full transform.

internal import VectorLanes

/// The factors for one pair of rows.
@inline(__always)
private func factors(_ a: Int16, _ b: Int16) -> SIMD8<Int16> { SIMD8(a, b, a, b, a, b, a, b) }

/// Transforms one block of dequantised coefficients, given in paired order, to `size` × `size` samples at `offset` of a
/// plane.
///
/// - Parameters:
///   - block: 64 coefficients.
///   - lastIndex: the zigzag index of the last nonzero coefficient, or a greater one.
@inline(__always)
package func reducedInverseDCT(
  _ block: Span<Int16>, lastIndex: Int, size: Int, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  if size == 1 || lastIndex == 0 {
    // Both passes, applied to the DC coefficient.
    let level = (Int32(block[0]) &+ 4) &>> 3
    let sample = UInt8(truncatingIfNeeded: min(max(level &+ 128, 0), 255))
    for row in 0..<size {
      for column in 0..<size { samples[offset &+ row &* stride &+ column] = sample }
    }
  } else if size == 4 {
    fourByFour(block, into: &samples, at: offset, stride: stride)
  } else {
    twoByTwo(block, into: &samples, at: offset, stride: stride)
  }
}

/// Loads a vector of a block: rows r and r + 4 of four columns.
@inline(__always)
private func load(_ block: Span<Int16>, _ index: Int) -> SIMD8<Int16> {
  precondition(index >= 0 && index < 8 && block.count == 64, "the index is not one of the block's eight vectors")
  // SAFETY: in range by the precondition; the vector is trivial and the load needs no alignment.
  return unsafe block.bytes.unsafeLoadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
}

/// Four outputs of four one-dimensional transforms without the fourth input, scaled by 2^14, with `bias` added.
@inline(__always)
private func four(
  _ rows04: SIMD8<Int16>, _ rows26: SIMD8<Int16>, _ rows15: SIMD8<Int16>, _ rows37: SIMD8<Int16>, bias: Int32
) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
  let center = multiplyAddPairs(rows04, factors(16384, 0)) &+ SIMD4(repeating: bias)
  // 2^13 · √2 · cos(2π/16) and 2^13 · √2 · cos(6π/16), and so on.
  let even = multiplyAddPairs(rows26, factors(15137, -6270))
  let inner = multiplyAddPairs(rows15, factors(8697, 11893)) &+ multiplyAddPairs(rows37, factors(-17799, -1730))
  let outer = multiplyAddPairs(rows15, factors(20995, -4926)) &+ multiplyAddPairs(rows37, factors(7373, -4176))
  return (center &+ even &+ outer, center &- even &+ inner, center &- even &- inner, center &+ even &- outer)
}

/// Saturates eight sums of columns 0, 2, 1, 3 and 4, 6, 5, 7, and interleaves columns c and c + 4.
@inline(__always)
private func pairColumns(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD8<Int16> {
  let row = packSaturating(left, right)
  return interleaveLow16(row, interleaveHigh64(row, row))
}

private func fourByFour(
  _ block: Span<Int16>, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  let left = four(load(block, 0), load(block, 2), load(block, 4), load(block, 6), bias: 1 << 11)
  let right = four(load(block, 1), load(block, 3), load(block, 5), load(block, 7), bias: 1 << 11)
  let row0 = pairColumns(left.0 &>> 12, right.0 &>> 12)
  let row1 = pairColumns(left.1 &>> 12, right.1 &>> 12)
  let row2 = pairColumns(left.2 &>> 12, right.2 &>> 12)
  let row3 = pairColumns(left.3 &>> 12, right.3 &>> 12)
  // A 4 × 4 transpose of pairs.
  let rows01 = (low: interleaveLow32(row0, row1), high: interleaveHigh32(row0, row1))
  let rows23 = (low: interleaveLow32(row2, row3), high: interleaveHigh32(row2, row3))
  let outputs = four(
    interleaveLow64(rows01.low, rows23.low), interleaveHigh64(rows01.low, rows23.low),
    interleaveLow64(rows01.high, rows23.high), interleaveHigh64(rows01.high, rows23.high), bias: 1 << 18)
  let center = SIMD8<Int16>(repeating: 128)
  let columns = packUnsignedSaturating(
    packSaturating(outputs.0 &>> 19, outputs.2 &>> 19) &+ center,
    packSaturating(outputs.1 &>> 19, outputs.3 &>> 19) &+ center)
  store(columns, into: &samples, at: offset, stride: stride)
}

/// Stores the columns 0, 2, 1, 3 of four samples each.
@inline(__always)
private func store(
  _ columns: SIMD16<UInt8>, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  precondition(
    offset >= 0 && stride >= 4 && stride < 1 << 28 && samples.count >= 4 && offset <= samples.count &- 4
      && 3 &* stride <= samples.count &- 4 &- offset, "the block exceeds the plane")
  // SAFETY: all are vectors of 16 bytes, for which every bit pattern is valid.
  let halves = unsafe unsafeBitCast(columns, to: SIMD8<Int16>.self)
  let upper = unsafe unsafeBitCast(interleaveHigh64(halves, halves), to: SIMD16<UInt8>.self)
  // Columns 0 and 1 of each row, then 2 and 3.
  let pairs = unsafe unsafeBitCast(interleaveLow8(columns, upper), to: SIMD8<Int16>.self)
  let rows = unsafe unsafeBitCast(interleaveLow16(pairs, interleaveHigh64(pairs, pairs)), to: SIMD4<UInt32>.self)
  unsafe samples.withUnsafeMutableBytes { plane in
    // SAFETY: four rows of four bytes starting at `offset` are within the plane, by the precondition.
    guard let first = unsafe plane.baseAddress.map({ unsafe $0 + offset }) else { return }
    for row in 0..<4 { unsafe (first + row &* stride).storeBytes(of: rows[row], as: UInt32.self) }
  }
}

private func twoByTwo(
  _ block: Span<Int16>, into samples: inout MutableSpan<UInt8>, at offset: Int, stride: Int
) {
  let left = two(load(block, 0), load(block, 4), load(block, 6))
  let right = two(load(block, 1), load(block, 5), load(block, 7))
  storeRow(pairColumns(left.upper &>> 13, right.upper &>> 13), into: &samples, at: offset)
  storeRow(
    pairColumns(left.lower &>> 13, right.lower &>> 13), into: &samples, at: offset &+ stride)
}

/// Two outputs of four one-dimensional transforms of inputs 0, 1, 3, 5 and 7, scaled by 2^15 and rounded at 13 bits.
@inline(__always)
private func two(
  _ rows04: SIMD8<Int16>, _ rows15: SIMD8<Int16>, _ rows37: SIMD8<Int16>
) -> (upper: SIMD4<Int32>, lower: SIMD4<Int32>) {
  let center = multiplyAddPairs(rows04, factors(16384, 0)) &<< 1 &+ SIMD4(repeating: 1 << 12)
  let odd = multiplyAddPairs(rows15, factors(29692, 6967)) &+ multiplyAddPairs(rows37, factors(-10426, -5906))
  return (center &+ odd, center &- odd)
}

/// The second pass for one row, whose columns are paired.
@inline(__always)
private func storeRow(_ columns: SIMD8<Int16>, into samples: inout MutableSpan<UInt8>, at offset: Int) {
  let sums = multiplyAddPairs(columns, SIMD8(0, 0, 0, 0, 29692, 6967, -10426, -5906))
  let odd = sums[2] &+ sums[3]
  let center = Int32(columns[0]) &<< 15 &+ 1 &<< 19
  samples[offset] = sample((center &+ odd) &>> 20)
  samples[offset &+ 1] = sample((center &- odd) &>> 20)
}

@inline(__always)
private func sample(_ level: Int32) -> UInt8 {
  UInt8(truncatingIfNeeded: min(max(level &+ 128, 0), 255))
}
