// Sums, products and shifts of lanes by SSE2. See PortableVector for what each operation does.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  @inlinable @inline(__always)
  package func addSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_adds_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_adds_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_adds_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_subs_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    uint16x8(_mm_subs_epu16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_subs_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(_mm_avg_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    int16x8(_mm_sad_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(_mm_mulhi_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    uint16x8(_mm_mulhi_epu16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Int16x8, _ b: Int16x8) -> Int32x4 {
    int32x4(_mm_madd_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int16x8, by count: Int32) -> Int16x8 {
    int16x8(_mm_srai_epi16(register(a), count))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int32x4, by count: Int32) -> Int32x4 {
    int32x4(_mm_srai_epi32(register(a), count))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UInt16x8, by count: Int32) -> UInt16x8 {
    uint16x8(_mm_srli_epi16(register(a), count))
  }
#endif
