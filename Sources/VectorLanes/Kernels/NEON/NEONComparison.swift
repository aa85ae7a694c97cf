// Comparisons of lanes by NEON. See PortableVector for what each operation does.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  @inlinable @inline(__always)
  package func minimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vminq_s16(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vmaxq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vmaxq_s16(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    vceqq_u8(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_u16(vceqq_s16(a, b))
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    vreinterpretq_s16_u16(vcgtq_s16(a, b))
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Int16x8, _ b: Int16x8) -> UInt16 {
    let zeros = vuzp1q_u8(vreinterpretq_u8_u16(vceqzq_s16(a)), vreinterpretq_u8_u16(vceqzq_s16(b)))
    // Each lane keeps the bit of its place; three sums of neighbours collect the eight bits of each half.
    let bits = zeros & UInt8x16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
    let fours = vpaddq_u8(bits, bits)
    let halves = vpaddq_u8(fours, fours)
    return vreinterpretq_u16_u8(vpaddq_u8(halves, halves))[0]
  }
#endif
