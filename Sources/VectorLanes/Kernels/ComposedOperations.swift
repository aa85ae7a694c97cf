// Operations that NEON alone has instructions for, composed of others.

#if !arch(arm64) || !canImport(_Builtin_intrinsics) || PORTABLE_KERNELS
  @inlinable @inline(__always)
  package func packSaturating(_ a: Int32x4, _ b: Int32x4, shiftedRightBy count: Int32) -> Int16x8 {
    packSaturating(shiftRight(a, by: count), shiftRight(b, by: count))
  }

  /// Stores four pixels of four bytes without the fourth byte of each: twelve bytes, and up to four bytes after them whose
  /// values mean nothing.
  @inlinable @inline(__always)
  package func storeWithoutFourthBytes(_ pixels: UInt8x16, to output: UnsafeMutableRawPointer) {
    // SAFETY: both types have 16 bytes, and every bit pattern is valid. The caller provides room for 16 bytes.
    let four = unsafe unsafeBitCast(pixels, to: SIMD2<UInt64>.self)
    let pairs = (four & 0xFF_FFFF) | ((four &>> 8) & 0xFFFF_FF00_0000)
    unsafe output.storeBytes(of: pairs[0], as: UInt64.self)
    unsafe output.storeBytes(of: pairs[1], toByteOffset: 6, as: UInt64.self)
  }
#endif
