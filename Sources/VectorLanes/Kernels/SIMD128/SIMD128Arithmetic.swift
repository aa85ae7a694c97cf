// Sums, products and shifts of lanes by SIMD128. See PortableVector for what each operation does.

#if arch(wasm32) && canImport(CSIMD128) && !PORTABLE_KERNELS
  public import CSIMD128

  @inlinable @inline(__always)
  package func addSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_add_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    int16x8(wasm_i16x8_add_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_i8x16_add_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_sub_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    uint16x8(wasm_u16x8_sub_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_i8x16_sub_sat(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func distance(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    subtractSaturating(a, b) | subtractSaturating(b, a)
  }
  @inlinable @inline(__always)
  package func halved(_ a: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_shr(register(a), 1))
  }
  @inlinable @inline(__always)
  package func halvedRoundingUpSigned(_ a: UInt8x16) -> UInt8x16 {
    averageRoundingUp(a &+ UInt8x16(repeating: 0x80), UInt8x16()) &- UInt8x16(repeating: 64)
  }
  @inlinable @inline(__always)
  package func dividedBy8Signed(_ a: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_i8x16_shr(register(a), 3))
  }
  @inlinable @inline(__always)
  package func multiplyLowSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    int16x8(wasm_i16x8_extmul_low_i8x16(register(a), wasm_i8x16_splat(factor)))
  }
  @inlinable @inline(__always)
  package func multiplyHighSigned(_ a: UInt8x16, by factor: Int8) -> Int16x8 {
    int16x8(wasm_i16x8_extmul_high_i8x16(register(a), wasm_i8x16_splat(factor)))
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    uint8x16(wasm_u8x16_avgr(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: UInt8x16, _ b: UInt8x16) -> Int16x8 {
    // Sums of four lanes, of which two in the same half are added.
    let sums = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(register(distance(a, b))))
    return int16x8((sums &+ Int32x4(sums[1], 0, sums[3], 0)) & Int32x4(-1, 0, -1, 0))
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    upperHalves(
      wasm_i32x4_extmul_low_i16x8(register(a), register(b)), wasm_i32x4_extmul_high_i16x8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    let half = Int32x4(repeating: 32768)
    return upperHalves(
      wasm_i32x4_extmul_low_i16x8(register(a), register(b)) &+ half,
      wasm_i32x4_extmul_high_i16x8(register(a), register(b)) &+ half)
  }
  @inlinable @inline(__always)
  package func multiplyHighRounding(
    _ a: Int16x8, _ factorOfA: Int16, plus b: Int16x8, _ factorOfB: Int16
  ) -> Int16x8 {
    let half = Int32x4(repeating: 32768)
    let lanes = PairedLanes(interleaveLow16(a, b), interleaveHigh16(a, b))
    return upperHalves(
      lanes.first(factorOfA, factorOfB, to: half), lanes.second(factorOfA, factorOfB, to: half))
  }
  @inlinable @inline(__always)
  package func scaleSamples(_ a: Int16x8, by factor: Int16) -> Int16x8 {
    let factors = wasm_i16x8_splat(factor)
    // With the samples in the upper bytes, the upper halves are the quotients.
    let samples = register(uint16x8(register(a)) &<< 8)
    return upperHalves(
      wasm_u32x4_extmul_low_u16x8(samples, factors), wasm_u32x4_extmul_high_u16x8(samples, factors))
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UInt16x8, _ b: UInt16x8) -> UInt16x8 {
    let halves = upperHalves(
      wasm_u32x4_extmul_low_u16x8(register(a), register(b)), wasm_u32x4_extmul_high_u16x8(register(a), register(b)))
    return uint16x8(register(halves))
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Int16x8, _ b: Int16x8) -> Int32x4 {
    int32x4(wasm_i32x4_dot_i16x8(register(a), register(b)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int16x8, by count: Int32) -> Int16x8 {
    int16x8(wasm_i16x8_shr(register(a), UInt32(bitPattern: count)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Int32x4, by count: Int32) -> Int32x4 {
    int32x4(wasm_i32x4_shr(register(a), UInt32(bitPattern: count)))
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UInt16x8, by count: Int32) -> UInt16x8 {
    uint16x8(wasm_u16x8_shr(register(a), UInt32(bitPattern: count)))
  }

  /// Returns the upper halves of the lanes of `a`, then those of `b`.
  @inlinable @inline(__always)
  func upperHalves(_ a: Int32x4, _ b: Int32x4) -> Int16x8 {
    let (low, high) = (int16x8(a), int16x8(b))
    return Int16x8(low[1], low[3], low[5], low[7], high[1], high[3], high[5], high[7])
  }
#endif
