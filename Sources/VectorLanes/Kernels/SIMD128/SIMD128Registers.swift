// Casts of vectors to the type that the intrinsics of WebAssembly's SIMD128 take.

#if arch(wasm32) && canImport(CSIMD128) && !PORTABLE_KERNELS
  public import CSIMD128

  @usableFromInline typealias Register = v128_t

  // SAFETY (all casts of this file): both types have 16 bytes, and every bit pattern is valid.
  @inlinable @inline(__always)
  func register(_ vector: UInt8x16) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: Int16x8) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: UInt16x8) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: Float32x4) -> Register { unsafe unsafeBitCast(vector, to: Register.self) }
  @inlinable @inline(__always)
  func register(_ vector: Int32x4) -> Register { vector }
  @inlinable @inline(__always)
  func uint8x16(_ register: Register) -> UInt8x16 { unsafe unsafeBitCast(register, to: UInt8x16.self) }
  @inlinable @inline(__always)
  func int16x8(_ register: Register) -> Int16x8 { unsafe unsafeBitCast(register, to: Int16x8.self) }
  @inlinable @inline(__always)
  func uint16x8(_ register: Register) -> UInt16x8 { unsafe unsafeBitCast(register, to: UInt16x8.self) }
  @inlinable @inline(__always)
  func float32x4(_ register: Register) -> Float32x4 { unsafe unsafeBitCast(register, to: Float32x4.self) }
  @inlinable @inline(__always)
  func int32x4(_ register: Register) -> Int32x4 { register }
#endif
