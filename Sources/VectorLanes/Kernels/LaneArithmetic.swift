// Sums, products and shifts of lanes, one instruction each on x86-64.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  /// Returns the sums, at most 255.
  @inlinable @inline(__always)
  package func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_adds_epu8(register(a), register(b)))
  }
  /// Returns the sums, saturated to 16 bits.
  @inlinable @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words {
    words(_mm_adds_epi16(register(a), register(b)))
  }
  /// Returns the sums of signed lanes, saturated to −128…127.
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_adds_epi8(register(a), register(b)))
  }
  /// Returns the differences, at least 0.
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_subs_epu8(register(a), register(b)))
  }
  /// Returns the differences, at least 0.
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    unsignedWords(_mm_subs_epu16(register(a), register(b)))
  }
  /// Returns the differences of signed lanes, saturated to −128…127.
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_subs_epi8(register(a), register(b)))
  }
  /// Returns the means, rounded up.
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_avg_epu8(register(a), register(b)))
  }
  /// Returns the sums of the absolute differences of the lower and the upper eight lanes, in the first lane of each
  /// half.
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    words(_mm_sad_epu8(register(a), register(b)))
  }
  /// Returns the upper halves of the products.
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    words(_mm_mulhi_epi16(register(a), register(b)))
  }
  /// Returns the upper halves of the unsigned products.
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    unsignedWords(_mm_mulhi_epu16(register(a), register(b)))
  }
  /// Returns `a0·b0 + a1·b1, a2·b2 + a3·b3, …`.
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Words, _ b: Words) -> DoubleWords {
    doubleWords(_mm_madd_epi16(register(a), register(b)))
  }
  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: Words, by count: Int32) -> Words {
    words(_mm_srai_epi16(register(a), count))
  }
  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: DoubleWords, by count: Int32) -> DoubleWords {
    doubleWords(_mm_srai_epi32(register(a), count))
  }
  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: UnsignedWords, by count: Int32) -> UnsignedWords {
    unsignedWords(_mm_srli_epi16(register(a), count))
  }
#else
  @inlinable @inline(__always)
  package func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.addSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.subtractSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.averageRoundingUp(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    PortableVector.sumOfDifferences(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    PortableVector.multiplyHigh(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    PortableVector.multiplyHighUnsigned(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Words, _ b: Words) -> DoubleWords {
    PortableVector.multiplyAddPairs(a, b)
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
