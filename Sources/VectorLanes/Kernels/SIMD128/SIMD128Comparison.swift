// Comparisons of lanes by SIMD128. See PortableVector for what each operation does.

#if arch(wasm32) && canImport(CSIMD128) && !PORTABLE_KERNELS
  public import CSIMD128

  @inlinable @inline(__always)
  package func isAtMost(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_le(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func minimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(wasm_i16x8_min(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func maximum(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_max(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(wasm_i16x8_max(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_i8x16_eq(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(wasm_i16x8_eq(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(wasm_i16x8_gt(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Int16x8, _ b: Int16x8) -> UInt16 {
    let masks = packSaturatingSigned(isEqual(a, Int16x8()), isEqual(b, Int16x8()))
    return UInt16(truncatingIfNeeded: wasm_i8x16_bitmask(register(masks)))
  }
#endif
