// Comparisons of lanes by SSE2. See PortableVector for what each operation does.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  @inlinable @inline(__always)
  package func minimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_min_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func maximum(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_max_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_max_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_cmpeq_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_cmpeq_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_cmpgt_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Int16x8, _ b: Int16x8) -> UInt16 {
    UInt16(
      truncatingIfNeeded: _mm_movemask_epi8(
        _mm_packs_epi16(_mm_cmpeq_epi16(register(a), Register()), _mm_cmpeq_epi16(register(b), Register()))))
  }
#endif
