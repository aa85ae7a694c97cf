// Sums, products and shifts of lanes by NEON. See PortableVector for what each operation does.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  @inlinable @inline(__always)
  package func addSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vqaddq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vqaddq_s16(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vreinterpretq_u8_s8(vqaddq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vqsubq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    vqsubq_u16(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vreinterpretq_u8_s8(vqsubq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
  }
  @inlinable @inline(__always)
  package func distance(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vabdq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func isAtMost(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vcleq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func halved(_ a: UInt8x16) -> UInt8x16 {
    a &>> 1
  }
  @inlinable @inline(__always)
  package func halvedRoundingUpSigned(_ a: UInt8x16) -> UInt8x16 {
    vreinterpretq_u8_s8(vrhaddq_s8(vreinterpretq_s8_u8(a), vdupq_n_s8(0)))
  }
  @inlinable @inline(__always)
  package func dividedBy8Signed(_ a: UInt8x16) -> UInt8x16 {
    vreinterpretq_u8_s8(vreinterpretq_s8_u8(a) &>> 3)
  }
  @inlinable @inline(__always)
  package func multiplyLowSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    vmull_s8(vget_low_s8(vreinterpretq_s8_u8(a)), vdup_n_s8(factor))
  }
  @inlinable @inline(__always)
  package func multiplyHighSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    vmull_high_s8(vreinterpretq_s8_u8(a), vdupq_n_s8(factor))
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vrhaddq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    vreinterpretq_s16_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vabdq_u8(a, b)))))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    // The upper halves of twice the products, which saturate only if both factors are −32,768.
    vqdmulhq_s16(a, b) &>> 1
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    // Twice the product, of which the upper half is halved with rounding.
    vrhaddq_s16(vqdmulhq_s16(a, b), Int16x8())
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(
    _ a: Int16x8, _ factorOfA: Int16, plus b: Int16x8, _ factorOfB: Int16
  ) -> Int16x8 {
    let (weightA, weightB) = (vdupq_n_s16(factorOfA), vdupq_n_s16(factorOfB))
    let low = vmlal_s16(
      vmull_s16(vget_low_s16(a), vget_low_s16(weightA)), vget_low_s16(b), vget_low_s16(weightB))
    let high = vmlal_high_s16(vmull_high_s16(a, weightA), b, weightB)
    return vraddhn_high_s32(vraddhn_s32(low, Int32x4()), high, Int32x4())
  }
  @inlinable @inline(__always)
  package func scaleSamples(_ a: Int16x8, by factor: Int16) -> Int16x8 {
    vqdmulhq_s16(a &<< 7, vdupq_n_s16(factor))
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    let low = vmull_u16(vget_low_u16(a), vget_low_u16(b))
    let high = vmull_high_u16(a, b)
    return vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high))
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Int16x8, _ b: Int16x8) -> Int32x4 {
    vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int16x8, by count: Int32) -> Int16x8 {
    // As an instruction, because the optimiser takes a shift of lanes apart before their halves are multiplied.
    vshlq_s16(a, vdupq_n_s16(Int16(truncatingIfNeeded: 0 &- count)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int32x4, by count: Int32) -> Int32x4 {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UInt16x8, by count: Int32) -> UInt16x8 {
    PortableVector.shiftRight(a, by: count)
  }
#endif
