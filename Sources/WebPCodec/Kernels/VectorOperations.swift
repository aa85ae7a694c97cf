// The 128-bit vector operations of the kernels as functions of concrete types, one instruction each on x86-64.
// `PortableVector` defines each operation: other processors run that definition, and tests compare the instructions
// with it.

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  internal import _Builtin_intrinsics.intel

  /// The vector type that the compiler's intrinsics take.
  private typealias Register = SIMD2<Int64>

  // SAFETY (all casts of this file): both types have 16 bytes, and every bit pattern is valid.
  @inline(__always)
  private func register(_ vector: SIMD16<UInt8>) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inline(__always)
  private func register(_ vector: SIMD8<Int16>) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inline(__always)
  private func bytes(_ register: Register) -> SIMD16<UInt8> { unsafe unsafeBitCast(register, to: SIMD16<UInt8>.self) }
  @inline(__always)
  private func words(_ register: Register) -> SIMD8<Int16> { unsafe unsafeBitCast(register, to: SIMD8<Int16>.self) }

  /// Returns the sums, at most 255.
  @inline(__always)
  package func addSaturating(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_adds_epu8(register(a), register(b)))
  }
  /// Returns the differences, at least 0.
  @inline(__always)
  package func subtractSaturating(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_subs_epu8(register(a), register(b)))
  }
  /// Returns the sums of signed lanes, saturated to −128…127.
  @inline(__always)
  package func addSaturatingSigned(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_adds_epi8(register(a), register(b)))
  }
  /// Returns the differences of signed lanes, saturated to −128…127.
  @inline(__always)
  package func subtractSaturatingSigned(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_subs_epi8(register(a), register(b)))
  }
  /// Returns the larger lanes.
  @inline(__always)
  package func maximum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_max_epu8(register(a), register(b)))
  }
  /// Returns 255 where lanes are equal, otherwise 0.
  @inline(__always)
  package func equal(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_cmpeq_epi8(register(a), register(b)))
  }
  /// Returns the means, rounded up.
  @inline(__always)
  package func averageRoundingUp(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_avg_epu8(register(a), register(b)))
  }
  /// Returns the upper halves of the products.
  @inline(__always)
  package func multiplyHigh(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_mulhi_epi16(register(a), register(b)))
  }
  /// Returns the lanes of `a`, then those of `b`, saturated to −128…127.
  @inline(__always)
  package func packSaturatingSigned(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    bytes(_mm_packs_epi16(register(a), register(b)))
  }
  /// Returns the lanes of `a`, then those of `b`, saturated to 0…255.
  @inline(__always)
  package func packSaturating(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    bytes(_mm_packus_epi16(register(a), register(b)))
  }
  /// Returns the sums of the absolute differences of the lower and the upper eight lanes, in the first lane of each
  /// half.
  @inline(__always)
  package func sumOfDifferences(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD8<Int16> {
    words(_mm_sad_epu8(register(a), register(b)))
  }
  /// Returns `a0 b0 a1 b1 …` from the lower halves.
  @inline(__always)
  package func interleaveLow8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_unpacklo_epi8(register(a), register(b)))
  }
  /// Returns `a8 b8 a9 b9 …` from the upper halves.
  @inline(__always)
  package func interleaveHigh8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes(_mm_unpackhi_epi8(register(a), register(b)))
  }
  /// Returns `a0 b0 a1 b1 …` from the lower halves, as 16-bit lanes.
  @inline(__always)
  package func interleaveLow16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpacklo_epi16(register(a), register(b)))
  }
  /// Returns `a4 b4 a5 b5 …` from the upper halves, as 16-bit lanes.
  @inline(__always)
  package func interleaveHigh16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpackhi_epi16(register(a), register(b)))
  }
  /// Returns `a0a1 b0b1 a2a3 b2b3`: the lower halves as 32-bit lanes.
  @inline(__always)
  package func interleaveLow32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpacklo_epi32(register(a), register(b)))
  }
  /// Returns `a4a5 b4b5 a6a7 b6b7`: the upper halves as 32-bit lanes.
  @inline(__always)
  package func interleaveHigh32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpackhi_epi32(register(a), register(b)))
  }
  /// Returns the lower half of `a`, then that of `b`.
  @inline(__always)
  package func interleaveLow64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpacklo_epi64(register(a), register(b)))
  }
  /// Returns the upper half of `a`, then that of `b`.
  @inline(__always)
  package func interleaveHigh64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    words(_mm_unpackhi_epi64(register(a), register(b)))
  }
#else
  @inline(__always)
  package func addSaturating(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.addSaturating(a, b)
  }
  @inline(__always)
  package func subtractSaturating(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.subtractSaturating(a, b)
  }
  @inline(__always)
  package func addSaturatingSigned(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.addSaturatingSigned(a, b)
  }
  @inline(__always)
  package func subtractSaturatingSigned(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.subtractSaturatingSigned(a, b)
  }
  @inline(__always)
  package func maximum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.maximum(a, b)
  }
  @inline(__always)
  package func equal(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.equal(a, b)
  }
  @inline(__always)
  package func averageRoundingUp(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.averageRoundingUp(a, b)
  }
  @inline(__always)
  package func multiplyHigh(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.multiplyHigh(a, b)
  }
  @inline(__always)
  package func packSaturatingSigned(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    PortableVector.packSaturatingSigned(a, b)
  }
  @inline(__always)
  package func packSaturating(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    PortableVector.packSaturating(a, b)
  }
  @inline(__always)
  package func sumOfDifferences(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD8<Int16> {
    PortableVector.sumOfDifferences(a, b)
  }
  @inline(__always)
  package func interleaveLow8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.interleaveLow8(a, b)
  }
  @inline(__always)
  package func interleaveHigh8(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    PortableVector.interleaveHigh8(a, b)
  }
  @inline(__always)
  package func interleaveLow16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow16(a, b)
  }
  @inline(__always)
  package func interleaveHigh16(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh16(a, b)
  }
  @inline(__always)
  package func interleaveLow32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow32(a, b)
  }
  @inline(__always)
  package func interleaveHigh32(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh32(a, b)
  }
  @inline(__always)
  package func interleaveLow64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveLow64(a, b)
  }
  @inline(__always)
  package func interleaveHigh64(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    PortableVector.interleaveHigh64(a, b)
  }
#endif
