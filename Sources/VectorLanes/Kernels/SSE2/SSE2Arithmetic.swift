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
  package func distance(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    subtractSaturating(a, b) | subtractSaturating(b, a)
  }
  @inlinable @inline(__always)
  package func isAtMost(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    isEqual(subtractSaturating(a, b), UInt8x16())
  }
  @inlinable @inline(__always)
  package func halved(_ a: UInt8x16) -> UInt8x16 {
    uint8x16(register(shiftRight(uint16x8(register(a & UInt8x16(repeating: 0xFE))), by: 1)))
  }
  @inlinable @inline(__always)
  package func halvedRoundingUpSigned(_ a: UInt8x16) -> UInt8x16 {
    averageRoundingUp(a &+ UInt8x16(repeating: 0x80), UInt8x16()) &- UInt8x16(repeating: 64)
  }
  @inlinable @inline(__always)
  package func dividedBy8Signed(_ a: UInt8x16) -> UInt8x16 {
    // The lanes are in the upper bytes of wider ones.
    let low = shiftRight(int16x8(register(interleaveLow8(UInt8x16(), a))), by: 11)
    let high = shiftRight(int16x8(register(interleaveHigh8(UInt8x16(), a))), by: 11)
    return packSaturatingSigned(low, high)
  }
  @inlinable @inline(__always)
  package func multiplyLowSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    // With the lanes in the upper bytes, and the factor too, the upper halves are the products.
    let lanes = int16x8(register(interleaveLow8(UInt8x16(), a)))
    return multiplyHigh(lanes, vector(of: Int16(factor) &* 256))
  }
  @inlinable @inline(__always)
  package func multiplyHighSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    let lanes = int16x8(register(interleaveHigh8(UInt8x16(), a)))
    return multiplyHigh(lanes, vector(of: Int16(factor) &* 256))
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
  package func multiplyHighRounding(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    shiftRight(multiplyHigh(a &+ a, b) &+ vector(of: 1), by: 1)
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(
    _ a: Int16x8, _ factorOfA: Int16, plus b: Int16x8, _ factorOfB: Int16
  ) -> Int16x8 {
    let factors = Int16x8(
      factorOfA, factorOfB, factorOfA, factorOfB, factorOfA, factorOfB, factorOfA, factorOfB)
    let half = Int32x4(32768, 32768, 32768, 32768)
    return packSaturating(
      shiftRight(multiplyAddPairs(interleaveLow16(a, b), factors) &+ half, by: 16),
      shiftRight(multiplyAddPairs(interleaveHigh16(a, b), factors) &+ half, by: 16))
  }
  @inlinable @inline(__always)
  package func scaleSamples(_ a: Int16x8, by factor: Int16) -> Int16x8 {
    int16x8(_mm_mulhi_epu16(register(a &<< 8), register(vector(of: factor))))
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
