// The 128-bit vector operations of the kernels as functions of concrete types, one instruction each on x86-64 (SSE2,
// part of the baseline). `PortableVector` defines each operation: other processors run that definition, and tests
// compare the instructions with it. All functions are inlinable, so that codecs can build kernels from them in their
// own modules.
//
// This file contains only operations that the standard library's vectors do not compile to a single instruction. Shifts
// of all lanes by one count and vectors of one repeated value compile to single instructions only with optimisation;
// without it they loop over the lanes.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.intel

  /// The vector type that the compiler's intrinsics take.
  @usableFromInline typealias Register = SIMD2<Int64>

  /// Returns `a0·b0 + a1·b1, a2·b2 + a3·b3, …`.
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    // SAFETY (all casts of this file): both types have 16 bytes, and every bit pattern is valid.
    unsafe unsafeBitCast(
      _mm_madd_epi16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)), to: SIMD4<Int32>.self)
  }

  /// Returns eight lanes of one value.
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> SIMD8<Int16> {
    unsafe unsafeBitCast(_mm_set1_epi16(value), to: SIMD8<Int16>.self)
  }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD8<Int16>, by count: Int32) -> SIMD8<Int16> {
    unsafe unsafeBitCast(_mm_srai_epi16(unsafeBitCast(a, to: Register.self), count), to: SIMD8<Int16>.self)
  }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD4<Int32>, by count: Int32) -> SIMD4<Int32> {
    unsafe unsafeBitCast(_mm_srai_epi32(unsafeBitCast(a, to: Register.self), count), to: SIMD4<Int32>.self)
  }

  /// Returns the lanes divided by 2^count, rounded down.
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD8<UInt16>, by count: Int32) -> SIMD8<UInt16> {
    unsafe unsafeBitCast(_mm_srli_epi16(unsafeBitCast(a, to: Register.self), count), to: SIMD8<UInt16>.self)
  }

  /// Returns the upper halves of the products.
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_mulhi_epi16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)), to: SIMD8<Int16>.self)
  }

  /// Returns the upper halves of the unsigned products.
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    unsafe unsafeBitCast(
      _mm_mulhi_epu16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<UInt16>.self)
  }

  /// Returns the differences, or 0 where they are negative.
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    unsafe unsafeBitCast(
      _mm_subs_epu16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<UInt16>.self)
  }

  /// Returns the values rounded towards zero. They must be in the range of `Int32`.
  @inlinable @inline(__always)
  package func truncate(_ a: SIMD4<Float>) -> SIMD4<Int32> {
    unsafe unsafeBitCast(_mm_cvttps_epi32(a), to: SIMD4<Int32>.self)
  }

  /// Returns the lanes converted to floats.
  @inlinable @inline(__always)
  package func convertToFloat(_ a: SIMD4<Int32>) -> SIMD4<Float> {
    unsafe _mm_cvtepi32_ps(unsafeBitCast(a, to: Register.self))
  }

  /// Returns the lanes of `a`, then those of `b`, saturated to 16 bits.
  @inlinable @inline(__always)
  package func packSaturating(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_packs_epi32(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)), to: SIMD8<Int16>.self)
  }

  /// Returns the lanes of `a`, then those of `b`, saturated to 0…255.
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    unsafe unsafeBitCast(
      _mm_packus_epi16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD16<UInt8>.self)
  }

  /// Returns `a0 b0 a1 b1 …` from the lower halves.
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    unsafe unsafeBitCast(
      _mm_unpacklo_epi8(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD16<UInt8>.self)
  }

  /// Returns `a8 b8 a9 b9 …` from the upper halves.
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    unsafe unsafeBitCast(
      _mm_unpackhi_epi8(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD16<UInt8>.self)
  }

  /// Returns `a0 b0 a1 b1 …` from the lower halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpacklo_epi16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }

  /// Returns `a4 b4 a5 b5 …` from the upper halves, as 16-bit lanes.
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpackhi_epi16(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }

  /// Returns `a0a1 b0b1 a2a3 b2b3`: the lower halves as 32-bit lanes.
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpacklo_epi32(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }

  /// Returns `a4a5 b4b5 a6a7 b6b7`: the upper halves as 32-bit lanes.
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpackhi_epi32(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }

  /// Returns the lower half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpacklo_epi64(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }

  /// Returns the upper half of `a`, then that of `b`.
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(
      _mm_unpackhi_epi64(unsafeBitCast(a, to: Register.self), unsafeBitCast(b, to: Register.self)),
      to: SIMD8<Int16>.self)
  }
  /// Returns a bit mask of the lanes that are zero: bits 0…7 for the lanes of `a`, 8…15 for those of `b`.
  @inlinable @inline(__always)
  package func zeroLanes(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> UInt16 {
    unsafe UInt16(
      truncatingIfNeeded: _mm_movemask_epi8(
        _mm_packs_epi16(
          _mm_cmpeq_epi16(unsafeBitCast(a, to: Register.self), Register()),
          _mm_cmpeq_epi16(unsafeBitCast(b, to: Register.self), Register()))))
  }
#else
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> SIMD8<Int16> { PortableVector.vector(of: value) }
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD8<Int16>, by count: Int32) -> SIMD8<Int16> {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD4<Int32>, by count: Int32) -> SIMD4<Int32> {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: SIMD8<UInt16>, by count: Int32) -> SIMD8<UInt16> {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    PortableVector.multiplyHighUnsigned(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: SIMD4<Float>) -> SIMD4<Int32> { PortableVector.truncate(a) }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: SIMD4<Int32>) -> SIMD4<Float> { PortableVector.convertToFloat(a) }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> UInt16 { PortableVector.zeroLanes(a, b) }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    PortableVector.multiplyAddPairs(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.multiplyHigh(a, b)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
    PortableVector.packSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    PortableVector.packUnsignedSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.interleaveLow8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.interleaveHigh8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow64(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh64(a, b)
  }
#endif
