// Interleaving, packing and conversions of lanes, one instruction each on x86-64.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  /// Returns eight lanes of one value.
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Words {
    words(_mm_set1_epi16(value))
  }
  /// Returns the values rounded towards zero. They must be in the range of `Int32`.
  @inlinable @inline(__always)
  package func truncate(_ a: Floats) -> DoubleWords {
    doubleWords(_mm_cvttps_epi32(a))
  }
  /// Returns the lanes converted to floats.
  @inlinable @inline(__always)
  package func convertToFloat(_ a: DoubleWords) -> Floats {
    _mm_cvtepi32_ps(register(a))
  }
  /// Returns the lanes of `a`, then those of `b`, saturated to 16 bits.
  @inlinable @inline(__always)
  package func packSaturating(_ a: DoubleWords, _ b: DoubleWords) -> Words {
    words(_mm_packs_epi32(register(a), register(b)))
  }
  /// Returns the lanes of `a`, then those of `b`, saturated to −128…127.
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    bytes(_mm_packs_epi16(register(a), register(b)))
  }
  /// Returns the lanes of `a`, then those of `b`, saturated to 0…255.
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Words, _ b: Words) -> Bytes {
    bytes(_mm_packus_epi16(register(a), register(b)))
  }
  /// Returns the lower eight lanes as 16-bit numbers.
  @inlinable @inline(__always)
  package func widenLow(_ a: Bytes) -> Words {
    words(_mm_unpacklo_epi8(register(a), Register()))
  }
  /// Returns the upper eight lanes as 16-bit numbers.
  @inlinable @inline(__always)
  package func widenHigh(_ a: Bytes) -> Words {
    words(_mm_unpackhi_epi8(register(a), Register()))
  }
  /// Returns `a0 b0 a1 b1 …` from the lower halves.
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_unpacklo_epi8(register(a), register(b)))
  }
  /// Returns `a8 b8 a9 b9 …` from the upper halves.
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_unpackhi_epi8(register(a), register(b)))
  }
  /// Returns `a0 b0 a1 b1 …` from the lower halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi16(register(a), register(b)))
  }
  /// Returns `a4 b4 a5 b5 …` from the upper halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi16(register(a), register(b)))
  }
  /// Returns `a0a1 b0b1 a2a3 b2b3`: the lower halves as 32-bit lanes.
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi32(register(a), register(b)))
  }
  /// Returns `a4a5 b4b5 a6a7 b6b7`: the upper halves as 32-bit lanes.
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi32(register(a), register(b)))
  }
  /// Returns the lower half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpacklo_epi64(register(a), register(b)))
  }
  /// Returns the upper half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    words(_mm_unpackhi_epi64(register(a), register(b)))
  }
#else
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Words {
    PortableVector.vector(of: value)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Floats) -> DoubleWords {
    PortableVector.truncate(a)
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: DoubleWords) -> Floats {
    PortableVector.convertToFloat(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: DoubleWords, _ b: DoubleWords) -> Words {
    PortableVector.packSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    PortableVector.packSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Words, _ b: Words) -> Bytes {
    PortableVector.packUnsignedSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: Bytes) -> Words {
    PortableVector.widenLow(a)
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: Bytes) -> Words {
    PortableVector.widenHigh(a)
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.interleaveLow8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.interleaveHigh8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow64(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh64(a, b)
  }
#endif
