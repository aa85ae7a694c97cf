// The portable definition of each operation in LaneArithmetic.swift and LaneComparison.swift, lane by lane.

/// The vector operations of the kernels without processor-specific instructions.
@usableFromInline
package enum PortableVector {
  @inlinable @inline(__always)
  static func map(_ a: UInt8x16, _ b: UInt8x16, _ body: (Int32, Int32) -> Int32) -> UInt8x16 {
    var result = UInt8x16()
    for lane in 0..<16 { result[lane] = UInt8(truncatingIfNeeded: body(Int32(a[lane]), Int32(b[lane]))) }
    return result
  }

  @inlinable @inline(__always)
  static func mapSigned(_ a: UInt8x16, _ b: UInt8x16, _ body: (Int32, Int32) -> Int32) -> UInt8x16 {
    var result = UInt8x16()
    for lane in 0..<16 {
      let value = body(Int32(Int8(bitPattern: a[lane])), Int32(Int8(bitPattern: b[lane])))
      result[lane] = UInt8(truncatingIfNeeded: min(max(value, -128), 127))
    }
    return result
  }

  @inlinable @inline(__always)
  static func map(_ a: Int16x8, _ b: Int16x8, _ body: (Int32, Int32) -> Int32) -> Int16x8 {
    var result = Int16x8()
    for lane in 0..<8 { result[lane] = Int16(truncatingIfNeeded: body(Int32(a[lane]), Int32(b[lane]))) }
    return result
  }

  /// Returns the sums, at most 255.
  @inlinable @inline(__always)
  package static func addSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { min($0 &+ $1, 255) } }

  /// Returns the sums, saturated to 16 bits.
  @inlinable @inline(__always)
  package static func addSaturating(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    map(a, b) { min(max($0 &+ $1, -32768), 32767) }
  }

  /// Returns the sums of signed lanes, saturated to −128…127.
  @inlinable @inline(__always)
  package static func addSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { mapSigned(a, b) { $0 &+ $1 } }

  /// Returns the differences, at least 0.
  @inlinable @inline(__always)
  package static func subtractSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { max($0 &- $1, 0) } }

  /// Returns the differences of signed lanes, saturated to −128…127.
  @inlinable @inline(__always)
  package static func subtractSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    mapSigned(a, b) { $0 &- $1 }
  }

  /// Returns the absolute differences.
  @inlinable @inline(__always)
  package static func distance(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { abs($0 &- $1) } }

  /// Returns 255 where a lane of `a` is at most that of `b`, otherwise 0.
  @inlinable @inline(__always)
  package static func isAtMost(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { $0 <= $1 ? 255 : 0 } }

  /// Returns the lanes divided by 2, rounded down.
  @inlinable @inline(__always)
  package static func halved(_ a: UInt8x16) -> UInt8x16 { map(a, a) { value, _ in value &>> 1 } }

  /// Returns the signed lanes divided by 2, rounded up.
  @inlinable @inline(__always)
  package static func halvedRoundingUpSigned(_ a: UInt8x16) -> UInt8x16 {
    mapSigned(a, a) { value, _ in (value &+ 1) &>> 1 }
  }

  /// Returns the signed lanes divided by 8, rounded down.
  @inlinable @inline(__always)
  package static func dividedBy8Signed(_ a: UInt8x16) -> UInt8x16 { mapSigned(a, a) { value, _ in value &>> 3 } }

  /// Returns the products of the signed lower eight lanes and a factor.
  @inlinable @inline(__always)
  package static func multiplyLowSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    var result = Int16x8()
    for lane in 0..<8 { result[lane] = Int16(Int8(bitPattern: a[lane])) &* Int16(factor) }
    return result
  }

  /// Returns the products of the signed upper eight lanes and a factor.
  @inlinable @inline(__always)
  package static func multiplyHighSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    var result = Int16x8()
    for lane in 0..<8 { result[lane] = Int16(Int8(bitPattern: a[lane &+ 8])) &* Int16(factor) }
    return result
  }

  /// Returns the means, rounded up.
  @inlinable @inline(__always)
  package static func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    map(a, b) { ($0 &+ $1 &+ 1) &>> 1 }
  }

  /// Returns the sums of the absolute differences of the lower and the upper eight lanes, in the first lane of each
  /// half.
  @inlinable @inline(__always)
  package static func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    var result = Int16x8()
    for lane in 0..<16 {
      result[lane / 8 * 4] &+= Int16(max(a[lane], b[lane]) &- min(a[lane], b[lane]))
    }
    return result
  }

  /// Returns the smaller lanes.
  @inlinable @inline(__always)
  package static func minimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { map(a, b) { min($0, $1) } }

  /// Returns the larger lanes.
  @inlinable @inline(__always)
  package static func maximum(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { max($0, $1) } }

  /// Returns the larger lanes.
  @inlinable @inline(__always)
  package static func maximum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { map(a, b) { max($0, $1) } }

  /// Returns 255 where lanes are equal, otherwise 0.
  @inlinable @inline(__always)
  package static func isEqual(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { map(a, b) { $0 == $1 ? 255 : 0 } }

  /// Returns −1 where lanes are equal, otherwise 0.
  @inlinable @inline(__always)
  package static func isEqual(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { map(a, b) { $0 == $1 ? -1 : 0 } }

  /// Returns −1 where a lane of `a` is greater, otherwise 0.
  @inlinable @inline(__always)
  package static func isGreater(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { map(a, b) { $0 > $1 ? -1 : 0 } }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package static func shiftRight(_ a: Int16x8, by count: Int32) -> Int16x8 {
    a &>> Int16(truncatingIfNeeded: count)
  }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package static func shiftRight(_ a: Int32x4, by count: Int32) -> Int32x4 { a &>> count }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package static func shiftRight(_ a: UInt16x8, by count: Int32) -> UInt16x8 {
    a &>> UInt16(truncatingIfNeeded: count)
  }

  /// Returns `a0·b0 + a1·b1, a2·b2 + a3·b3, …`.
  @inlinable @inline(__always)
  package static func multiplyAddPairs(_ a: Int16x8, _ b: Int16x8) -> Int32x4 {
    func product(_ lane: Int) -> Int32 { Int32(a[lane]) &* Int32(b[lane]) }
    return SIMD4(
      product(0) &+ product(1), product(2) &+ product(3), product(4) &+ product(5), product(6) &+ product(7))
  }

  /// Returns the upper halves of the products. Lanes of `b` are greater than −32,768.
  @inlinable @inline(__always)
  package static func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    func high(_ lane: Int) -> Int16 { Int16(truncatingIfNeeded: (Int32(a[lane]) &* Int32(b[lane])) &>> 16) }
    return SIMD8(high(0), high(1), high(2), high(3), high(4), high(5), high(6), high(7))
  }

  /// Returns the products divided by 65,536 and rounded to nearest, halves up. Lanes of `a` are from −16,384 to 16,383.
  @inlinable @inline(__always)
  package static func multiplyHighRounding(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    map(a, b) { ($0 &* $1 &+ 32768) &>> 16 }
  }

  /// Returns the sums of two products divided by 65,536 and rounded to nearest, halves up. Lanes of both vectors are from
  /// −16,384 to 16,383.
  @inlinable @inline(__always)
  package static func multiplyHighRounding(
    _ a: Int16x8, _ factorOfA: Int16, plus b: Int16x8, _ factorOfB: Int16
  ) -> Int16x8 {
    map(a, b) { ($0 &* Int32(factorOfA) &+ $1 &* Int32(factorOfB) &+ 32768) &>> 16 }
  }

  /// Returns the products divided by 256, rounded down. Lanes are from 0 to 255, and the factor is not negative.
  @inlinable @inline(__always)
  package static func scaleSamples(_ a: Int16x8, by factor: Int16) -> Int16x8 {
    map(a, a) { value, _ in (value &* Int32(factor)) &>> 8 }
  }

  /// Returns the upper halves of the unsigned products.
  @inlinable @inline(__always)
  package static func multiplyHighUnsigned(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    func high(_ lane: Int) -> UInt16 { UInt16(truncatingIfNeeded: (UInt32(a[lane]) &* UInt32(b[lane])) &>> 16) }
    return SIMD8(high(0), high(1), high(2), high(3), high(4), high(5), high(6), high(7))
  }

  /// Returns the differences, at least 0.
  @inlinable @inline(__always)
  package static func subtractSaturating(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    a.replacing(with: b, where: a .< b) &- b
  }

  /// Returns a bit mask of the lanes that are zero: bits 0…7 for the lanes of `a`, 8…15 for those of `b`.
  @inlinable @inline(__always)
  package static func zeroLanes(_ a: Int16x8, _ b: Int16x8) -> UInt16 {
    var bits: UInt16 = 0
    for lane in 0..<8 {
      if a[lane] == 0 { bits |= 1 &<< UInt16(lane) }
      if b[lane] == 0 { bits |= 256 &<< UInt16(lane) }
    }
    return bits
  }
}
