// Inverse transforms of residuals (RFC 6386, section 14), added to predictions.
//
// Vectors have 16-bit lanes and wrap around, as in libwebp's SSE2 code. The streams of conforming encoders never
// overflow.

internal import VectorLanes

/// Inverts the Walsh-Hadamard transform of the luma DC coefficients (section 14.3).
///
/// - Parameters:
///   - input: sixteen coefficients.
///   - output: sixteen blocks of sixteen coefficients, of which the first ones are set.
package func invertWalshHadamard(_ input: Span<Int16>, into output: inout MutableSpan<Int16>) {
  var columns = [16 of Int32](repeating: 0)
  for x in 0..<4 {
    let (i0, i1, i2, i3) = (Int32(input[x]), Int32(input[4 + x]), Int32(input[8 + x]), Int32(input[12 + x]))
    let (a0, a1, a2, a3) = (i0 &+ i3, i1 &+ i2, i1 &- i2, i0 &- i3)
    columns[x] = a0 &+ a1
    columns[4 + x] = a3 &+ a2
    columns[8 + x] = a0 &- a1
    columns[12 + x] = a3 &- a2
  }
  for y in 0..<4 {
    let first = columns[y * 4] &+ 3
    let (a0, a1) = (first &+ columns[y * 4 + 3], columns[y * 4 + 1] &+ columns[y * 4 + 2])
    let (a2, a3) = (columns[y * 4 + 1] &- columns[y * 4 + 2], first &- columns[y * 4 + 3])
    output[y * 64] = Int16(truncatingIfNeeded: (a0 &+ a1) &>> 3)
    output[y * 64 + 16] = Int16(truncatingIfNeeded: (a3 &+ a2) &>> 3)
    output[y * 64 + 32] = Int16(truncatingIfNeeded: (a0 &- a1) &>> 3)
    output[y * 64 + 48] = Int16(truncatingIfNeeded: (a3 &- a2) &>> 3)
  }
}

/// Two blocks of four rows: the first in the lower lanes, the second in the upper ones.
package struct BlockPair: Sendable {
  package var r0, r1, r2, r3: SIMD8<Int16>

  @inline(__always)
  package init(r0: SIMD8<Int16>, r1: SIMD8<Int16>, r2: SIMD8<Int16>, r3: SIMD8<Int16>) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
  }

  /// Returns both blocks transposed.
  @inline(__always)
  func transposed() -> BlockPair {
    let a = interleaveLow16(r0, r1)
    let b = interleaveLow16(r2, r3)
    let c = interleaveHigh16(r0, r1)
    let d = interleaveHigh16(r2, r3)
    let e = interleaveLow32(a, b)
    let f = interleaveLow32(c, d)
    let g = interleaveHigh32(a, b)
    let h = interleaveHigh32(c, d)
    return BlockPair(
      r0: interleaveLow64(e, f), r1: interleaveHigh64(e, f), r2: interleaveLow64(g, h), r3: interleaveHigh64(g, h))
  }

  /// Returns the transform of the columns. √2·cos(π/8) is 1 + 20091/65536, √2·sin(π/8) is 1 − 30068/65536.
  @inline(__always)
  func transformed() -> BlockPair {
    let cosine = SIMD8<Int16>(repeating: 20091)
    let sine = SIMD8<Int16>(repeating: -30068)
    let a = r0 &+ r2
    let b = r0 &- r2
    let c = (multiplyHigh(r1, sine) &- multiplyHigh(r3, cosine)) &+ (r1 &- r3)
    let d = (multiplyHigh(r1, cosine) &+ multiplyHigh(r3, sine)) &+ (r1 &+ r3)
    return BlockPair(r0: a &+ d, r1: b &+ c, r2: b &- c, r3: a &- d)
  }

  /// Returns the inverse transform, rounded.
  @inline(__always)
  package func inverted() -> BlockPair {
    var columns = transformed().transposed()
    columns.r0 = columns.r0 &+ SIMD8(repeating: 4)
    let rows = columns.transformed()
    return BlockPair(r0: rows.r0 &>> 3, r1: rows.r1 &>> 3, r2: rows.r2 &>> 3, r3: rows.r3 &>> 3).transposed()
  }
}

/// Returns eight samples as 16-bit lanes.
@inline(__always)
private func widened(_ samples: UInt64) -> SIMD8<Int16> {
  // SAFETY: all types are 16 bytes of which every bit pattern is valid.
  unsafe unsafeBitCast(
    interleaveLow8(unsafeBitCast(SIMD2<UInt64>(samples, 0), to: SIMD16<UInt8>.self), SIMD16<UInt8>()),
    to: SIMD8<Int16>.self)
}

/// Returns the eight lanes as samples.
@inline(__always)
private func narrowed(_ lanes: SIMD8<Int16>) -> UInt64 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(packUnsignedSaturating(lanes, lanes), to: SIMD2<UInt64>.self)[0]
}

// SAFETY (all functions below): `coefficients` points to sixteen per block, `samples` to the first sample of a block in
// a MacroblockSamples buffer, so that all rows of the block are within it.

/// Adds the residuals of two horizontally adjacent blocks.
@inline(__always)
@unsafe func addResidualPair(_ coefficients: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt8>) {
  let raw = unsafe UnsafeRawPointer(coefficients)
  let a0 = unsafe raw.loadUnaligned(as: SIMD8<Int16>.self)
  let a2 = unsafe raw.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
  let b0 = unsafe raw.loadUnaligned(fromByteOffset: 32, as: SIMD8<Int16>.self)
  let b2 = unsafe raw.loadUnaligned(fromByteOffset: 48, as: SIMD8<Int16>.self)
  let block = BlockPair(
    r0: interleaveLow64(a0, b0), r1: interleaveHigh64(a0, b0), r2: interleaveLow64(a2, b2),
    r3: interleaveHigh64(a2, b2)
  ).inverted()
  let rows = UnsafeMutableRawPointer(samples)
  unsafe addRow(block.r0, rows)
  unsafe addRow(block.r1, rows + MacroblockLayout.stride)
  unsafe addRow(block.r2, rows + 2 * MacroblockLayout.stride)
  unsafe addRow(block.r3, rows + 3 * MacroblockLayout.stride)
}

@inline(__always)
@unsafe private func addRow(_ residuals: SIMD8<Int16>, _ samples: UnsafeMutableRawPointer) {
  let old = unsafe widened(samples.loadUnaligned(as: UInt64.self))
  unsafe samples.storeBytes(of: narrowed(old &+ residuals), as: UInt64.self)
}

/// Adds the residuals of one block.
@inline(__always)
@unsafe func addResiduals(_ coefficients: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt8>) {
  let raw = unsafe UnsafeRawPointer(coefficients)
  let a0 = unsafe raw.loadUnaligned(as: SIMD8<Int16>.self)
  let a2 = unsafe raw.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
  let block = BlockPair(r0: a0, r1: interleaveHigh64(a0, a0), r2: a2, r3: interleaveHigh64(a2, a2)).inverted()
  let rows = UnsafeMutableRawPointer(samples)
  unsafe addShortRow(block.r0, rows)
  unsafe addShortRow(block.r1, rows + MacroblockLayout.stride)
  unsafe addShortRow(block.r2, rows + 2 * MacroblockLayout.stride)
  unsafe addShortRow(block.r3, rows + 3 * MacroblockLayout.stride)
}

/// Returns the four rows of a block with its residuals.
@inline(__always)
@unsafe func adding(_ coefficients: UnsafePointer<Int16>, to rows: SIMD4<UInt32>) -> SIMD4<UInt32> {
  let raw = unsafe UnsafeRawPointer(coefficients)
  let a0 = unsafe raw.loadUnaligned(as: SIMD8<Int16>.self)
  let a2 = unsafe raw.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
  let block = BlockPair(r0: a0, r1: interleaveHigh64(a0, a0), r2: a2, r3: interleaveHigh64(a2, a2)).inverted()
  // SAFETY (both casts): the types have 16 bytes, and every bit pattern is valid.
  let samples = unsafe unsafeBitCast(rows, to: SIMD16<UInt8>.self)
  let upper = widenLow(samples) &+ interleaveLow64(block.r0, block.r1)
  let lower = widenHigh(samples) &+ interleaveLow64(block.r2, block.r3)
  return unsafe unsafeBitCast(packUnsignedSaturating(upper, lower), to: SIMD4<UInt32>.self)
}

@inline(__always)
@unsafe private func addShortRow(_ residuals: SIMD8<Int16>, _ samples: UnsafeMutableRawPointer) {
  let old = unsafe widened(UInt64(samples.loadUnaligned(as: UInt32.self)))
  unsafe samples.storeBytes(of: UInt32(truncatingIfNeeded: narrowed(old &+ residuals)), as: UInt32.self)
}

/// Adds the residuals of a block in which only the DC coefficient is not zero.
@inline(__always)
@unsafe func addConstantResidual(_ coefficient: Int16, to samples: UnsafeMutablePointer<UInt8>) {
  let residuals = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: (Int32(coefficient) &+ 4) &>> 3))
  let rows = UnsafeMutableRawPointer(samples)
  unsafe addShortRow(residuals, rows)
  unsafe addShortRow(residuals, rows + MacroblockLayout.stride)
  unsafe addShortRow(residuals, rows + 2 * MacroblockLayout.stride)
  unsafe addShortRow(residuals, rows + 3 * MacroblockLayout.stride)
}

/// Adds the residuals of a block in which only the first, second and fifth coefficients are not zero: the first three
/// in zigzag order. Computed in 32 bits, as in libwebp.
@inline(__always)
@unsafe func addLowResiduals(_ coefficients: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt8>) {
  let a = unsafe Int32(coefficients[0]) &+ 4
  let (below, right) = unsafe (Int32(coefficients[4]), Int32(coefficients[1]))
  let c4 = (below &* 35468) &>> 16
  let d4 = (below &* 20091) &>> 16 &+ below
  let c1 = (right &* 35468) &>> 16
  let d1 = (right &* 20091) &>> 16 &+ right
  let row = SIMD4<Int32>(d1, c1, 0 &- c1, 0 &- d1)
  let rows = UnsafeMutableRawPointer(samples)
  unsafe addShortRow(lowRow(row, a &+ d4), rows)
  unsafe addShortRow(lowRow(row, a &+ c4), rows + MacroblockLayout.stride)
  unsafe addShortRow(lowRow(row, a &- c4), rows + 2 * MacroblockLayout.stride)
  unsafe addShortRow(lowRow(row, a &- d4), rows + 3 * MacroblockLayout.stride)
}

/// Returns four residuals in the lower lanes. The sums have at most 18 bits, so that a residual fits in 16.
@inline(__always)
private func lowRow(_ row: SIMD4<Int32>, _ first: Int32) -> SIMD8<Int16> {
  let sums = (row &+ SIMD4(repeating: first)) &>> 3
  return SIMD8(
    Int16(truncatingIfNeeded: sums[0]), Int16(truncatingIfNeeded: sums[1]), Int16(truncatingIfNeeded: sums[2]),
    Int16(truncatingIfNeeded: sums[3]), 0, 0, 0, 0)
}
