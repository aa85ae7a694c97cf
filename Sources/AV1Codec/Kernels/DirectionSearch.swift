// The direction of a square of 8 × 8 samples (section 7.15.2). The sums of the lines of a direction are lanes, to which
// rows or columns of the square are added after a shift by as many lanes as the line moves.

internal import VectorLanes

/// The direction of a square.
package struct SquareDirection: Sendable {
  /// The direction along which the samples vary least, 0…7.
  package let direction: Int
  /// The excess of the variance in the perpendicular direction.
  package let variance: Int
}

/// Returns the direction of a square.
///
/// - Parameter shift: bits per sample less 8.
@inline(never)
package func findDirection(_ samples: Span<UInt16>, at index: Int, stride: Int, shift: Int32) -> SquareDirection {
  precondition(
    index >= 0 && stride >= 8 && stride < 1 << 24 && index <= samples.count &- 7 &* stride &- 8,
    "the square is present")
  // SAFETY: the rows of the square are in the samples by the precondition.
  return unsafe samples.withUnsafeBufferPointer { samples in
    guard let base = samples.baseAddress else { return SquareDirection(direction: 0, variance: 0) }
    let source = unsafe UnsafeRawPointer(base + index)
    @inline(__always)
    func row(_ y: Int) -> Int16x8 {
      let values = unsafe source.loadUnaligned(fromByteOffset: y &* stride &* 2, as: Int16x8.self)
      return shiftRight(values, by: shift) &- 128
    }
    let rows = SquareLines(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
    let columns = rows.transposed
    let even = laneSums(
      rows.diagonalCost, columns.straightCost, rows.reversed.diagonalCost, rows.straightCost)
    let odd = laneSums(columns.steepCost, columns.reversed.steepCost, rows.reversed.steepCost, rows.steepCost)
    return best(even, odd)
  }
}

/// The direction of the greatest cost.
///
/// - Parameters:
///   - even: the costs of directions 0, 2, 4 and 6.
///   - odd: those of 1, 3, 5 and 7.
@inline(__always)
private func best(_ even: Int32x4, _ odd: Int32x4) -> SquareDirection {
  let costs = SIMD8<Int32>(even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3])
  var (best, cost, opposite) = (0, costs[0], costs[4])
  @inline(__always)
  func compare(_ direction: Int) {
    let isGreater = costs[direction] > cost
    best = isGreater ? direction : best
    opposite = isGreater ? costs[(direction &+ 4) & 7] : opposite
    cost = isGreater ? costs[direction] : cost
  }
  compare(1)
  compare(2)
  compare(3)
  compare(4)
  compare(5)
  compare(6)
  compare(7)
  return SquareDirection(direction: best, variance: Int((cost &- opposite) &>> 10))
}

/// The rows or columns of a square.
private struct SquareLines {
  private let a, b, c, d, e, f, g, h: Int16x8

  @inline(__always)
  init(_ a: Int16x8, _ b: Int16x8, _ c: Int16x8, _ d: Int16x8, _ e: Int16x8, _ f: Int16x8, _ g: Int16x8, _ h: Int16x8) {
    (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
  }

  /// The last line first, which mirrors directions.
  @inline(__always)
  var reversed: Self { Self(h, g, f, e, d, c, b, a) }

  @inline(__always)
  var transposed: Self {
    let (ab0, ab1) = (interleaveLow16(a, b), interleaveHigh16(a, b))
    let (cd0, cd1) = (interleaveLow16(c, d), interleaveHigh16(c, d))
    let (ef0, ef1) = (interleaveLow16(e, f), interleaveHigh16(e, f))
    let (gh0, gh1) = (interleaveLow16(g, h), interleaveHigh16(g, h))
    let (ad0, ad1) = (interleaveLow32(ab0, cd0), interleaveHigh32(ab0, cd0))
    let (ad2, ad3) = (interleaveLow32(ab1, cd1), interleaveHigh32(ab1, cd1))
    let (eh0, eh1) = (interleaveLow32(ef0, gh0), interleaveHigh32(ef0, gh0))
    let (eh2, eh3) = (interleaveLow32(ef1, gh1), interleaveHigh32(ef1, gh1))
    return Self(
      interleaveLow64(ad0, eh0), interleaveHigh64(ad0, eh0), interleaveLow64(ad1, eh1), interleaveHigh64(ad1, eh1),
      interleaveLow64(ad2, eh2), interleaveHigh64(ad2, eh2), interleaveLow64(ad3, eh3), interleaveHigh64(ad3, eh3))
  }

  // The weights are 840 divided by the number of samples in a sum (`Div_Table`). Costs are sums of four lanes.

  /// The cost of sums of eight samples across the lines.
  @inline(__always)
  var straightCost: Int32x4 {
    let sum = ((a &+ b) &+ (c &+ d)) &+ ((e &+ f) &+ (g &+ h))
    return multiplyAddPairs(sum, sum) &* 105
  }

  /// The cost of 15 sums of one to eight samples: the position in a line plus the number of the line.
  @inline(__always)
  var diagonalCost: Int32x4 {
    let low =
      ((a &+ b.raised1) &+ (c.raised2 &+ d.raised3)) &+ ((e.raised4 &+ f.raised5) &+ (g.raised6 &+ h.raised7))
    let high = ((b.lowered7 &+ c.lowered6) &+ (d.lowered5 &+ e.lowered4)) &+ ((f.lowered3 &+ g.lowered2) &+ h.lowered1)
    let mirrored = Int16x8(high[6], high[5], high[4], high[3], high[2], high[1], high[0], 0)
    let (first, second) = (interleaveLow16(low, mirrored), interleaveHigh16(low, mirrored))
    return multiplyAddPairs(first, first) &* Int32x4(840, 420, 280, 210)
      &+ multiplyAddPairs(second, second) &* Int32x4(168, 140, 120, 105)
  }

  /// The cost of 11 sums of two to eight samples: the position in a line plus half the number of the line.
  @inline(__always)
  var steepCost: Int32x4 {
    let (ab, cd, ef, gh) = (a &+ b, c &+ d, e &+ f, g &+ h)
    let low = (ab &+ cd.raised1) &+ (ef.raised2 &+ gh.raised3)
    let high = cd.lowered7 &+ ef.lowered6 &+ gh.lowered5
    let mirrored = Int16x8(high[2], high[1], high[0], 0, 0, 0, 0, 0)
    let (first, second) = (interleaveLow16(low, mirrored), interleaveHigh16(low, mirrored))
    return multiplyAddPairs(first, first) &* Int32x4(420, 210, 140, 105)
      &+ multiplyAddPairs(second, second) &* 105
  }
}

/// Shifts by whole lanes, with zeros for those that are missing.
extension Int16x8 {
  @inline(__always)
  fileprivate var raised1: Self { Self(0, self[0], self[1], self[2], self[3], self[4], self[5], self[6]) }
  @inline(__always)
  fileprivate var raised2: Self { Self(0, 0, self[0], self[1], self[2], self[3], self[4], self[5]) }
  @inline(__always)
  fileprivate var raised3: Self { Self(0, 0, 0, self[0], self[1], self[2], self[3], self[4]) }
  @inline(__always)
  fileprivate var raised4: Self { Self(0, 0, 0, 0, self[0], self[1], self[2], self[3]) }
  @inline(__always)
  fileprivate var raised5: Self { Self(0, 0, 0, 0, 0, self[0], self[1], self[2]) }
  @inline(__always)
  fileprivate var raised6: Self { Self(0, 0, 0, 0, 0, 0, self[0], self[1]) }
  @inline(__always)
  fileprivate var raised7: Self { Self(0, 0, 0, 0, 0, 0, 0, self[0]) }
  @inline(__always)
  fileprivate var lowered1: Self { Self(self[1], self[2], self[3], self[4], self[5], self[6], self[7], 0) }
  @inline(__always)
  fileprivate var lowered2: Self { Self(self[2], self[3], self[4], self[5], self[6], self[7], 0, 0) }
  @inline(__always)
  fileprivate var lowered3: Self { Self(self[3], self[4], self[5], self[6], self[7], 0, 0, 0) }
  @inline(__always)
  fileprivate var lowered4: Self { Self(self[4], self[5], self[6], self[7], 0, 0, 0, 0) }
  @inline(__always)
  fileprivate var lowered5: Self { Self(self[5], self[6], self[7], 0, 0, 0, 0, 0) }
  @inline(__always)
  fileprivate var lowered6: Self { Self(self[6], self[7], 0, 0, 0, 0, 0, 0) }
  @inline(__always)
  fileprivate var lowered7: Self { Self(self[7], 0, 0, 0, 0, 0, 0, 0) }
}

/// The sums of the lanes of four vectors.
@inline(__always)
private func laneSums(_ a: Int32x4, _ b: Int32x4, _ c: Int32x4, _ d: Int32x4) -> Int32x4 {
  let ab =
    int32x4(interleaveLow32(int16x8(a), int16x8(b))) &+ int32x4(interleaveHigh32(int16x8(a), int16x8(b)))
  let cd =
    int32x4(interleaveLow32(int16x8(c), int16x8(d))) &+ int32x4(interleaveHigh32(int16x8(c), int16x8(d)))
  return int32x4(interleaveLow64(int16x8(ab), int16x8(cd))) &+ int32x4(interleaveHigh64(int16x8(ab), int16x8(cd)))
}
