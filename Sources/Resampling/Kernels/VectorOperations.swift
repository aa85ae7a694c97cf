// Vector instructions as functions of concrete types: one instruction each on x86-64. `PortableVectors` defines what each
// of them does; it is what other processors run.

typealias Bytes = SIMD16<UInt8>
typealias Words = SIMD8<Int16>
typealias Sums = SIMD4<Int32>

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  internal import _Builtin_intrinsics.intel

  // SAFETY (all casts of this file): both types are 16 bytes of which every bit pattern is valid.
  @inline(__always)
  private func register(_ vector: Words) -> SIMD2<Int64> { unsafe unsafeBitCast(vector, to: SIMD2<Int64>.self) }
  @inline(__always)
  private func register(_ vector: Bytes) -> SIMD2<Int64> { unsafe unsafeBitCast(vector, to: SIMD2<Int64>.self) }
  @inline(__always)
  private func register(_ vector: Sums) -> SIMD2<Int64> { unsafe unsafeBitCast(vector, to: SIMD2<Int64>.self) }
  @inline(__always)
  private func words(_ register: SIMD2<Int64>) -> Words { unsafe unsafeBitCast(register, to: Words.self) }
  @inline(__always)
  private func bytes(_ register: SIMD2<Int64>) -> Bytes { unsafe unsafeBitCast(register, to: Bytes.self) }
  @inline(__always)
  private func sums(_ register: SIMD2<Int64>) -> Sums { unsafe unsafeBitCast(register, to: Sums.self) }

  /// The products of lanes, added in adjacent pairs.
  @inline(__always)
  func multiplyAddPairs(_ a: Words, _ b: Words) -> Sums { sums(_mm_madd_epi16(register(a), register(b))) }
  /// The first eight lanes of two vectors, alternating.
  @inline(__always)
  func interleaveLow(_ a: Bytes, _ b: Bytes) -> Bytes { bytes(_mm_unpacklo_epi8(register(a), register(b))) }
  /// The last eight lanes of two vectors, alternating.
  @inline(__always)
  func interleaveHigh(_ a: Bytes, _ b: Bytes) -> Bytes { bytes(_mm_unpackhi_epi8(register(a), register(b))) }
  /// The first eight lanes as 16-bit numbers.
  @inline(__always)
  func widenLow(_ a: Bytes) -> Words { words(_mm_unpacklo_epi8(register(a), register(Bytes()))) }
  /// The last eight lanes as 16-bit numbers.
  @inline(__always)
  func widenHigh(_ a: Bytes) -> Words { words(_mm_unpackhi_epi8(register(a), register(Bytes()))) }
  /// Sixteen numbers, clamped to 0…255. They must be within −32768…32767.
  @inline(__always)
  func narrow(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
    bytes(_mm_packus_epi16(_mm_packs_epi32(register(a), register(b)), _mm_packs_epi32(register(c), register(d))))
  }
#else
  @inline(__always)
  func multiplyAddPairs(_ a: Words, _ b: Words) -> Sums { PortableVectors.multiplyAddPairs(a, b) }
  @inline(__always)
  func interleaveLow(_ a: Bytes, _ b: Bytes) -> Bytes { PortableVectors.interleaveLow(a, b) }
  @inline(__always)
  func interleaveHigh(_ a: Bytes, _ b: Bytes) -> Bytes { PortableVectors.interleaveHigh(a, b) }
  @inline(__always)
  func widenLow(_ a: Bytes) -> Words { PortableVectors.widenLow(a) }
  @inline(__always)
  func widenHigh(_ a: Bytes) -> Words { PortableVectors.widenHigh(a) }
  @inline(__always)
  func narrow(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes { PortableVectors.narrow(a, b, c, d) }
#endif

/// The operations without processor-specific instructions.
enum PortableVectors {
  @inline(__always)
  static func multiplyAddPairs(_ a: Words, _ b: Words) -> Sums {
    let even =
      Sums(Int32(a[0]), Int32(a[2]), Int32(a[4]), Int32(a[6]))
      &* Sums(Int32(b[0]), Int32(b[2]), Int32(b[4]), Int32(b[6]))
    let odd =
      Sums(Int32(a[1]), Int32(a[3]), Int32(a[5]), Int32(a[7]))
      &* Sums(Int32(b[1]), Int32(b[3]), Int32(b[5]), Int32(b[7]))
    return even &+ odd
  }

  @inline(__always)
  static func interleaveLow(_ a: Bytes, _ b: Bytes) -> Bytes {
    Bytes(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  @inline(__always)
  static func interleaveHigh(_ a: Bytes, _ b: Bytes) -> Bytes {
    Bytes(
      a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
  }

  @inline(__always)
  static func widenLow(_ a: Bytes) -> Words {
    Words(
      Int16(a[0]), Int16(a[1]), Int16(a[2]), Int16(a[3]), Int16(a[4]), Int16(a[5]), Int16(a[6]), Int16(a[7]))
  }

  @inline(__always)
  static func widenHigh(_ a: Bytes) -> Words {
    Words(
      Int16(a[8]), Int16(a[9]), Int16(a[10]), Int16(a[11]), Int16(a[12]), Int16(a[13]), Int16(a[14]), Int16(a[15]))
  }

  @inline(__always)
  static func narrow(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
    var result = Bytes()
    for lane in 0..<4 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], 0), 255))
      result[lane + 4] = UInt8(truncatingIfNeeded: min(max(b[lane], 0), 255))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(c[lane], 0), 255))
      result[lane + 12] = UInt8(truncatingIfNeeded: min(max(d[lane], 0), 255))
    }
    return result
  }
}
