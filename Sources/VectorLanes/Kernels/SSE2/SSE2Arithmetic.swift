// Sums, products and shifts of lanes by SSE2. See PortableVector for what each operation does.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  @inlinable @inline(__always)
  package func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_adds_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words {
    words(_mm_adds_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_adds_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_subs_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    unsignedWords(_mm_subs_epu16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_subs_epi8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_avg_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    words(_mm_sad_epu8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    words(_mm_mulhi_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    unsignedWords(_mm_mulhi_epu16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Words, _ b: Words) -> DoubleWords {
    doubleWords(_mm_madd_epi16(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Words, by count: Int32) -> Words {
    words(_mm_srai_epi16(register(a), count))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: DoubleWords, by count: Int32) -> DoubleWords {
    doubleWords(_mm_srai_epi32(register(a), count))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UnsignedWords, by count: Int32) -> UnsignedWords {
    unsignedWords(_mm_srli_epi16(register(a), count))
  }
#endif
