// The portable definition of each operation in VectorOperations.swift, lane by lane.

/// The vector operations of the kernels without processor-specific instructions.
@usableFromInline
package enum PortableVector {
  @inlinable @inline(__always)
  package static func vector(of value: Int16) -> SIMD8<Int16> { SIMD8(repeating: value) }

  @inlinable @inline(__always)
  package static func shiftRight(_ a: SIMD8<Int16>, by count: Int32) -> SIMD8<Int16> {
    a &>> Int16(truncatingIfNeeded: count)
  }

  @inlinable @inline(__always)
  package static func shiftRight(_ a: SIMD4<Int32>, by count: Int32) -> SIMD4<Int32> { a &>> count }

  @inlinable @inline(__always)
  package static func shiftRight(_ a: SIMD8<UInt16>, by count: Int32) -> SIMD8<UInt16> {
    a &>> UInt16(truncatingIfNeeded: count)
  }

  @inlinable @inline(__always)
  package static func multiplyAddPairs(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    func product(_ lane: Int) -> Int32 { Int32(a[lane]) &* Int32(b[lane]) }
    return SIMD4(
      product(0) &+ product(1), product(2) &+ product(3), product(4) &+ product(5), product(6) &+ product(7))
  }

  @inlinable @inline(__always)
  package static func multiplyHigh(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    func high(_ lane: Int) -> Int16 { Int16(truncatingIfNeeded: (Int32(a[lane]) &* Int32(b[lane])) &>> 16) }
    return SIMD8(high(0), high(1), high(2), high(3), high(4), high(5), high(6), high(7))
  }

  @inlinable @inline(__always)
  package static func multiplyHighUnsigned(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    func high(_ lane: Int) -> UInt16 { UInt16(truncatingIfNeeded: (UInt32(a[lane]) &* UInt32(b[lane])) &>> 16) }
    return SIMD8(high(0), high(1), high(2), high(3), high(4), high(5), high(6), high(7))
  }

  @inlinable @inline(__always)
  package static func subtractSaturating(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    a.replacing(with: b, where: a .< b) &- b
  }

  @inlinable @inline(__always)
  package static func truncate(_ a: SIMD4<Float>) -> SIMD4<Int32> {
    SIMD4(Int32(a[0]), Int32(a[1]), Int32(a[2]), Int32(a[3]))
  }

  @inlinable @inline(__always)
  package static func convertToFloat(_ a: SIMD4<Int32>) -> SIMD4<Float> {
    SIMD4(Float(a[0]), Float(a[1]), Float(a[2]), Float(a[3]))
  }

  @inlinable @inline(__always)
  package static func packSaturating(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
    func packed(_ value: Int32) -> Int16 { Int16(truncatingIfNeeded: min(max(value, -32768), 32767)) }
    return SIMD8(
      packed(a[0]), packed(a[1]), packed(a[2]), packed(a[3]), packed(b[0]), packed(b[1]), packed(b[2]), packed(b[3]))
  }

  @inlinable @inline(__always)
  package static func packUnsignedSaturating(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>()
    for lane in 0..<8 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], 0), 255))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(b[lane], 0), 255))
    }
    return result
  }

  @inlinable @inline(__always)
  package static func zeroLanes(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> UInt16 {
    var bits: UInt16 = 0
    for lane in 0..<8 {
      if a[lane] == 0 { bits |= 1 &<< UInt16(lane) }
      if b[lane] == 0 { bits |= 256 &<< UInt16(lane) }
    }
    return bits
  }

  @inlinable @inline(__always)
  package static func interleaveLow8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    SIMD16(
      a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  @inlinable @inline(__always)
  package static func interleaveHigh8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    SIMD16(
      a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
  }

  @inlinable @inline(__always)
  package static func interleaveLow16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
  }

  @inlinable @inline(__always)
  package static func interleaveHigh16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  @inlinable @inline(__always)
  package static func interleaveLow32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3])
  }

  @inlinable @inline(__always)
  package static func interleaveHigh32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
  }

  @inlinable @inline(__always)
  package static func interleaveLow64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
  }

  @inlinable @inline(__always)
  package static func interleaveHigh64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[4], a[5], a[6], a[7], b[4], b[5], b[6], b[7])
  }
}
