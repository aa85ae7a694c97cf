// The operations on processors for which there are no instructions in Kernels/: the definitions.

#if !(arch(x86_64) || arch(arm64)) || !canImport(_Builtin_intrinsics) || PORTABLE_KERNELS
  @inlinable @inline(__always)
  package func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturating(_ a: Words, _ b: Words) -> Words {
    PortableVector.addSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.addSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturating(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    PortableVector.subtractSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.subtractSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.averageRoundingUp(a, b)
  }
  @inlinable @inline(__always)
  package func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    PortableVector.sumOfDifferences(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    PortableVector.multiplyHigh(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyHighUnsigned(_ a: UnsignedWords, _ b: UnsignedWords) -> UnsignedWords {
    PortableVector.multiplyHighUnsigned(a, b)
  }
  @inlinable @inline(__always)
  package func multiplyAddPairs(_ a: Words, _ b: Words) -> DoubleWords {
    PortableVector.multiplyAddPairs(a, b)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: Words, by count: Int32) -> Words {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: DoubleWords, by count: Int32) -> DoubleWords {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func shiftRight(_ a: UnsignedWords, by count: Int32) -> UnsignedWords {
    PortableVector.shiftRight(a, by: count)
  }
  @inlinable @inline(__always)
  package func vector(of value: Int16) -> Words {
    PortableVector.vector(of: value)
  }
  @inlinable @inline(__always)
  package func truncate(_ a: Floats) -> DoubleWords {
    PortableVector.truncate(a)
  }
  @inlinable @inline(__always)
  package func convertToFloat(_ a: DoubleWords) -> Floats {
    PortableVector.convertToFloat(a)
  }
  @inlinable @inline(__always)
  package func packSaturating(_ a: DoubleWords, _ b: DoubleWords) -> Words {
    PortableVector.packSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    PortableVector.packSaturatingSigned(a, b)
  }
  @inlinable @inline(__always)
  package func packUnsignedSaturating(_ a: Words, _ b: Words) -> Bytes {
    PortableVector.packUnsignedSaturating(a, b)
  }
  @inlinable @inline(__always)
  package func widenLow(_ a: Bytes) -> Words {
    PortableVector.widenLow(a)
  }
  @inlinable @inline(__always)
  package func widenHigh(_ a: Bytes) -> Words {
    PortableVector.widenHigh(a)
  }
  @inlinable @inline(__always)
  package func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.interleaveLow8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.interleaveHigh8(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh16(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh32(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveLow64(a, b)
  }
  @inlinable @inline(__always)
  package func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    PortableVector.interleaveHigh64(a, b)
  }
  @inlinable @inline(__always)
  package func minimum(_ a: Words, _ b: Words) -> Words {
    PortableVector.minimum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func maximum(_ a: Words, _ b: Words) -> Words {
    PortableVector.maximum(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Bytes, _ b: Bytes) -> Bytes {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isEqual(_ a: Words, _ b: Words) -> Words {
    PortableVector.isEqual(a, b)
  }
  @inlinable @inline(__always)
  package func isGreater(_ a: Words, _ b: Words) -> Words {
    PortableVector.isGreater(a, b)
  }
  @inlinable @inline(__always)
  package func zeroLanes(_ a: Words, _ b: Words) -> UInt16 {
    PortableVector.zeroLanes(a, b)
  }
#endif
