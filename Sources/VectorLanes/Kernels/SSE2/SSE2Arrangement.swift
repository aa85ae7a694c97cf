// Interleaving, packing and conversions of lanes by SSE2. See PortableVector+Arrangement for what each operation does.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Int16x8 {
    int16x8(_mm_set1_epi16(value))
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Float32x4) -> Int32x4 {
    int32x4(_mm_cvttps_epi32(a))
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: Int32x4) -> Float32x4 {
    _mm_cvtepi32_ps(register(a))
  }
  @inlinable @inline(__always)
  package func squareRoot(_ a: Float32x4) -> Float32x4 {
    _mm_sqrt_ps(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    int16x8(_mm_packs_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    uint8x16(_mm_packs_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    uint8x16(_mm_packus_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: UInt8x16) -> Int16x8 {
    int16x8(_mm_unpacklo_epi8(register(a), Register()))
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: UInt8x16) -> Int16x8 {
    int16x8(_mm_unpackhi_epi8(register(a), Register()))
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_unpacklo_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_unpackhi_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpacklo_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpackhi_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpacklo_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpackhi_epi32(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpacklo_epi64(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_unpackhi_epi64(register(a), register(b)))
  }
#endif
