// Interleaving, packing and conversions of lanes by SSE2. See PortableVector+Arrangement for what each operation does.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Words {
    words(_mm_set1_epi16(value))
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Floats) -> DoubleWords {
    doubleWords(_mm_cvttps_epi32(a))
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: DoubleWords) -> Floats {
    _mm_cvtepi32_ps(register(a))
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: DoubleWords, _ b: DoubleWords) -> Words {
    words(_mm_packs_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    bytes(_mm_packs_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Words, _ b: Words) -> Bytes {
    bytes(_mm_packus_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: Bytes) -> Words {
    words(_mm_unpacklo_epi8(register(a), Register()))
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: Bytes) -> Words {
    words(_mm_unpackhi_epi8(register(a), Register()))
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_unpacklo_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_unpackhi_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi64(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi64(register(a), register(b)))
  }
#endif
