// Interleaving, packing and conversions of lanes by NEON. See PortableVector+Arrangement for what each operation does.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Words {
    vdupq_n_s16(value)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Floats) -> DoubleWords {
    vcvtq_s32_f32(a)
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: DoubleWords) -> Floats {
    vcvtq_f32_s32(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: DoubleWords, _ b: DoubleWords) -> Words {
    vqmovn_high_s32(vqmovn_s32(a), b)
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    vreinterpretq_u8_s8(vqmovn_high_s16(vqmovn_s16(a), b))
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Words, _ b: Words) -> Bytes {
    vqmovun_high_s16(vqmovun_s16(a), b)
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: Bytes) -> Words {
    vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(a)))
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: Bytes) -> Words {
    vreinterpretq_s16_u16(vmovl_high_u8(a))
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    vzip1q_u8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    vzip1q_s16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    vreinterpretq_s16_s32(vzip1q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    vreinterpretq_s16_s64(vzip1q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    vzip2q_u8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    vzip2q_s16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    vreinterpretq_s16_s32(vzip2q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    vreinterpretq_s16_s64(vzip2q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
  }
#endif
