// The arithmetic of inverse transforms on eight rows or columns at once (section 7.13.2.1): in 16 bits for samples of
// 8 bits, whose intermediate values have 16, otherwise in 32.

internal import VectorLanes

/// Eight values of which each belongs to another row or column.
protocol TransformLanes {
  /// Bytes in memory.
  static var byteCount: Int { get }
  static var zero: Self { get }

  /// Loads eight coefficients of 32 bits, saturated.
  @unsafe static func load(coefficients: UnsafeRawPointer) -> Self
  /// Loads four coefficients of 32 bits, saturated.
  @unsafe static func loadFour(coefficients: UnsafeRawPointer) -> Self
  /// H( a, b, 0, r ).
  static func butterfly(_ a: Self, _ b: Self, _ range: LaneRange) -> (sum: Self, difference: Self)
  /// B( a, b, angle, 0, r ), from the cosine and the sine of the angle, scaled by 4096.
  static func rotate(_ a: Self, _ b: Self, _ cosine: Int32, _ sine: Int32) -> (Self, Self)
  /// The sum of four products, divided by 4096 and rounded.
  static func combine(
    _ values: (Self, Self, Self, Self), _ factors: (Int16, Int16, Int16, Int16)
  ) -> Self
  var negated: Self { get }
  /// The product with a factor of 4096ths, rounded, then divided by a power of two and rounded.
  func scaled(by factor: Int16, shift: Int32) -> Self
  /// The product with a power of two, or the rounded quotient if the logarithm is negative.
  func shifted(by log2: Int32) -> Self
  /// The value limited to a range.
  func clamped(_ range: LaneRange) -> Self
  static func transpose(_ rows: (Self, Self, Self, Self, Self, Self, Self, Self)) -> (
    Self, Self, Self, Self, Self, Self, Self, Self
  )
  /// Adds eight residuals to samples.
  @unsafe func add(to samples: UnsafeMutableRawPointer, maximum: Int16)
  /// Adds the first four residuals to samples.
  @unsafe func addFour(to samples: UnsafeMutableRawPointer, maximum: Int16)
}

/// The range of signed numbers of some bits.
struct LaneRange {
  let minimum: Int32
  let maximum: Int32

  init(bitCount: Int) {
    maximum = 1 &<< Int32(truncatingIfNeeded: bitCount &- 1) &- 1
    minimum = -1 &- maximum
  }
}

/// Values of 16 bits. Sums saturate, which limits them to the range of 16 bits.
struct NarrowLanes: TransformLanes {
  var values: SIMD8<Int16>

  @inline(__always)
  init(_ values: SIMD8<Int16>) {
    self.values = values
  }

  @inline(__always)
  static var byteCount: Int { 16 }
  @inline(__always)
  static var zero: NarrowLanes { NarrowLanes(SIMD8()) }

  @inline(__always)
  @unsafe static func load(coefficients: UnsafeRawPointer) -> NarrowLanes {
    unsafe NarrowLanes(
      packSaturating(
        coefficients.loadUnaligned(as: Int32x4.self),
        coefficients.loadUnaligned(fromByteOffset: 16, as: Int32x4.self)))
  }

  @inline(__always)
  @unsafe static func loadFour(coefficients: UnsafeRawPointer) -> NarrowLanes {
    unsafe NarrowLanes(packSaturating(coefficients.loadUnaligned(as: Int32x4.self), Int32x4()))
  }

  @inline(__always)
  static func butterfly(
    _ a: NarrowLanes, _ b: NarrowLanes, _ range: LaneRange
  ) -> (sum: NarrowLanes, difference: NarrowLanes) {
    (NarrowLanes(addSaturating(a.values, b.values)), NarrowLanes(difference(a.values, b.values)))
  }

  /// The sums of products of pairs of lanes, divided by 4096 and rounded.
  @inline(__always)
  private static func product(_ low: Int16x8, _ high: Int16x8, _ factors: Int16x8) -> NarrowLanes {
    let half = Int32x4(repeating: 2048)
    return NarrowLanes(
      packSaturating(
        shiftRight(multiplyAddPairs(low, factors) &+ half, by: 12),
        shiftRight(multiplyAddPairs(high, factors) &+ half, by: 12)))
  }

  @inline(__always)
  static func rotate(
    _ a: NarrowLanes, _ b: NarrowLanes, _ cosine: Int32, _ sine: Int32
  ) -> (NarrowLanes, NarrowLanes) {
    let low = interleaveLow16(a.values, b.values)
    let high = interleaveHigh16(a.values, b.values)
    return (
      product(low, high, factorPairs(Int(cosine), 0 &- Int(sine))),
      product(low, high, factorPairs(Int(sine), Int(cosine)))
    )
  }

  @inline(__always)
  static func combine(
    _ values: (NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes), _ factors: (Int16, Int16, Int16, Int16)
  ) -> NarrowLanes {
    let first = factorPairs(Int(factors.0), Int(factors.1))
    let second = factorPairs(Int(factors.2), Int(factors.3))
    let half = Int32x4(repeating: 2048)
    let low =
      multiplyAddPairs(interleaveLow16(values.0.values, values.1.values), first)
      &+ multiplyAddPairs(interleaveLow16(values.2.values, values.3.values), second)
    let high =
      multiplyAddPairs(interleaveHigh16(values.0.values, values.1.values), first)
      &+ multiplyAddPairs(interleaveHigh16(values.2.values, values.3.values), second)
    return NarrowLanes(packSaturating(shiftRight(low &+ half, by: 12), shiftRight(high &+ half, by: 12)))
  }

  @inline(__always)
  var negated: NarrowLanes { NarrowLanes(difference(SIMD8(), values)) }

  @inline(__always)
  func scaled(by factor: Int16, shift: Int32) -> NarrowLanes {
    let factors = factorPairs(Int(factor), 2048)
    let ones = SIMD8<Int16>(repeating: 1)
    let half = Int32x4(repeating: (1 &<< shift) &>> 1)
    let low = shiftRight(multiplyAddPairs(interleaveLow16(values, ones), factors), by: 12)
    let high = shiftRight(multiplyAddPairs(interleaveHigh16(values, ones), factors), by: 12)
    return NarrowLanes(packSaturating(shiftRight(low &+ half, by: shift), shiftRight(high &+ half, by: shift)))
  }

  @inline(__always)
  func shifted(by log2: Int32) -> NarrowLanes {
    if log2 < 0 {
      // The bit that rounds is added after the shift, which cannot overflow.
      let roundingBits = shiftRight(values, by: -1 &- log2) & 1
      return NarrowLanes(shiftRight(values, by: 0 &- log2) &+ roundingBits)
    }
    var result = values
    for _ in 0..<log2 { result = addSaturating(result, result) }
    return NarrowLanes(result)
  }

  @inline(__always)
  func clamped(_ range: LaneRange) -> NarrowLanes { self }

  @inline(__always)
  static func transpose(
    _ r: (NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes)
  ) -> (NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes, NarrowLanes) {
    let (a0, a1) = (interleaveLow16(r.0.values, r.1.values), interleaveHigh16(r.0.values, r.1.values))
    let (a2, a3) = (interleaveLow16(r.2.values, r.3.values), interleaveHigh16(r.2.values, r.3.values))
    let (a4, a5) = (interleaveLow16(r.4.values, r.5.values), interleaveHigh16(r.4.values, r.5.values))
    let (a6, a7) = (interleaveLow16(r.6.values, r.7.values), interleaveHigh16(r.6.values, r.7.values))
    let (b0, b1) = (interleaveLow32(a0, a2), interleaveHigh32(a0, a2))
    let (b2, b3) = (interleaveLow32(a1, a3), interleaveHigh32(a1, a3))
    let (b4, b5) = (interleaveLow32(a4, a6), interleaveHigh32(a4, a6))
    let (b6, b7) = (interleaveLow32(a5, a7), interleaveHigh32(a5, a7))
    return (
      NarrowLanes(interleaveLow64(b0, b4)), NarrowLanes(interleaveHigh64(b0, b4)),
      NarrowLanes(interleaveLow64(b1, b5)), NarrowLanes(interleaveHigh64(b1, b5)),
      NarrowLanes(interleaveLow64(b2, b6)), NarrowLanes(interleaveHigh64(b2, b6)),
      NarrowLanes(interleaveLow64(b3, b7)), NarrowLanes(interleaveHigh64(b3, b7))
    )
  }

  @inline(__always)
  @unsafe func add(to samples: UnsafeMutableRawPointer, maximum limit: Int16) {
    let sum = unsafe addSaturating(samples.loadUnaligned(as: Int16x8.self), values)
    unsafe samples.storeBytes(of: minimum(maximum(sum, Int16x8()), Int16x8(repeating: limit)), as: Int16x8.self)
  }

  @inline(__always)
  @unsafe func addFour(to samples: UnsafeMutableRawPointer, maximum limit: Int16) {
    let four = unsafe samples.loadUnaligned(as: SIMD4<Int16>.self)
    let sum = addSaturating(SIMD8(lowHalf: four, highHalf: SIMD4()), values)
    let result = minimum(maximum(sum, Int16x8()), Int16x8(repeating: limit))
    unsafe samples.storeBytes(of: result.lowHalf, as: SIMD4<Int16>.self)
  }
}

/// The saturated difference: the complement of a sum, since the complement of a is −1 − a.
@inline(__always)
private func difference(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { ~addSaturating(~a, b) }

/// Values of 32 bits.
struct WideLanes: TransformLanes {
  var values: SIMD8<Int32>

  @inline(__always)
  init(_ values: SIMD8<Int32>) {
    self.values = values
  }

  @inline(__always)
  static var byteCount: Int { 32 }
  @inline(__always)
  static var zero: WideLanes { WideLanes(SIMD8()) }

  @inline(__always)
  @unsafe static func load(coefficients: UnsafeRawPointer) -> WideLanes {
    unsafe WideLanes(coefficients.loadUnaligned(as: SIMD8<Int32>.self))
  }

  @inline(__always)
  @unsafe static func loadFour(coefficients: UnsafeRawPointer) -> WideLanes {
    unsafe WideLanes(SIMD8(lowHalf: coefficients.loadUnaligned(as: SIMD4<Int32>.self), highHalf: SIMD4()))
  }

  @inline(__always)
  static func butterfly(
    _ a: WideLanes, _ b: WideLanes, _ range: LaneRange
  ) -> (sum: WideLanes, difference: WideLanes) {
    (WideLanes(a.values &+ b.values).clamped(range), WideLanes(a.values &- b.values).clamped(range))
  }

  @inline(__always)
  static func rotate(
    _ a: WideLanes, _ b: WideLanes, _ cosine: Int32, _ sine: Int32
  ) -> (WideLanes, WideLanes) {
    let x = a.values &* cosine &- b.values &* sine
    let y = a.values &* sine &+ b.values &* cosine
    return (WideLanes((x &+ 2048) &>> 12), WideLanes((y &+ 2048) &>> 12))
  }

  @inline(__always)
  static func combine(
    _ values: (WideLanes, WideLanes, WideLanes, WideLanes), _ factors: (Int16, Int16, Int16, Int16)
  ) -> WideLanes {
    let first = values.0.values &* Int32(factors.0) &+ values.1.values &* Int32(factors.1)
    let second = values.2.values &* Int32(factors.2) &+ values.3.values &* Int32(factors.3)
    return WideLanes((first &+ second &+ 2048) &>> 12)
  }

  @inline(__always)
  var negated: WideLanes { WideLanes(0 &- values) }

  @inline(__always)
  func scaled(by factor: Int16, shift: Int32) -> WideLanes {
    let product = (values &* Int32(factor) &+ 2048) &>> 12
    return WideLanes((product &+ (1 &<< shift) &>> 1) &>> shift)
  }

  @inline(__always)
  func shifted(by log2: Int32) -> WideLanes {
    if log2 < 0 { return WideLanes((values &+ (1 &<< (-1 &- log2))) &>> (0 &- log2)) }
    return WideLanes(values &<< log2)
  }

  @inline(__always)
  func clamped(_ range: LaneRange) -> WideLanes {
    let low = SIMD8<Int32>(repeating: range.minimum)
    let high = SIMD8<Int32>(repeating: range.maximum)
    let raised = values.replacing(with: low, where: values .< low)
    return WideLanes(raised.replacing(with: high, where: raised .> high))
  }

  @inline(__always)
  static func transpose(
    _ r: (WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes)
  ) -> (WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes, WideLanes) {
    let a = transposeFour(r.0.values.lowHalf, r.1.values.lowHalf, r.2.values.lowHalf, r.3.values.lowHalf)
    let b = transposeFour(r.4.values.lowHalf, r.5.values.lowHalf, r.6.values.lowHalf, r.7.values.lowHalf)
    let c = transposeFour(r.0.values.highHalf, r.1.values.highHalf, r.2.values.highHalf, r.3.values.highHalf)
    let d = transposeFour(r.4.values.highHalf, r.5.values.highHalf, r.6.values.highHalf, r.7.values.highHalf)
    return (
      WideLanes(SIMD8(lowHalf: a.0, highHalf: b.0)), WideLanes(SIMD8(lowHalf: a.1, highHalf: b.1)),
      WideLanes(SIMD8(lowHalf: a.2, highHalf: b.2)), WideLanes(SIMD8(lowHalf: a.3, highHalf: b.3)),
      WideLanes(SIMD8(lowHalf: c.0, highHalf: d.0)), WideLanes(SIMD8(lowHalf: c.1, highHalf: d.1)),
      WideLanes(SIMD8(lowHalf: c.2, highHalf: d.2)), WideLanes(SIMD8(lowHalf: c.3, highHalf: d.3))
    )
  }

  @inline(__always)
  private static func transposeFour(
    _ a: Int32x4, _ b: Int32x4, _ c: Int32x4, _ d: Int32x4
  ) -> (Int32x4, Int32x4, Int32x4, Int32x4) {
    let (r0, r1, r2, r3) = (int16x8(a), int16x8(b), int16x8(c), int16x8(d))
    let (low0, low1) = (interleaveLow32(r0, r1), interleaveLow32(r2, r3))
    let (high0, high1) = (interleaveHigh32(r0, r1), interleaveHigh32(r2, r3))
    return (
      int32x4(interleaveLow64(low0, low1)), int32x4(interleaveHigh64(low0, low1)),
      int32x4(interleaveLow64(high0, high1)), int32x4(interleaveHigh64(high0, high1))
    )
  }

  @inline(__always)
  @unsafe func add(to samples: UnsafeMutableRawPointer, maximum limit: Int16) {
    let old = unsafe samples.loadUnaligned(as: Int16x8.self)
    unsafe samples.storeBytes(of: sum(old, limit), as: Int16x8.self)
  }

  @inline(__always)
  @unsafe func addFour(to samples: UnsafeMutableRawPointer, maximum limit: Int16) {
    let old = unsafe SIMD8(lowHalf: samples.loadUnaligned(as: SIMD4<Int16>.self), highHalf: SIMD4())
    unsafe samples.storeBytes(of: sum(old, limit).lowHalf, as: SIMD4<Int16>.self)
  }

  /// The sums with samples, limited to their range. Sums that saturate are limited too.
  @inline(__always)
  private func sum(_ old: Int16x8, _ limit: Int16) -> Int16x8 {
    let low = int32x4(interleaveLow16(old, Int16x8())) &+ values.lowHalf
    let high = int32x4(interleaveHigh16(old, Int16x8())) &+ values.highHalf
    return minimum(maximum(packSaturating(low, high), Int16x8()), Int16x8(repeating: limit))
  }
}
