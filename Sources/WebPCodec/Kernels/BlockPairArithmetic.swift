// The arithmetic of the lossy encoder on two blocks at a time: forward transform, quantization and distortion.

internal import VectorLanes

extension BlockPair {
  @inline(__always)
  package static func - (a: BlockPair, b: BlockPair) -> BlockPair {
    BlockPair(r0: a.r0 &- b.r0, r1: a.r1 &- b.r1, r2: a.r2 &- b.r2, r3: a.r3 &- b.r3)
  }

  @inline(__always)
  package static func + (a: BlockPair, b: BlockPair) -> BlockPair {
    BlockPair(r0: a.r0 &+ b.r0, r1: a.r1 &+ b.r1, r2: a.r2 &+ b.r2, r3: a.r3 &+ b.r3)
  }

  /// The samples limited to 0…255.
  @inline(__always)
  package var saturated: BlockPair {
    let a = packUnsignedSaturating(r0, r1)
    let b = packUnsignedSaturating(r2, r3)
    return BlockPair(r0: widenLow(a), r1: widenHigh(a), r2: widenLow(b), r3: widenHigh(b))
  }

  /// The forward transform of differences: an approximation of the DCT that the inverse transform of the decoder inverts,
  /// with libwebp's rounding.
  @inline(__always)
  package func forwardTransformed() -> BlockPair {
    let columns = transposed()
    let a0 = columns.r0 &+ columns.r3
    let a1 = columns.r1 &+ columns.r2
    let a2 = columns.r1 &- columns.r2
    let a3 = columns.r0 &- columns.r3
    let rows = BlockPair(
      r0: (a0 &+ a1) &<< 3, r1: rotated(a2, a3, Rotation.first, 1812, 9), r2: (a0 &- a1) &<< 3,
      r3: rotated(a2, a3, Rotation.second, 937, 9)
    ).transposed()
    let b0 = rows.r0 &+ rows.r3
    let b1 = rows.r1 &+ rows.r2
    let b2 = rows.r1 &- rows.r2
    let b3 = rows.r0 &- rows.r3
    let seven = SIMD8<Int16>(repeating: 7)
    // One more where the difference is not zero: the comparison yields −1 where it is.
    let isNotZero = SIMD8<Int16>(repeating: 1) &+ isEqual(b3, SIMD8())
    return BlockPair(
      r0: (b0 &+ b1 &+ seven) &>> 4, r1: rotated(b2, b3, Rotation.first, 12000, 16) &+ isNotZero,
      r2: (b0 &- b1 &+ seven) &>> 4, r3: rotated(b2, b3, Rotation.second, 51000, 16))
  }

  /// The weighted sum of the magnitudes of the Hadamard transform of each block.
  @inline(__always)
  package func textureSums() -> (Int32, Int32) {
    let columns = hadamardColumns().transposed().hadamardColumns()
    let sum =
      multiplyAddPairs(magnitude(columns.r0), Weights.row0) &+ multiplyAddPairs(magnitude(columns.r1), Weights.row1)
      &+ multiplyAddPairs(magnitude(columns.r2), Weights.row2) &+ multiplyAddPairs(magnitude(columns.r3), Weights.row3)
    return (sum[0] &+ sum[1], sum[2] &+ sum[3])
  }

  /// An eighth of the magnitude of each coefficient, at most 31.
  @inline(__always)
  package var coarseMagnitudes: BlockPair {
    let limit = SIMD8<Int16>(repeating: 31)
    return BlockPair(
      r0: minimum(magnitude(r0) &>> 3, limit), r1: minimum(magnitude(r1) &>> 3, limit),
      r2: minimum(magnitude(r2) &>> 3, limit), r3: minimum(magnitude(r3) &>> 3, limit))
  }

  @inline(__always)
  private func hadamardColumns() -> BlockPair {
    let a0 = r0 &+ r2
    let a1 = r1 &+ r3
    let a2 = r1 &- r3
    let a3 = r0 &- r2
    return BlockPair(r0: a0 &+ a1, r1: a3 &+ a2, r2: a3 &- a2, r3: a0 &- a1)
  }

  /// The sums of the squares of each block.
  @inline(__always)
  package func squareSums() -> (Int32, Int32) {
    let sum =
      multiplyAddPairs(r0, r0) &+ multiplyAddPairs(r1, r1) &+ multiplyAddPairs(r2, r2) &+ multiplyAddPairs(r3, r3)
    return (sum[0] &+ sum[1], sum[2] &+ sum[3])
  }
}

extension BlockPair {
  /// The blocks in the other order.
  @inline(__always)
  var swapped: BlockPair {
    func row(_ a: SIMD8<Int16>) -> SIMD8<Int16> { SIMD8(lowHalf: a.highHalf, highHalf: a.lowHalf) }
    return BlockPair(r0: row(r0), r1: row(r1), r2: row(r2), r3: row(r3))
  }
}

@inline(__always)
private func magnitude(_ value: SIMD8<Int16>) -> SIMD8<Int16> { maximum(value, SIMD8() &- value) }

/// The factors of the rotations, √2·sin(π/8) and √2·cos(π/8) in units of 1/4096, for (a2, a3) pairs.
private enum Rotation {
  @inline(__always)
  static var first: SIMD8<Int16> { SIMD8(2217, 5352, 2217, 5352, 2217, 5352, 2217, 5352) }
  @inline(__always)
  static var second: SIMD8<Int16> { SIMD8(-5352, 2217, -5352, 2217, -5352, 2217, -5352, 2217) }
}

/// The weights of the frequencies in the texture distortion; symmetric.
private enum Weights {
  @inline(__always)
  static var row0: SIMD8<Int16> { SIMD8(38, 32, 20, 9, 38, 32, 20, 9) }
  @inline(__always)
  static var row1: SIMD8<Int16> { SIMD8(32, 28, 17, 7, 32, 28, 17, 7) }
  @inline(__always)
  static var row2: SIMD8<Int16> { SIMD8(20, 17, 10, 4, 20, 17, 10, 4) }
  @inline(__always)
  static var row3: SIMD8<Int16> { SIMD8(9, 7, 4, 2, 9, 7, 4, 2) }
}

@inline(__always)
private func rotated(
  _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ factors: SIMD8<Int16>, _ rounding: Int32, _ shift: Int32
) -> SIMD8<Int16> {
  let rounding = SIMD4<Int32>(repeating: rounding)
  let low = multiplyAddPairs(interleaveLow16(a, b), factors) &+ rounding
  let high = multiplyAddPairs(interleaveHigh16(a, b), factors) &+ rounding
  return packSaturating(shiftRight(low, by: shift), shiftRight(high, by: shift))
}

/// The quantizer of one kind of coefficients, for two blocks at a time.
package struct PairQuantizer: Sendable {
  /// The steps: of the first coefficient, and of all others.
  package let first: Int32
  package let others: Int32
  private let stepRow0: SIMD8<Int16>
  private let stepRow: SIMD8<Int16>
  private let inverseRow0: SIMD8<UInt16>
  private let inverseRow: SIMD8<UInt16>
  private let biasLow0: SIMD4<UInt32>
  private let bias: SIMD4<UInt32>
  private let sharpening: (SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>)

  /// The greatest level that tokens represent.
  package static let greatestLevel: Int16 = 2047
  private static let precision: UInt32 = 17

  /// - Parameters:
  ///   - bias: what is added before rounding down, in units of 1/256 of a step.
  ///   - sharpens: whether high frequencies are raised slightly.
  package init(first: Int32, others: Int32, bias: (first: UInt32, others: UInt32), sharpens: Bool) {
    (self.first, self.others) = (first, others)
    func row<Lane: SIMDScalar>(_ zero: Lane, _ other: Lane) -> SIMD8<Lane> {
      SIMD8(zero, other, other, other, zero, other, other, other)
    }
    stepRow = SIMD8(repeating: Int16(others))
    stepRow0 = row(Int16(first), Int16(others))
    let inverses = (
      UInt16((1 << Self.precision) / UInt32(first)), UInt16((1 << Self.precision) / UInt32(others))
    )
    inverseRow = SIMD8(repeating: inverses.1)
    inverseRow0 = row(inverses.0, inverses.1)
    self.bias = SIMD4(repeating: bias.others << 9)
    biasLow0 = SIMD4(bias.first << 9, bias.others << 9, bias.others << 9, bias.others << 9)
    func raised(_ weights: SIMD4<Int32>) -> SIMD8<Int16> {
      guard sharpens else { return SIMD8() }
      let values = SIMD4(
        weights[0] * (weights[0] == 0 ? 0 : others), weights[1] * others, weights[2] * others, weights[3] * others)
      let words = SIMD4<Int16>(truncatingIfNeeded: values &>> 11)
      return SIMD8(lowHalf: words, highHalf: words)
    }
    sharpening = (
      raised(SIMD4(0, 30, 60, 90)), raised(SIMD4(30, 60, 90, 90)), raised(SIMD4(60, 90, 90, 90)),
      raised(SIMD4(90, 90, 90, 90))
    )
  }

  /// Returns the levels of coefficients.
  @inline(__always)
  package func levels(_ pair: BlockPair) -> BlockPair {
    BlockPair(
      r0: row(pair.r0, inverseRow0, biasLow0, sharpening.0), r1: row(pair.r1, inverseRow, bias, sharpening.1),
      r2: row(pair.r2, inverseRow, bias, sharpening.2), r3: row(pair.r3, inverseRow, bias, sharpening.3))
  }

  @inline(__always)
  private func row(
    _ coefficients: SIMD8<Int16>, _ inverse: SIMD8<UInt16>, _ bias: SIMD4<UInt32>, _ sharpening: SIMD8<Int16>
  ) -> SIMD8<Int16> {
    // All lanes are ones where a coefficient is negative.
    let sign = coefficients &>> 15
    let magnitude = ((coefficients ^ sign) &- sign) &+ sharpening
    // SAFETY (all casts): the types have 16 bytes, and every bit pattern is valid.
    let unsigned = unsafe unsafeBitCast(magnitude, to: SIMD8<UInt16>.self)
    let low = unsafe unsafeBitCast(unsigned &* inverse, to: SIMD8<Int16>.self)
    let high = unsafe unsafeBitCast(multiplyHighUnsigned(unsigned, inverse), to: SIMD8<Int16>.self)
    let first = unsafe (unsafeBitCast(interleaveLow16(low, high), to: SIMD4<UInt32>.self) &+ bias) &>> Self.precision
    let second = unsafe (unsafeBitCast(interleaveHigh16(low, high), to: SIMD4<UInt32>.self) &+ bias) &>> Self.precision
    let levels = unsafe minimum(
      packSaturating(
        unsafeBitCast(first, to: SIMD4<Int32>.self), unsafeBitCast(second, to: SIMD4<Int32>.self)),
      SIMD8(repeating: Self.greatestLevel))
    return (levels ^ sign) &- sign
  }

  /// Returns the coefficients of levels, as the decoder calculates them.
  @inline(__always)
  package func coefficients(_ levels: BlockPair) -> BlockPair {
    BlockPair(
      r0: levels.r0 &* stepRow0, r1: levels.r1 &* stepRow, r2: levels.r2 &* stepRow, r3: levels.r3 &* stepRow)
  }
}
