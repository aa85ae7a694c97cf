// Levels become residuals, which are added to predicted samples (sections 8.5.9, 8.5.12 to 8.5.14).

internal import VectorLanes

/// The scaling of the levels of a block: by a factor for each place, and a power of two.
package struct BlockScale {
  /// The place of the first factor.
  let firstFactor: Int
  /// The shift to the left of scaled levels, or to the right, with rounding.
  let left: Int32
  let right: Int32
  /// Whether the first level is scaled already.
  let keepsDC: Bool

  /// - Parameters:
  ///   - qp: the quantization parameter, 0 or more.
  ///   - base: the fraction bits of factors.
  package init(firstFactor: Int, qp: Int, base: Int, keepsDC: Bool) {
    let shift = Int32(truncatingIfNeeded: qp / 6 &- base)
    (self.firstFactor, self.keepsDC) = (firstFactor, keepsDC)
    (left, right) = (max(shift, 0) & 31, max(0 &- shift, 0) & 31)
  }

  @inline(__always)
  fileprivate func scale(_ level: Int32x4, _ factor: Int32x4) -> Int32x4 {
    let product = (level &* factor) &<< Int32x4(repeating: left)
    return right == 0 ? product : shiftRight(product &+ Int32x4(repeating: 1 &<< (right &- 1)), by: right)
  }
}

/// Scales the levels of a 4 × 4 block, transforms them, adds the residuals to samples, and clears the levels.
///
/// - Parameter scale: `nil` if levels are scaled already.
@inline(never)
package func addSmallBlock(
  _ levels: inout MutableSpan<Int32>, at start: Int, _ factors: Span<Int32>, _ scale: BlockScale?,
  maximum highest: Int32, to values: inout MutableSpan<UInt16>, _ position: SamplePosition
) {
  precondition(
    start >= 0 && start <= levels.count &- 16 && position.index >= 0 && position.stride >= 4
      && position.stride < 1 << 24 && position.index <= values.count &- 3 &* position.stride &- 4
      && (scale.map { $0.firstFactor >= 0 && $0.firstFactor <= factors.count &- 16 } ?? true),
    "the block is present")
  // SAFETY: all places are present by the precondition; rows are loaded and stored as eight bytes.
  unsafe levels.withUnsafeMutableBufferPointer { levels in
    unsafe factors.withUnsafeBufferPointer { factors in
      unsafe values.withUnsafeMutableBufferPointer { values in
        guard let levels = levels.baseAddress, let factors = factors.baseAddress, let values = values.baseAddress
        else { return }
        let source = unsafe UnsafeMutableRawPointer(levels + start)
        var square = unsafe Square(source, pitch: 16)
        if let scale {
          let dc = square.r0[0]
          let factor = unsafe Square(UnsafeRawPointer(factors + scale.firstFactor), pitch: 16)
          square = Square(
            scale.scale(square.r0, factor.r0), scale.scale(square.r1, factor.r1), scale.scale(square.r2, factor.r2),
            scale.scale(square.r3, factor.r3))
          if scale.keepsDC { square.r0[0] = dc }
        }
        unsafe Square(Int32x4(), Int32x4(), Int32x4(), Int32x4()).store(source, pitch: 16)
        let result = transformColumns(transformColumns(square.transposed()).transposed())
        let limit = Int16x8(repeating: Int16(truncatingIfNeeded: highest))
        let pitch = 2 &* position.stride
        let target = unsafe UnsafeMutableRawPointer(values + position.index)
        unsafe addRows(rounded(result.r0, result.r1), target, target + pitch, limit)
        unsafe addRows(rounded(result.r2, result.r3), target + 2 &* pitch, target + 3 &* pitch, limit)
      }
    }
  }
}

/// Scales the levels of an 8 × 8 block, transforms them, adds the residuals to samples, and clears the levels.
@inline(never)
package func addLargeBlock(
  _ levels: inout MutableSpan<Int32>, at start: Int, _ factors: Span<Int32>, _ scale: BlockScale,
  maximum highest: Int32, to values: inout MutableSpan<UInt16>, _ position: SamplePosition
) {
  precondition(
    start >= 0 && start <= levels.count &- 64 && position.index >= 0 && position.stride >= 8
      && position.stride < 1 << 24 && position.index <= values.count &- 7 &* position.stride &- 8
      && scale.firstFactor >= 0 && scale.firstFactor <= factors.count &- 64,
    "the block is present")
  // SAFETY: all places are present by the precondition.
  unsafe levels.withUnsafeMutableBufferPointer { levels in
    unsafe factors.withUnsafeBufferPointer { factors in
      unsafe values.withUnsafeMutableBufferPointer { values in
        guard let levels = levels.baseAddress, let factors = factors.baseAddress, let values = values.baseAddress
        else { return }
        let source = unsafe UnsafeMutableRawPointer(levels + start)
        let factor = unsafe UnsafeRawPointer(factors + scale.firstFactor)
        // Rows of four, left and right.
        for offset in stride(from: 0, to: 256, by: 16) {
          let level = unsafe source.loadUnaligned(fromByteOffset: offset, as: Int32x4.self)
          let scaled = unsafe scale.scale(level, factor.loadUnaligned(fromByteOffset: offset, as: Int32x4.self))
          unsafe source.storeBytes(of: scaled, toByteOffset: offset, as: Int32x4.self)
        }
        unsafe transposeLarge(source)
        unsafe transformLargeColumns(source)
        unsafe transformLargeColumns(source + 16)
        unsafe transposeLarge(source)
        unsafe transformLargeColumns(source)
        unsafe transformLargeColumns(source + 16)
        let limit = Int16x8(repeating: Int16(truncatingIfNeeded: highest))
        var target = unsafe UnsafeMutableRawPointer(values + position.index)
        for row in 0..<8 {
          let left = unsafe source.loadUnaligned(fromByteOffset: 32 &* row, as: Int32x4.self)
          let right = unsafe source.loadUnaligned(fromByteOffset: 32 &* row &+ 16, as: Int32x4.self)
          let sample = unsafe target.loadUnaligned(as: Int16x8.self)
          let sum = minimum(maximum(addSaturating(sample, rounded(left, right)), Int16x8()), limit)
          unsafe target.storeBytes(of: sum, as: Int16x8.self)
          unsafe source.storeBytes(of: Int32x4(), toByteOffset: 32 &* row, as: Int32x4.self)
          unsafe source.storeBytes(of: Int32x4(), toByteOffset: 32 &* row &+ 16, as: Int32x4.self)
          unsafe target += 2 &* position.stride
        }
      }
    }
  }
}

/// Two rows of residuals.
@inline(__always)
private func rounded(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
  let half = Int32x4(repeating: 32)
  return packSaturating(a &+ half, b &+ half, shiftedRightBy: 6)
}

/// Adds two rows of four residuals.
@inline(__always)
@unsafe private func addRows(
  _ residuals: Int16x8, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer, _ limit: Int16x8
) {
  let samples = unsafe Int16x8(
    lowHalf: first.loadUnaligned(as: SIMD4<Int16>.self), highHalf: second.loadUnaligned(as: SIMD4<Int16>.self))
  let sum = minimum(maximum(addSaturating(samples, residuals), Int16x8()), limit)
  let halves = unsafe unsafeBitCast(sum, to: SIMD2<UInt64>.self)
  unsafe first.storeBytes(of: halves[0], as: UInt64.self)
  unsafe second.storeBytes(of: halves[1], as: UInt64.self)
}

// MARK: Transforms

/// Four rows of four lanes.
private struct Square {
  var r0, r1, r2, r3: Int32x4

  @inline(__always)
  init(_ r0: Int32x4, _ r1: Int32x4, _ r2: Int32x4, _ r3: Int32x4) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
  }

  @inline(__always)
  @unsafe init(_ source: UnsafeRawPointer, pitch: Int) {
    unsafe r0 = source.loadUnaligned(as: Int32x4.self)
    unsafe r1 = source.loadUnaligned(fromByteOffset: pitch, as: Int32x4.self)
    unsafe r2 = source.loadUnaligned(fromByteOffset: 2 &* pitch, as: Int32x4.self)
    unsafe r3 = source.loadUnaligned(fromByteOffset: 3 &* pitch, as: Int32x4.self)
  }

  @inline(__always)
  @unsafe func store(_ target: UnsafeMutableRawPointer, pitch: Int) {
    unsafe target.storeBytes(of: r0, as: Int32x4.self)
    unsafe target.storeBytes(of: r1, toByteOffset: pitch, as: Int32x4.self)
    unsafe target.storeBytes(of: r2, toByteOffset: 2 &* pitch, as: Int32x4.self)
    unsafe target.storeBytes(of: r3, toByteOffset: 3 &* pitch, as: Int32x4.self)
  }

  @inline(__always)
  func transposed() -> Square {
    let (a, b, c, d) = (words(r0), words(r1), words(r2), words(r3))
    let (ab, cd) = (interleaveLow32(a, b), interleaveLow32(c, d))
    let (abHigh, cdHigh) = (interleaveHigh32(a, b), interleaveHigh32(c, d))
    return Square(
      lanes(interleaveLow64(ab, cd)), lanes(interleaveHigh64(ab, cd)), lanes(interleaveLow64(abHigh, cdHigh)),
      lanes(interleaveHigh64(abHigh, cdHigh)))
  }
}

@inline(__always)
private func words(_ vector: Int32x4) -> Int16x8 {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: Int16x8.self)
}

@inline(__always)
private func lanes(_ vector: Int16x8) -> Int32x4 {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: Int32x4.self)
}

@inline(__always)
private func transformColumns(_ a: Square) -> Square {
  let (even, odd) = (a.r0 &+ a.r2, a.r0 &- a.r2)
  let low = shiftRight(a.r1, by: 1) &- a.r3
  let high = a.r1 &+ shiftRight(a.r3, by: 1)
  return Square(even &+ high, odd &+ low, odd &- low, even &- high)
}

/// Transposes eight rows of eight lanes in place.
@inline(__always)
@unsafe private func transposeLarge(_ block: UnsafeMutableRawPointer) {
  let topLeft = unsafe Square(block, pitch: 32).transposed()
  let topRight = unsafe Square(block + 16, pitch: 32).transposed()
  let bottomLeft = unsafe Square(block + 128, pitch: 32).transposed()
  let bottomRight = unsafe Square(block + 144, pitch: 32).transposed()
  unsafe topLeft.store(block, pitch: 32)
  unsafe bottomLeft.store(block + 16, pitch: 32)
  unsafe topRight.store(block + 128, pitch: 32)
  unsafe bottomRight.store(block + 144, pitch: 32)
}

/// Transforms four columns of eight rows in place.
@inline(__always)
@unsafe private func transformLargeColumns(_ block: UnsafeMutableRawPointer) {
  let (upper, lower) = unsafe (Square(block, pitch: 32), Square(block + 128, pitch: 32))
  let (a0, a1, a2, a3) = (upper.r0, upper.r1, upper.r2, upper.r3)
  let (a4, a5, a6, a7) = (lower.r0, lower.r1, lower.r2, lower.r3)
  let (e0, e2) = (a0 &+ a4, a0 &- a4)
  let (e4, e6) = (shiftRight(a2, by: 1) &- a6, a2 &+ shiftRight(a6, by: 1))
  let e1 = a5 &- a3 &- a7 &- shiftRight(a7, by: 1)
  let e3 = a1 &+ a7 &- a3 &- shiftRight(a3, by: 1)
  let e5 = a7 &- a1 &+ a5 &+ shiftRight(a5, by: 1)
  let e7 = a3 &+ a5 &+ a1 &+ shiftRight(a1, by: 1)
  let (f0, f2, f4, f6) = (e0 &+ e6, e2 &+ e4, e2 &- e4, e0 &- e6)
  let (f1, f7) = (e1 &+ shiftRight(e7, by: 2), e7 &- shiftRight(e1, by: 2))
  let (f3, f5) = (e3 &+ shiftRight(e5, by: 2), shiftRight(e3, by: 2) &- e5)
  unsafe Square(f0 &+ f7, f2 &+ f5, f4 &+ f3, f6 &+ f1).store(block, pitch: 32)
  unsafe Square(f6 &- f1, f4 &- f3, f2 &- f5, f0 &- f7).store(block + 128, pitch: 32)
}
