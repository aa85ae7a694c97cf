// Blocks of four rows between buffers and vectors, for the encoder.

internal import VectorLanes

/// Returns two blocks of samples as 16-bit lanes.
///
/// - Parameters:
///   - first: the offset of the first block in a buffer whose rows are 32 bytes apart.
///   - second: the offset of the second block.
@inline(__always)
package func loadBlocks(_ samples: Span<UInt8>, _ first: Int, _ second: Int) -> BlockPair {
  let end = samples.count &- 100
  precondition(first >= 0 && second >= 0 && first <= end && second <= end, "a block is out of range")
  // SAFETY: a block ends 3 · 32 + 4 bytes after its start.
  return unsafe samples.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return BlockPair(r0: .zero, r1: .zero, r2: .zero, r3: .zero) }
    let (a, b) = unsafe (UnsafeRawPointer(base) + first, UnsafeRawPointer(base) + second)
    return unsafe BlockPair(
      r0: row(a, b, 0), r1: row(a, b, 32), r2: row(a, b, 64), r3: row(a, b, 96))
  }
}

@inline(__always)
@unsafe private func row(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ offset: Int) -> SIMD8<Int16> {
  let low = unsafe a.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  let high = unsafe b.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  return unsafe widenLow(unsafeBitCast(SIMD4<UInt32>(low, high, 0, 0), to: SIMD16<UInt8>.self))
}

/// Stores the samples of two blocks, saturated. The offsets are as for ``loadBlocks(_:_:_:)``.
@inline(__always)
package func storeBlocks(_ pair: BlockPair, _ samples: inout MutableSpan<UInt8>, _ first: Int, _ second: Int) {
  let end = samples.count &- 100
  precondition(first >= 0 && second >= 0 && first <= end && second <= end, "a block is out of range")
  // SAFETY: as in loadBlocks.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let (a, b) = unsafe (UnsafeMutableRawPointer(base) + first, UnsafeMutableRawPointer(base) + second)
    unsafe store(pair.r0, a, b, 0)
    unsafe store(pair.r1, a, b, 32)
    unsafe store(pair.r2, a, b, 64)
    unsafe store(pair.r3, a, b, 96)
  }
}

@inline(__always)
@unsafe private func store(
  _ row: SIMD8<Int16>, _ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer, _ offset: Int
) {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  let words = unsafe unsafeBitCast(packUnsignedSaturating(row, row), to: SIMD4<UInt32>.self)
  unsafe a.storeBytes(of: words[0], toByteOffset: offset, as: UInt32.self)
  unsafe b.storeBytes(of: words[1], toByteOffset: offset, as: UInt32.self)
}

/// Stores the sixteen coefficients of each block, those of the first one first.
@inline(__always)
package func storeCoefficients(_ pair: BlockPair, _ output: inout MutableSpan<Int16>, at index: Int) {
  precondition(index >= 0 && index <= output.count &- 32, "the coefficients are out of range")
  // SAFETY: 32 values from the index on are within the span.
  unsafe output.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let target = unsafe UnsafeMutableRawPointer(base + index)
    unsafe target.storeBytes(of: interleaveLow64(pair.r0, pair.r1), as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: interleaveLow64(pair.r2, pair.r3), toByteOffset: 16, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: interleaveHigh64(pair.r0, pair.r1), toByteOffset: 32, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: interleaveHigh64(pair.r2, pair.r3), toByteOffset: 48, as: SIMD8<Int16>.self)
  }
}

/// Returns the coefficients of two blocks, those of the first one first.
@inline(__always)
package func loadCoefficients(_ input: Span<Int16>, at index: Int) -> BlockPair {
  precondition(index >= 0 && index <= input.count &- 32, "the coefficients are out of range")
  // SAFETY: 32 values from the index on are within the span.
  return unsafe input.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return BlockPair(r0: .zero, r1: .zero, r2: .zero, r3: .zero) }
    let source = unsafe UnsafeRawPointer(base + index)
    let a0 = unsafe source.loadUnaligned(as: SIMD8<Int16>.self)
    let a2 = unsafe source.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
    let b0 = unsafe source.loadUnaligned(fromByteOffset: 32, as: SIMD8<Int16>.self)
    let b2 = unsafe source.loadUnaligned(fromByteOffset: 48, as: SIMD8<Int16>.self)
    return BlockPair(
      r0: interleaveLow64(a0, b0), r1: interleaveHigh64(a0, b0), r2: interleaveLow64(a2, b2),
      r3: interleaveHigh64(a2, b2))
  }
}

/// Returns a bit mask of the nonzero ones of sixteen levels.
@inline(__always)
package func nonzeroLanes(_ levels: Span<Int16>, at index: Int) -> UInt16 {
  precondition(index >= 0 && index <= levels.count &- 16, "the levels are out of range")
  // SAFETY: 32 bytes exist from `index` on by the precondition; every bit pattern is valid.
  return unsafe levels.withUnsafeBytes { bytes in
    unsafe ~zeroLanes(
      bytes.loadUnaligned(fromByteOffset: index &* 2, as: SIMD8<Int16>.self),
      bytes.loadUnaligned(fromByteOffset: index &* 2 &+ 16, as: SIMD8<Int16>.self))
  }
}
