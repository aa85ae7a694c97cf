// The arrangements of lanes on processors for which there are none in Kernels/, and on WebAssembly: the compiler makes a
// single shuffle of each definition, and C's functions for shuffles take their lanes as constants, which Swift cannot pass.

#if PORTABLE_KERNELS || !((arch(x86_64) || arch(arm64)) && canImport(_Builtin_intrinsics))
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.interleaveLow8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
    PortableVector.interleaveHigh8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveLow16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveHigh16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveLow32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveHigh32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveLow64(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
    PortableVector.interleaveHigh64(a, b)
  }
#endif
