// An 8 × 8 forward DCT with quantisation in 16-bit vectors, from samples to quantised coefficients, bit-identical to
// libjpeg's accurate integer transform and its division by the steps. ITU-T T.81, annexes A.3.3 and A.3.4; the
// transform of Loeffler, Ligtenberg and Moschytz with 13 fraction bits.

internal import VectorLanes

/// Eight vectors: the rows or the columns of a block.
private struct Lines {
  var v0, v1, v2, v3, v4, v5, v6, v7: SIMD8<Int16>
}

/// The factors for one pair of inputs.
@inline(__always)
private func factors(_ a: Int16, _ b: Int16) -> SIMD8<Int16> { SIMD8(a, b, a, b, a, b, a, b) }

@inline(__always)
private func transpose(_ m: Lines) -> Lines {
  let a0 = interleaveLow16(m.v0, m.v1)
  let a1 = interleaveHigh16(m.v0, m.v1)
  let a2 = interleaveLow16(m.v2, m.v3)
  let a3 = interleaveHigh16(m.v2, m.v3)
  let a4 = interleaveLow16(m.v4, m.v5)
  let a5 = interleaveHigh16(m.v4, m.v5)
  let a6 = interleaveLow16(m.v6, m.v7)
  let a7 = interleaveHigh16(m.v6, m.v7)
  let b0 = interleaveLow32(a0, a2)
  let b1 = interleaveHigh32(a0, a2)
  let b2 = interleaveLow32(a1, a3)
  let b3 = interleaveHigh32(a1, a3)
  let b4 = interleaveLow32(a4, a6)
  let b5 = interleaveHigh32(a4, a6)
  let b6 = interleaveLow32(a5, a7)
  let b7 = interleaveHigh32(a5, a7)
  return Lines(
    v0: interleaveLow64(b0, b4), v1: interleaveHigh64(b0, b4), v2: interleaveLow64(b1, b5),
    v3: interleaveHigh64(b1, b5), v4: interleaveLow64(b2, b6), v5: interleaveHigh64(b2, b6),
    v6: interleaveLow64(b3, b7), v7: interleaveHigh64(b3, b7))
}

/// `(a·x + b·y + 2^(shift − 1)) >> shift` for the pairs (x, y) in two vectors.
@inline(__always)
private func product(
  _ low: SIMD8<Int16>, _ high: SIMD8<Int16>, _ weights: SIMD8<Int16>, _ shift: Int32
) -> SIMD8<Int16> {
  let half = SIMD4<Int32>(repeating: 1 &<< (shift &- 1))
  return packSaturating(
    (multiplyAddPairs(low, weights) &+ half) &>> shift, (multiplyAddPairs(high, weights) &+ half) &>> shift)
}

/// The pairs of two vectors, lane by lane.
private struct Pairs {
  var low, high: SIMD8<Int16>

  @inline(__always)
  init(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) {
    low = interleaveLow16(a, b)
    high = interleaveHigh16(a, b)
  }
}

@inline(__always)
private func product(
  _ a: Pairs, _ aWeights: SIMD8<Int16>, _ b: Pairs, _ bWeights: SIMD8<Int16>, _ shift: Int32
) -> SIMD8<Int16> {
  let half = SIMD4<Int32>(repeating: 1 &<< (shift &- 1))
  let low = multiplyAddPairs(a.low, aWeights) &+ multiplyAddPairs(b.low, bWeights) &+ half
  let high = multiplyAddPairs(a.high, aWeights) &+ multiplyAddPairs(b.high, bWeights) &+ half
  return packSaturating(low &>> shift, high &>> shift)
}

/// Eight one-dimensional transforms, lane by lane. The first pass keeps two fraction bits; the second discards them.
@inline(__always)
private func transform(_ m: Lines, isFirstPass: Bool) -> Lines {
  let shift: Int32 = isFirstPass ? 11 : 15
  let sum07 = m.v0 &+ m.v7
  let sum16 = m.v1 &+ m.v6
  let sum25 = m.v2 &+ m.v5
  let sum34 = m.v3 &+ m.v4
  let even0 = sum07 &+ sum34
  let even1 = sum16 &+ sum25
  let even2 = sum16 &- sum25
  let even3 = sum07 &- sum34
  let two = SIMD8<Int16>(repeating: 2)
  let o0 = isFirstPass ? (even0 &+ even1) &<< 2 : (even0 &+ even1 &+ two) &>> 2
  let o4 = isFirstPass ? (even0 &- even1) &<< 2 : (even0 &- even1 &+ two) &>> 2
  // 4433 = 2^13 · 0.541196100; 10703 and −10704 are that plus 0.765366865 and minus 1.847759065.
  let even = Pairs(even3, even2)
  let o2 = product(even.low, even.high, factors(10703, 4433), shift)
  let o6 = product(even.low, even.high, factors(4433, -10704), shift)
  // The butterflies of the odd part, multiplied out. Integer sums are exact, so the results are the same.
  let inner = Pairs(m.v3 &- m.v4, m.v2 &- m.v5)
  let outer = Pairs(m.v1 &- m.v6, m.v0 &- m.v7)
  let o1 = product(inner, factors(2260, 6437), outer, factors(9633, 11363), shift)
  let o3 = product(inner, factors(-6436, -11362), outer, factors(-2259, 9633), shift)
  let o5 = product(inner, factors(9633, 2261), outer, factors(-11362, 6437), shift)
  let o7 = product(inner, factors(-11363, 9633), outer, factors(-6436, 2260), shift)
  return Lines(v0: o0, v1: o1, v2: o2, v3: o3, v4: o4, v5: o5, v6: o6, v7: o7)
}

/// Transforms a block.
///
/// - Parameters:
///   - start: the index of the first sample; the others follow in eight rows, `stride` apart.
@inline(__always)
private func forwardDCT(_ samples: Span<UInt8>, at start: Int, stride: Int) -> Lines {
  precondition(
    start >= 0 && stride >= 0 && stride <= 1 << 24 && start <= samples.count &- (7 &* stride &+ 8),
    "the block is not within the samples")
  return unsafe samples.withUnsafeBytes { input in
    @inline(__always) func row(_ index: Int) -> SIMD8<Int16> {
      // SAFETY: eight samples of each row exist by the precondition; all casts are between types of 16 bytes, for
      // which every bit pattern is valid.
      let bytes = unsafe SIMD2(
        input.loadUnaligned(fromByteOffset: start &+ index &* stride, as: UInt64.self), 0)
      let wide = unsafe interleaveLow8(unsafeBitCast(bytes, to: SIMD16<UInt8>.self), SIMD16<UInt8>())
      return unsafe unsafeBitCast(wide, to: SIMD8<Int16>.self) &- SIMD8(repeating: 128)
    }
    let rows = Lines(
      v0: row(0), v1: row(1), v2: row(2), v3: row(3), v4: row(4), v5: row(5), v6: row(6), v7: row(7))
    let columns = transform(transpose(rows), isFirstPass: true)
    return transform(transpose(columns), isFirstPass: false)
  }
}

/// Divides coefficients by their steps, rounding to nearest.
///
/// - Returns: a bit mask of the nonzero coefficients, in natural order.
@inline(__always)
private func quantize(_ result: Lines, divisors: Span<UInt16>, into block: inout MutableSpan<Int16>) -> UInt64 {
  precondition(divisors.count >= 192 && block.count >= 64, "there are no 64 divisors or coefficients")
  return unsafe divisors.withUnsafeBytes { words in
    unsafe block.withUnsafeMutableBytes { output in
      @inline(__always) func quantized(_ row: SIMD8<Int16>, _ index: Int) -> SIMD8<Int16> {
        // SAFETY: the divisors are three tables of 128 bytes, and the block has 16 bytes for each of eight rows.
        let reciprocal = unsafe words.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<UInt16>.self)
        let correction = unsafe words.loadUnaligned(fromByteOffset: 128 &+ index &* 16, as: SIMD8<UInt16>.self)
        let scale = unsafe words.loadUnaligned(fromByteOffset: 256 &+ index &* 16, as: SIMD8<UInt16>.self)
        let sign = row &>> 15
        let magnitude = unsafe unsafeBitCast((row ^ sign) &- sign, to: SIMD8<UInt16>.self)
        let quotient = multiplyHighUnsigned(multiplyHighUnsigned(magnitude &+ correction, reciprocal), scale)
        let value = unsafe (unsafeBitCast(quotient, to: SIMD8<Int16>.self) ^ sign) &- sign
        unsafe output.storeBytes(of: value, toByteOffset: index &* 16, as: SIMD8<Int16>.self)
        return value
      }
      let zeros0 = UInt64(zeroLanes(quantized(result.v0, 0), quantized(result.v1, 1)))
      let zeros1 = UInt64(zeroLanes(quantized(result.v2, 2), quantized(result.v3, 3)))
      let zeros2 = UInt64(zeroLanes(quantized(result.v4, 4), quantized(result.v5, 5)))
      let zeros3 = UInt64(zeroLanes(quantized(result.v6, 6), quantized(result.v7, 7)))
      return ~(zeros0 | zeros1 &<< 16 | zeros2 &<< 32 | zeros3 &<< 48) as UInt64
    }
  }
}

/// Transforms and quantises a block.
///
/// - Parameters:
///   - start: the index of the first sample; the others follow in eight rows, `stride` apart.
///   - divisors: the 192 words of a `BlockQuantizer`.
///   - block: receives 64 coefficients in natural order.
/// - Returns: a bit mask of the nonzero coefficients, in natural order.
package func forwardDCT(
  _ samples: Span<UInt8>, at start: Int, stride: Int, divisors: Span<UInt16>, into block: inout MutableSpan<Int16>
) -> UInt64 {
  quantize(forwardDCT(samples, at: start, stride: stride), divisors: divisors, into: &block)
}

/// Transforms a block without quantising it.
///
/// - Parameter block: receives 64 coefficients in natural order, eight times as large as the unscaled transform's.
package func forwardDCT(
  _ samples: Span<UInt8>, at start: Int, stride: Int, into block: inout MutableSpan<Int16>
) {
  precondition(block.count >= 64, "there are no 64 coefficients")
  let lines = forwardDCT(samples, at: start, stride: stride)
  unsafe block.withUnsafeMutableBytes { output in
    // SAFETY: the block has 16 bytes for each of eight rows.
    unsafe output.storeBytes(of: lines.v0, toByteOffset: 0, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v1, toByteOffset: 16, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v2, toByteOffset: 32, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v3, toByteOffset: 48, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v4, toByteOffset: 64, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v5, toByteOffset: 80, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v6, toByteOffset: 96, as: SIMD8<Int16>.self)
    unsafe output.storeBytes(of: lines.v7, toByteOffset: 112, as: SIMD8<Int16>.self)
  }
}

/// Quantises coefficients that were stored without.
///
/// - Parameters:
///   - coefficients: 64 coefficients in natural order.
///   - divisors: the 192 words of a `BlockQuantizer`.
///   - block: receives 64 coefficients in natural order.
/// - Returns: a bit mask of the nonzero coefficients, in natural order.
package func quantize(
  _ coefficients: Span<Int16>, divisors: Span<UInt16>, into block: inout MutableSpan<Int16>
) -> UInt64 {
  precondition(coefficients.count >= 64, "there are no 64 coefficients")
  let lines = unsafe coefficients.withUnsafeBytes { input in
    // SAFETY: there are 16 bytes for each of eight rows.
    @inline(__always) func row(_ index: Int) -> SIMD8<Int16> {
      unsafe input.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
    }
    return Lines(
      v0: row(0), v1: row(1), v2: row(2), v3: row(3), v4: row(4), v5: row(5), v6: row(6), v7: row(7))
  }
  return quantize(lines, divisors: divisors, into: &block)
}
