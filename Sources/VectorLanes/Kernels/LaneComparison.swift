// Comparisons of lanes, one instruction each on x86-64 except for `zeroLanes`.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  /// Returns the smaller lanes.
  @inlinable @inline(__always)
  package func minimum(_ a: Words, _ b: Words) -> Words {
    words(_mm_min_epi16(register(a), register(b)))
  }
  /// Returns the larger lanes.
  @inlinable @inline(__always)
  package func maximum(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_max_epu8(register(a), register(b)))
  }
  /// Returns the larger lanes.
  @inlinable @inline(__always)
  package func maximum(_ a: Words, _ b: Words) -> Words {
    words(_mm_max_epi16(register(a), register(b)))
  }
  /// Returns 255 where lanes are equal, otherwise 0.
  @inlinable @inline(__always)
  package func isEqual(_ a: Bytes, _ b: Bytes) -> Bytes {
    bytes(_mm_cmpeq_epi8(register(a), register(b)))
  }
  /// Returns −1 where lanes are equal, otherwise 0.
  @inlinable @inline(__always)
  package func isEqual(_ a: Words, _ b: Words) -> Words {
    words(_mm_cmpeq_epi16(register(a), register(b)))
  }
  /// Returns −1 where a lane of `a` is greater, otherwise 0.
  @inlinable @inline(__always)
  package func isGreater(_ a: Words, _ b: Words) -> Words {
    words(_mm_cmpgt_epi16(register(a), register(b)))
  }
  /// Returns a bit mask of the lanes that are zero: bits 0…7 for the lanes of `a`, 8…15 for those of `b`.
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Words, _ b: Words) -> UInt16 {
    UInt16(
      truncatingIfNeeded: _mm_movemask_epi8(
        _mm_packs_epi16(_mm_cmpeq_epi16(register(a), Register()), _mm_cmpeq_epi16(register(b), Register()))))
  }
#else
  @inlinable @inline(__always)
  package func minimum(_ a: Words, _ b: Words) -> Words {
    PortableVector.minimum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Words, _ b: Words) -> Words {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Words, _ b: Words) -> Words {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Words, _ b: Words) -> Words {
    PortableVector.isGreater(a, b)
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Words, _ b: Words) -> UInt16 {
    PortableVector.zeroLanes(a, b)
  }
#endif
