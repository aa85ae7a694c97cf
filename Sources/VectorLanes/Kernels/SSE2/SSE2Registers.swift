// Casts of vectors to the type that the intrinsics of SSE2, part of the x86-64 baseline, take.

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
