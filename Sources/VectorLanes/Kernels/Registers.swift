// The 128-bit vectors of the kernels, and their casts to the type that the compiler's intrinsics take (SSE2, part of the
// x86-64 baseline).
//
// The operations are functions of concrete types that all modules can inline. Only those are here that the standard
// library's vectors do not compile to a single instruction. Shifts of all lanes by one count and vectors of one repeated
// value compile to single instructions only with optimisation; without it they loop over the lanes. `PortableVector`
// defines each operation: other processors run that definition, and tests compare the instructions with it.

@usableFromInline package typealias Bytes = SIMD16<UInt8>
@usableFromInline package typealias Words = SIMD8<Int16>
@usableFromInline package typealias UnsignedWords = SIMD8<UInt16>
@usableFromInline package typealias DoubleWords = SIMD4<Int32>
@usableFromInline package typealias Floats = SIMD4<Float>

#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  @usableFromInline typealias Register = SIMD2<Int64>

  // SAFETY (all casts of this file): both types have 16 bytes, and every bit pattern is valid.
  @inlinable @inline(__always)
  func register(_ vector: Bytes) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: Words) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: UnsignedWords) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: DoubleWords) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func bytes(_ register: Register) -> Bytes { unsafe unsafeBitCast(register, to: Bytes.self) }
  @inlinable @inline(__always)
  func words(_ register: Register) -> Words { unsafe unsafeBitCast(register, to: Words.self) }
  @inlinable @inline(__always)
  func unsignedWords(_ register: Register) -> UnsignedWords { unsafe unsafeBitCast(register, to: UnsignedWords.self) }
  @inlinable @inline(__always)
  func doubleWords(_ register: Register) -> DoubleWords { unsafe unsafeBitCast(register, to: DoubleWords.self) }
#endif
