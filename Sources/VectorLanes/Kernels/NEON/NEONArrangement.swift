// Interleaving, packing and conversions of lanes by NEON. See PortableVector+Arrangement for what each operation does.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Int16x8 {
    vdupq_n_s16(value)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Float32x4) -> Int32x4 {
    vcvtq_s32_f32(a)
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: Int32x4) -> Float32x4 {
    vcvtq_f32_s32(a)
  }
  @inlinable @inline(__always)
  package func squareRoot(_ a: Float32x4) -> Float32x4 {
    vsqrtq_f32(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    vqmovn_high_s32(vqmovn_s32(a), b)
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    vreinterpretq_u8_s8(vqmovn_high_s16(vqmovn_s16(a), b))
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    vqmovun_high_s16(vqmovun_s16(a), b)
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: UInt8x16) -> Int16x8 {
    vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(a)))
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: UInt8x16) -> Int16x8 {
    vreinterpretq_s16_u16(vmovl_high_u8(a))
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vzip1q_u8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vzip1q_s16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_s32(vzip1q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_s64(vzip1q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vzip2q_u8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vzip2q_s16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_s32(vzip2q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_s64(vzip2q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
  }
  @inlinable @inline(__always)
  package func storeWithoutFourthBytes(_ pixels: UInt8x16, to output: UnsafeMutableRawPointer) {
    let places = UInt8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255)
    // SAFETY: the caller provides room for 16 bytes.
    unsafe output.storeBytes(of: vqtbl1q_u8(pixels, places), as: UInt8x16.self)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4, shiftedRightBy count: Int32) -> Int16x8 {
    if count < 16 { return packSaturating(shiftRight(a, by: count), shiftRight(b, by: count)) }
    // Upper halves always fit, and a sum before them is part of the same instruction.
    return shiftRight(vaddhn_high_s32(vaddhn_s32(a, Int32x4()), b, Int32x4()), by: count &- 16)
  }
#endif
