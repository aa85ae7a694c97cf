// The one-dimensional inverse transforms (sections 7.13.2.2 to 7.13.2.15).

/// Working memory of up to 64 lanes, which a transform changes in place: the array T of the specification.
@safe struct LaneBuffer<Lanes: TransformLanes> {
  let base: UnsafeMutableRawPointer

  @inline(__always)
  subscript(index: Int) -> Lanes {
    get { unsafe base.loadUnaligned(fromByteOffset: index &* Lanes.byteCount, as: Lanes.self) }
    nonmutating set { unsafe base.storeBytes(of: newValue, toByteOffset: index &* Lanes.byteCount, as: Lanes.self) }
  }
}

/// 4096 times the cosines of angles of π/128 up to π/2 (`Cos128_Lookup`).
private let quarterCosines: InlineArray<65, Int16> = [
  4096, 4095, 4091, 4085, 4076, 4065, 4052, 4036, 4017, 3996, 3973, 3948, 3920, 3889, 3857, 3822, 3784, 3745, 3703,
  3659, 3612, 3564, 3513, 3461, 3406, 3349, 3290, 3229, 3166, 3102, 3035, 2967, 2896, 2824, 2751, 2675, 2598, 2520,
  2440, 2359, 2276, 2191, 2106, 2019, 1931, 1842, 1751, 1660, 1567, 1474, 1380, 1285, 1189, 1092, 995, 897, 799,
  700, 601, 501, 401, 301, 201, 101, 0,
]

/// `cos128`; the sine of an angle is the cosine of that minus 64.
@inline(__always)
private func cosine(_ angle: Int) -> Int32 {
  let angle = angle & 255
  if angle <= 64 { return Int32(quarterCosines[angle]) }
  if angle <= 128 { return 0 &- Int32(quarterCosines[128 &- angle]) }
  if angle <= 192 { return 0 &- Int32(quarterCosines[angle &- 128]) }
  return Int32(quarterCosines[256 &- angle])
}

/// The reversal of the six lowest bits of each number.
private let bitReversals: InlineArray<64, UInt8> = [
  0, 32, 16, 48, 8, 40, 24, 56, 4, 36, 20, 52, 12, 44, 28, 60, 2, 34, 18, 50, 10, 42, 26, 58, 6, 38, 22, 54, 14, 46,
  30, 62, 1, 33, 17, 49, 9, 41, 25, 57, 5, 37, 21, 53, 13, 45, 29, 61, 3, 35, 19, 51, 11, 43, 27, 59, 7, 39, 23, 55,
  15, 47, 31, 63,
]

/// The index of each result of a sine transform of 16 values (section 7.13.2.5); that of one of eight is half of it.
private let sineOutputs: InlineArray<16, UInt8> = [0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1]

/// The reversal of the lowest bits of a number.
@inline(__always)
private func reversed(_ bitCount: Int, _ value: Int) -> Int {
  Int(bitReversals[value & 63]) &>> (6 &- bitCount)
}

extension LaneBuffer {
  /// B( a, b, angle, 0, r ), or B( a, b, angle, 1, r ), which exchanges the results.
  @inline(__always)
  @unsafe fileprivate func rotate(_ a: Int, _ b: Int, _ angle: Int, flips: Bool = false) {
    let (x, y) = Lanes.rotate(self[a], self[b], cosine(angle), cosine(angle &- 64))
    self[a] = flips ? y : x
    self[b] = flips ? x : y
  }

  /// H( a, b, 0, r ), or H( a, b, 1, r ), which is H( b, a, 0, r ).
  @inline(__always)
  @unsafe fileprivate func butterfly(_ a: Int, _ b: Int, _ range: LaneRange, flips: Bool = false) {
    let (first, second) = flips ? (b, a) : (a, b)
    let (sum, difference) = Lanes.butterfly(self[first], self[second], range)
    self[first] = sum
    self[second] = difference
  }

  // The inverse discrete cosine transforms of values in bit-reversed order (section 7.13.2.3). The first half of each
  // is the transform of half the size, which shares no value with the second half before the last step.

  @inline(__always)
  @unsafe func invertCosine4(_ range: LaneRange) {
    unsafe rotate(0, 1, 32, flips: true)
    unsafe rotate(2, 3, 48)
    unsafe butterfly(0, 3, range)
    unsafe butterfly(1, 2, range)
  }

  @inline(__always)
  @unsafe func invertCosine8(_ range: LaneRange) {
    unsafe invertCosine4(range)
    unsafe rotate(4, 7, 56)
    unsafe rotate(5, 6, 24)
    unsafe butterfly(4, 5, range)
    unsafe butterfly(6, 7, range, flips: true)
    unsafe rotate(6, 5, 32, flips: true)
    for i in 0..<4 { unsafe butterfly(i, 7 &- i, range) }
  }

  @inline(__always)
  @unsafe func invertCosine16(_ range: LaneRange) {
    unsafe invertCosine8(range)
    for i in 0..<4 { unsafe rotate(8 &+ i, 15 &- i, 12 &+ reversed(2, 3 &- i) &<< 4) }
    for i in 0..<4 { unsafe butterfly(8 &+ 2 &* i, 9 &+ 2 &* i, range, flips: i & 1 == 1) }
    for i in 0..<2 { unsafe rotate(14 &- i, 9 &+ i, 48 &+ 64 &* i, flips: true) }
    for i in 0..<2 {
      for j in 0..<2 { unsafe butterfly(8 &+ 4 &* i &+ j, 11 &+ 4 &* i &- j, range, flips: i == 1) }
    }
    for i in 0..<2 { unsafe rotate(13 &- i, 10 &+ i, 32, flips: true) }
    for i in 0..<8 { unsafe butterfly(i, 15 &- i, range) }
  }

  @inline(__always)
  @unsafe func invertCosine32(_ range: LaneRange) {
    unsafe invertCosine16(range)
    for i in 0..<8 { unsafe rotate(16 &+ i, 31 &- i, 6 &+ reversed(3, 7 &- i) &<< 3) }
    for i in 0..<8 { unsafe butterfly(16 &+ 2 &* i, 17 &+ 2 &* i, range, flips: i & 1 == 1) }
    for i in 0..<2 {
      for j in 0..<2 {
        unsafe rotate(30 &- 4 &* i &- j, 17 &+ 4 &* i &+ j, 24 &+ j &<< 6 &+ (1 &- i) &<< 5, flips: true)
      }
    }
    for i in 0..<4 {
      for j in 0..<2 { unsafe butterfly(16 &+ 4 &* i &+ j, 19 &+ 4 &* i &- j, range, flips: i & 1 == 1) }
    }
    for i in 0..<4 { unsafe rotate(29 &- i, 18 &+ i, 48 &+ (i &>> 1) &* 64, flips: true) }
    for i in 0..<2 {
      for j in 0..<4 { unsafe butterfly(16 &+ i &* 8 &+ j, 23 &+ i &* 8 &- j, range, flips: i == 1) }
    }
    for i in 0..<4 { unsafe rotate(27 &- i, 20 &+ i, 32, flips: true) }
    for i in 0..<16 { unsafe butterfly(i, 31 &- i, range) }
  }

  @inline(__always)
  @unsafe func invertCosine64(_ range: LaneRange) {
    unsafe invertCosine32(range)
    for i in 0..<16 { unsafe rotate(32 &+ i, 63 &- i, 63 &- 4 &* reversed(4, i)) }
    for i in 0..<16 { unsafe butterfly(32 &+ i &* 2, 33 &+ i &* 2, range, flips: i & 1 == 1) }
    for i in 0..<4 {
      for j in 0..<2 {
        unsafe rotate(62 &- i &* 4 &- j, 33 &+ i &* 4 &+ j, 60 &- 16 &* reversed(2, i) &+ 64 &* j, flips: true)
      }
    }
    for i in 0..<8 {
      for j in 0..<2 { unsafe butterfly(32 &+ i &* 4 &+ j, 35 &+ i &* 4 &- j, range, flips: i & 1 == 1) }
    }
    for i in 0..<2 {
      for j in 0..<4 {
        unsafe rotate(61 &- i &* 8 &- j, 34 &+ i &* 8 &+ j, 56 &- i &* 32 &+ (j &>> 1) &* 64, flips: true)
      }
    }
    for i in 0..<4 {
      for j in 0..<4 { unsafe butterfly(32 &+ 8 &* i &+ j, 39 &+ 8 &* i &- j, range, flips: i & 1 == 1) }
    }
    for i in 0..<8 { unsafe rotate(59 &- i, 36 &+ i, i < 4 ? 48 : 112, flips: true) }
    for i in 0..<8 {
      unsafe butterfly(32 &+ i, 47 &- i, range)
      unsafe butterfly(48 &+ i, 63 &- i, range, flips: true)
    }
    for i in 0..<8 { unsafe rotate(55 &- i, 40 &+ i, 32, flips: true) }
    for i in 0..<32 { unsafe butterfly(i, 63 &- i, range) }
  }

  /// The inverse asymmetric discrete sine transform of four values (section 7.13.2.6).
  @inline(__always)
  @unsafe func invertSine4() {
    let t = (self[0], self[1], self[2], self[3])
    self[0] = Lanes.combine(t, (1321, 3344, 3803, 2482))
    self[1] = Lanes.combine(t, (2482, 3344, -1321, -3803))
    self[2] = Lanes.combine(t, (3344, 0, -3344, 3344))
    self[3] = Lanes.combine(t, (3803, -3344, 2482, -1321))
  }

  /// The inverse asymmetric discrete sine transform of eight values whose order is that of section 7.13.2.4. The
  /// results have that of ``output(_:_:_:)``.
  @inline(__always)
  @unsafe func invertSine8(_ range: LaneRange) {
    for i in 0..<4 { unsafe rotate(2 &* i, 2 &* i &+ 1, 60 &- 16 &* i, flips: true) }
    for i in 0..<4 { unsafe butterfly(i, 4 &+ i, range) }
    for i in 0..<2 { unsafe rotate(4 &+ 3 &* i, 5 &+ i, 48 &- 32 &* i, flips: true) }
    for i in 0..<2 {
      for j in 0..<2 { unsafe butterfly(4 &* j &+ i, 2 &+ 4 &* j &+ i, range) }
    }
    for i in 0..<2 { unsafe rotate(2 &+ 4 &* i, 3 &+ 4 &* i, 32, flips: true) }
  }

  /// The inverse asymmetric discrete sine transform of sixteen values, ordered as for ``invertSine8(_:)``.
  @inline(__always)
  @unsafe func invertSine16(_ range: LaneRange) {
    for i in 0..<8 { unsafe rotate(2 &* i, 2 &* i &+ 1, 62 &- 8 &* i, flips: true) }
    for i in 0..<8 { unsafe butterfly(i, 8 &+ i, range) }
    for i in 0..<2 {
      unsafe rotate(8 &+ 2 &* i, 9 &+ 2 &* i, 56 &- 32 &* i, flips: true)
      unsafe rotate(13 &+ 2 &* i, 12 &+ 2 &* i, 8 &+ 32 &* i, flips: true)
    }
    for i in 0..<4 {
      for j in 0..<2 { unsafe butterfly(8 &* j &+ i, 4 &+ 8 &* j &+ i, range) }
    }
    for i in 0..<2 {
      for j in 0..<2 { unsafe rotate(4 &+ 8 &* j &+ 3 &* i, 5 &+ 8 &* j &+ i, 48 &- 32 &* i, flips: true) }
    }
    for i in 0..<2 {
      for j in 0..<4 { unsafe butterfly(4 &* j &+ i, 2 &+ 4 &* j &+ i, range) }
    }
    for i in 0..<4 { unsafe rotate(2 &+ 4 &* i, 3 &+ 4 &* i, 32, flips: true) }
  }
}

/// The required positions of a transform's inputs: 64 for each kind and size. They are the permutations of
/// sections 7.13.2.2 and 7.13.2.4.
let inputPositions: [UInt8] = (0..<4).flatMap { (kind: UInt8) in
  (0..<8).flatMap { (n: Int) in
    (0..<64).map { (index: Int) -> UInt8 in
      switch Transform1D(rawValue: kind) {
      case .dct: return index >> n == 0 ? UInt8(reversed(n, index)) : 0
      case .adst, .flippedADST:
        if n <= 2 || index >> n > 0 { return UInt8(index) }
        return UInt8(index & 1 == 0 ? index + 1 : 1 << n - 1 - index)
      default: return UInt8(index)
      }
    }
  }
}

/// The index in ``inputPositions`` of those of a transform.
@inline(__always)
func firstInputPosition(_ n: Int, _ kind: Transform1D) -> Int { (Int(kind.rawValue) &* 8 &+ n & 7) &* 64 }

/// The positions of a transform's results: the permutation of section 7.13.2.5, and the reversal of a flipped
/// transform.
struct TransformOutputs {
  let isPermuted: Bool
  private let reversal: Int
  private let shift: Int

  @inline(__always)
  init(_ n: Int, _ kind: Transform1D) {
    isPermuted = n > 2 && (kind == .adst || kind == .flippedADST)
    reversal = kind == .flippedADST ? 1 &<< n &- 1 : 0
    shift = 4 &- n
  }

  /// The result with this index.
  @inline(__always)
  @unsafe func value<Lanes: TransformLanes>(_ buffer: LaneBuffer<Lanes>, _ index: Int, isPermuted: Bool) -> Lanes {
    let i = index ^ reversal
    guard isPermuted else { return buffer[i] }
    let value = buffer[Int(sineOutputs[i & 15]) &>> shift]
    return i & 1 == 1 ? value.negated : value
  }
}
