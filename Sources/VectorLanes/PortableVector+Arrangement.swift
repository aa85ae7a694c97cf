// The portable definition of each operation in LaneArrangement.swift, lane by lane.

extension PortableVector {
  /// Returns eight lanes of one value.
  @inlinable @inline(__always)
  package static func vector(of value: Int16) -> Int16x8 { SIMD8(repeating: value) }

  /// Returns the values rounded towards zero. They must be in the range of `Int32`.
  @inlinable @inline(__always)
  package static func truncate(_ a: Float32x4) -> Int32x4 {
    SIMD4(Int32(a[0]), Int32(a[1]), Int32(a[2]), Int32(a[3]))
  }

  /// Returns the lanes converted to floats.
  @inlinable @inline(__always)
  package static func convertToFloat(_ a: Int32x4) -> Float32x4 {
    SIMD4(Float(a[0]), Float(a[1]), Float(a[2]), Float(a[3]))
  }

  /// Returns the square roots; NaN for negative numbers.
  @inlinable @inline(__always)
  package static func squareRoot(_ a: Float32x4) -> Float32x4 {
    SIMD4(a[0].squareRoot(), a[1].squareRoot(), a[2].squareRoot(), a[3].squareRoot())
  }

  /// Returns the lanes of `a`, then those of `b`, saturated to 16 bits.
  @inlinable @inline(__always)
  package static func packSaturating(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    func packed(_ value: Int32) -> Int16 { Int16(truncatingIfNeeded: min(max(value, -32768), 32767)) }
    return SIMD8(
      packed(a[0]), packed(a[1]), packed(a[2]), packed(a[3]), packed(b[0]), packed(b[1]), packed(b[2]), packed(b[3]))
  }

  /// Returns the lanes of `a`, then those of `b`, saturated to 0…255.
  @inlinable @inline(__always)
  package static func packUnsignedSaturating(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    var result = UInt8x16()
    for lane in 0..<8 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], 0), 255))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(b[lane], 0), 255))
    }
    return result
  }

  /// Returns the lanes of `a`, then those of `b`, saturated to −128…127.
  @inlinable @inline(__always)
  package static func packSaturatingSigned(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    var result = UInt8x16()
    for lane in 0..<8 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], -128), 127))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(b[lane], -128), 127))
    }
    return result
  }

  /// Returns the lower eight lanes as 16-bit numbers.
  @inlinable @inline(__always)
  package static func widenLow(_ a: UInt8x16) -> Int16x8 {
    Int16x8(Int16(a[0]), Int16(a[1]), Int16(a[2]), Int16(a[3]), Int16(a[4]), Int16(a[5]), Int16(a[6]), Int16(a[7]))
  }

  /// Returns the upper eight lanes as 16-bit numbers.
  @inlinable @inline(__always)
  package static func widenHigh(_ a: UInt8x16) -> Int16x8 {
    Int16x8(
      Int16(a[8]), Int16(a[9]), Int16(a[10]), Int16(a[11]), Int16(a[12]), Int16(a[13]), Int16(a[14]), Int16(a[15]))
  }

  /// Returns `a0 b0 a1 b1 …` from the lower halves.
  @inlinable @inline(__always)
  package static func interleaveLow8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    SIMD16(
      a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  /// Returns `a8 b8 a9 b9 …` from the upper halves.
  @inlinable @inline(__always)
  package static func interleaveHigh8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    SIMD16(
      a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
  }

  /// Returns `a0 b0 a1 b1 …` from the lower halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package static func interleaveLow16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
  }

  /// Returns `a4 b4 a5 b5 …` from the upper halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package static func interleaveHigh16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  /// Returns `a0a1 b0b1 a2a3 b2b3`: the lower halves as 32-bit lanes.
  @inlinable @inline(__always)
  package static func interleaveLow32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3])
  }

  /// Returns `a4a5 b4b5 a6a7 b6b7`: the upper halves as 32-bit lanes.
  @inlinable @inline(__always)
  package static func interleaveHigh32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
  }

  /// Returns the lower half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package static func interleaveLow64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
  }

  /// Returns the upper half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package static func interleaveHigh64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    SIMD8(a[4], a[5], a[6], a[7], b[4], b[5], b[6], b[7])
  }

  /// Returns the lanes of `a`, then those of `b`, divided by 2^count, rounded down and saturated to 16 bits.
  @inlinable @inline(__always)
  package static func packSaturating(_ a: Int32x4, _ b: Int32x4, shiftedRightBy count: Int32) -> Int16x8 {
    packSaturating(shiftRight(a, by: count), shiftRight(b, by: count))
  }
}
