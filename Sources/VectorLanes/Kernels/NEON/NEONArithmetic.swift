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
  package func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vrhaddq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    vreinterpretq_s16_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vabdq_u8(a, b)))))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b))
    let high = vmull_high_s16(a, b)
    return vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
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
#endif
