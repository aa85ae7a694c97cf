// The last step of the self-guided filter: samples and the results of both passes are mixed.

internal import VectorLanes

/// Eight values of 32 bits.
struct WideValues {
  var low: Int32x4
  var high: Int32x4

  @inline(__always)
  init(_ low: Int32x4, _ high: Int32x4) {
    (self.low, self.high) = (low, high)
  }

  @inline(__always)
  static func &+ (a: Self, b: Self) -> Self { Self(a.low &+ b.low, a.high &+ b.high) }
  @inline(__always)
  static func &- (a: Self, b: Self) -> Self { Self(a.low &- b.low, a.high &- b.high) }

  /// The products of positive numbers that have 15 bits.
  @inline(__always)
  init(productOf a: Int16x8, _ b: Int16x8) {
    let (bits, carries) = (a &* b, multiplyHigh(a, b))
    (low, high) = (int32x4(interleaveLow16(bits, carries)), int32x4(interleaveHigh16(bits, carries)))
  }

  /// The quotients by a power of two, rounded.
  @inline(__always)
  func rounded(_ shift: Int32) -> Self {
    let half = Int32x4(repeating: (1 &<< shift) &>> 1)
    return Self(shiftRight(low &+ half, by: shift), shiftRight(high &+ half, by: shift))
  }
}

/// Mixes samples and the results of one or both passes.
@safe struct SelfGuidedMixer {
  private let output: UnsafeMutablePointer<UInt16>
  private let stride: Int
  private let width: Int
  private let largest: Int16x8
  /// The weights of the samples, which include those of passes that are not used, and of the results.
  private let own: Int16x8
  private let firstWeight: Int32
  private let lastWeight: Int32
  /// Whether results have 15 bits at most.
  private let isNarrow: Bool

  @inline(__always)
  @unsafe init(
    _ weights: (Int32, Int32), usesFirst: Bool, usesSecond: Bool, bitDepth: Int,
    _ output: UnsafeMutablePointer<UInt16>, stride: Int, width: Int
  ) {
    let (w0, w1) = weights
    let w2 = 128 &- w0 &- w1
    unsafe self.output = output
    (self.stride, self.width) = (stride, width)
    largest = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
    let own = w1 &+ (usesFirst ? 0 : w0) &+ (usesSecond ? 0 : w2)
    self.own = Int16x8(repeating: Int16(truncatingIfNeeded: own &<< 4))
    firstWeight = w0
    lastWeight = usesSecond ? w2 : w0
    isNarrow = bitDepth <= 10
  }

  @inline(__always)
  private func weighted(_ values: WideValues, _ weight: Int32) -> WideValues {
    if isNarrow {
      let factors = factorPairs(Int(weight), 0)
      return WideValues(multiplyAddPairs(int16x8(values.low), factors), multiplyAddPairs(int16x8(values.high), factors))
    }
    return WideValues(values.low &* weight, values.high &* weight)
  }

  /// - Parameters:
  ///   - last: the results of the last pass.
  ///   - first: those of the first one, if there are two.
  @inline(__always)
  @unsafe func mix(_ row: Int, _ column: Int, _ samples: Int16x8, _ last: WideValues, _ first: WideValues?) {
    let (bits, carries) = (samples &* own, multiplyHigh(samples, own))
    var sum = WideValues(
      int32x4(interleaveLow16(bits, carries)), int32x4(interleaveHigh16(bits, carries)))
    sum = sum &+ weighted(last, lastWeight)
    if let first { sum = sum &+ weighted(first, firstWeight) }
    sum = sum.rounded(11)
    let result = minimum(maximum(packSaturating(sum.low, sum.high), Int16x8()), largest)
    let target = unsafe output + (row &* stride &+ column)
    if width &- column >= 8 {
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: result, as: Int16x8.self)
    } else {
      for lane in 0..<width &- column { unsafe target[lane] = UInt16(truncatingIfNeeded: result[lane]) }
    }
  }
}
