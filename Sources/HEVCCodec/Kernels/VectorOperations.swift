// Vector instructions beyond those of PixelPlanes, as functions of concrete types: one instruction each on x86-64.
// `PortableWords` defines what each of them does; it is what other processors run and what the tests hold the
// instructions against.

package typealias Words = SIMD8<Int16>

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  internal import _Builtin_intrinsics.intel

  // SAFETY (all casts of this file): both types are 16 bytes of which every bit pattern is valid.
  @inline(__always)
  private func register(_ vector: Words) -> SIMD2<Int64> { unsafe unsafeBitCast(vector, to: SIMD2<Int64>.self) }
  @inline(__always)
  private func words(_ register: SIMD2<Int64>) -> Words { unsafe unsafeBitCast(register, to: Words.self) }

  /// The sums, −32768…32767.
  @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words { words(_mm_adds_epi16(register(a), register(b))) }
  /// The smaller lanes.
  @inline(__always)
  package func minimum(_ a: Words, _ b: Words) -> Words { words(_mm_min_epi16(register(a), register(b))) }
  /// The larger lanes.
  @inline(__always)
  package func maximum(_ a: Words, _ b: Words) -> Words { words(_mm_max_epi16(register(a), register(b))) }
  /// −1 where a lane of `a` is greater, otherwise 0.
  @inline(__always)
  package func isGreater(_ a: Words, _ b: Words) -> Words { words(_mm_cmpgt_epi16(register(a), register(b))) }
  /// −1 where lanes are equal, otherwise 0.
  @inline(__always)
  package func isEqual(_ a: Words, _ b: Words) -> Words { words(_mm_cmpeq_epi16(register(a), register(b))) }
  /// The lanes shifted right, signs kept.
  @inline(__always)
  package func shiftRight(_ a: Words, _ count: Int32) -> Words {
    words(_mm_sra_epi16(register(a), _mm_cvtsi32_si128(count)))
  }
#else
  @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words { PortableWords.addSaturating(a, b) }
  @inline(__always)
  package func minimum(_ a: Words, _ b: Words) -> Words { PortableWords.minimum(a, b) }
  @inline(__always)
  package func maximum(_ a: Words, _ b: Words) -> Words { PortableWords.maximum(a, b) }
  @inline(__always)
  package func isGreater(_ a: Words, _ b: Words) -> Words { PortableWords.isGreater(a, b) }
  @inline(__always)
  package func isEqual(_ a: Words, _ b: Words) -> Words { PortableWords.isEqual(a, b) }
  @inline(__always)
  package func shiftRight(_ a: Words, _ count: Int32) -> Words { PortableWords.shiftRight(a, count) }
#endif

/// The operations without processor-specific instructions.
package enum PortableWords {
  @inline(__always)
  private static func map(_ a: Words, _ b: Words, _ body: (Int32, Int32) -> Int32) -> Words {
    var result = Words()
    for lane in 0..<8 { result[lane] = Int16(truncatingIfNeeded: body(Int32(a[lane]), Int32(b[lane]))) }
    return result
  }

  package static func addSaturating(_ a: Words, _ b: Words) -> Words {
    map(a, b) { min(max($0 &+ $1, -32768), 32767) }
  }
  package static func minimum(_ a: Words, _ b: Words) -> Words { map(a, b) { min($0, $1) } }
  package static func maximum(_ a: Words, _ b: Words) -> Words { map(a, b) { max($0, $1) } }
  package static func isGreater(_ a: Words, _ b: Words) -> Words { map(a, b) { $0 > $1 ? -1 : 0 } }
  package static func isEqual(_ a: Words, _ b: Words) -> Words { map(a, b) { $0 == $1 ? -1 : 0 } }
  package static func shiftRight(_ a: Words, _ count: Int32) -> Words { map(a, a) { a, _ in a &>> min(count, 15) } }
}
