// Conversion of lanes by SIMD128. See PortableVector for what each operation does, and PortableInterleaving for the
// arrangements that are its own.

#if arch(wasm32) && canImport(CSIMD128) && !PORTABLE_KERNELS
  public import CSIMD128

  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Int16x8 {
    int16x8(wasm_i16x8_splat(value))
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Float32x4) -> Int32x4 {
    int32x4(wasm_i32x4_trunc_sat_f32x4(register(a)))
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: Int32x4) -> Float32x4 {
    float32x4(wasm_f32x4_convert_i32x4(register(a)))
  }
  @inlinable @inline(__always)
  package func squareRoot(_ a: Float32x4) -> Float32x4 {
    float32x4(wasm_f32x4_sqrt(register(a)))
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    int16x8(wasm_i16x8_narrow_i32x4(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    uint8x16(wasm_i8x16_narrow_i16x8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Int16x8, _ b: Int16x8) -> UInt8x16 {
    uint8x16(wasm_u8x16_narrow_i16x8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: UInt8x16) -> Int16x8 {
    int16x8(wasm_u16x8_extend_low_u8x16(register(a)))
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: UInt8x16) -> Int16x8 {
    int16x8(wasm_u16x8_extend_high_u8x16(register(a)))
  }
#endif
