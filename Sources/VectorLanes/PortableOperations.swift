// The operations on processors for which there are no instructions in Kernels/: the definitions.

#if PORTABLE_KERNELS || !((arch(x86_64) || arch(arm64)) && canImport(_Builtin_intrinsics) || arch(wasm32) && canImport(CSIMD128))
  @inlinable @inline(__always)
  package func addSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.addSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.subtractSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func distance(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.distance(a, b)
  }
  @inlinable @inline(__always)
  package func isAtMost(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.isAtMost(a, b)
  }
  @inlinable @inline(__always)
  package func halved(_ a: UInt8x16) -> UInt8x16 {
    PortableVector.halved(a)
  }
  @inlinable @inline(__always)
  package func halvedRoundingUpSigned(_ a: UInt8x16) -> UInt8x16 {
    PortableVector.halvedRoundingUpSigned(a)
  }
  @inlinable @inline(__always)
  package func dividedBy8Signed(_ a: UInt8x16) -> UInt8x16 {
    PortableVector.dividedBy8Signed(a)
  }
  @inlinable @inline(__always)
  package func multiplyLowSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    PortableVector.multiplyLowSigned(a, by: factor)
  }
  @inlinable @inline(__always)
  package func multiplyHighSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    PortableVector.multiplyHighSigned(a, by: factor)
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.averageRoundingUp(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    PortableVector.sumOfDifferences(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.multiplyHigh(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.multiplyHighRounding(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(
    _ a: Int16x8, _ factorOfA: Int16, plus b: Int16x8, _ factorOfB: Int16
  ) -> Int16x8 {
    PortableVector.multiplyHighRounding(a, factorOfA, plus: b, factorOfB)
  }
  @inlinable @inline(__always)
  package func scaleSamples(_ a: Int16x8, by factor: Int16) -> Int16x8 {
    PortableVector.scaleSamples(a, by: factor)
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    PortableVector.multiplyHighUnsigned(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Int16x8, _ b: Int16x8) -> Int32x4 {
    PortableVector.multiplyAddPairs(a, b)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int16x8, by count: Int32) -> Int16x8 {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int32x4, by count: Int32) -> Int32x4 {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UInt16x8, by count: Int32) -> UInt16x8 {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Int16x8 {
    PortableVector.vector(of: value)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Float32x4) -> Int32x4 {
    PortableVector.truncate(a)
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: Int32x4) -> Float32x4 {
    PortableVector.convertToFloat(a)
  }
  @inlinable @inline(__always)
  package func squareRoot(_ a: Float32x4) -> Float32x4 {
    PortableVector.squareRoot(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    PortableVector.packSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    PortableVector.packSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    PortableVector.packUnsignedSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: UInt8x16) -> Int16x8 {
    PortableVector.widenLow(a)
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: UInt8x16) -> Int16x8 {
    PortableVector.widenHigh(a)
  }
  @inlinable @inline(__always)
  package func minimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.minimum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.isGreater(a, b)
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Int16x8, _ b: Int16x8) -> UInt16 {
    PortableVector.zeroLanes(a, b)
  }
#endif
