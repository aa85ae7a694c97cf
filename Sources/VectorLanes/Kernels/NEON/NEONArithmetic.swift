// Sums, products and shifts of lanes by NEON. See PortableVector for what each operation does.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  @inlinable @inline(__always)
  package func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    vqaddq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words {
    vqaddq_s16(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    vreinterpretq_u8_s8(vqaddq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    vqsubq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    vqsubq_u16(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    vreinterpretq_u8_s8(vqsubq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes {
    vrhaddq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    vreinterpretq_s16_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vabdq_u8(a, b)))))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b))
    let high = vmull_high_s16(a, b)
    return vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    let low = vmull_u16(vget_low_u16(a), vget_low_u16(b))
    let high = vmull_high_u16(a, b)
    return vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high))
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Words, _ b: Words) -> DoubleWords {
    vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Words, by count: Int32) -> Words {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: DoubleWords, by count: Int32) -> DoubleWords {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UnsignedWords, by count: Int32) -> UnsignedWords {
    PortableVector.shiftRight(a, by: count)
  }
#endif
