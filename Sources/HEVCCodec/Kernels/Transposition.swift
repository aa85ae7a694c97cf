// Rows become columns.

internal import VectorLanes

/// Eight rows of eight lanes.
struct WordSquare {
  var r0, r1, r2, r3, r4, r5, r6, r7: SIMD8<Int16>

  @inline(__always)
  init(
    _ r0: SIMD8<Int16>, _ r1: SIMD8<Int16>, _ r2: SIMD8<Int16>, _ r3: SIMD8<Int16>, _ r4: SIMD8<Int16>,
    _ r5: SIMD8<Int16>, _ r6: SIMD8<Int16>, _ r7: SIMD8<Int16>
  ) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    (self.r4, self.r5, self.r6, self.r7) = (r4, r5, r6, r7)
  }

  /// Loads rows a number of bytes apart.
  @inline(__always)
  @unsafe init(_ source: UnsafeRawPointer, pitch: Int) {
    unsafe r0 = source.loadUnaligned(as: SIMD8<Int16>.self)
    unsafe r1 = source.loadUnaligned(fromByteOffset: pitch, as: SIMD8<Int16>.self)
    unsafe r2 = source.loadUnaligned(fromByteOffset: 2 &* pitch, as: SIMD8<Int16>.self)
    unsafe r3 = source.loadUnaligned(fromByteOffset: 3 &* pitch, as: SIMD8<Int16>.self)
    unsafe r4 = source.loadUnaligned(fromByteOffset: 4 &* pitch, as: SIMD8<Int16>.self)
    unsafe r5 = source.loadUnaligned(fromByteOffset: 5 &* pitch, as: SIMD8<Int16>.self)
    unsafe r6 = source.loadUnaligned(fromByteOffset: 6 &* pitch, as: SIMD8<Int16>.self)
    unsafe r7 = source.loadUnaligned(fromByteOffset: 7 &* pitch, as: SIMD8<Int16>.self)
  }

  /// Stores rows a number of bytes apart.
  @inline(__always)
  @unsafe func store(_ target: UnsafeMutableRawPointer, pitch: Int) {
    unsafe target.storeBytes(of: r0, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r1, toByteOffset: pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r2, toByteOffset: 2 &* pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r3, toByteOffset: 3 &* pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r4, toByteOffset: 4 &* pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r5, toByteOffset: 5 &* pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r6, toByteOffset: 6 &* pitch, as: SIMD8<Int16>.self)
    unsafe target.storeBytes(of: r7, toByteOffset: 7 &* pitch, as: SIMD8<Int16>.self)
  }

  @inline(__always)
  func transposed() -> WordSquare {
    let (a0, a1) = (interleaveLow16(r0, r1), interleaveHigh16(r0, r1))
    let (a2, a3) = (interleaveLow16(r2, r3), interleaveHigh16(r2, r3))
    let (a4, a5) = (interleaveLow16(r4, r5), interleaveHigh16(r4, r5))
    let (a6, a7) = (interleaveLow16(r6, r7), interleaveHigh16(r6, r7))
    let (b0, b1) = (interleaveLow32(a0, a2), interleaveHigh32(a0, a2))
    let (b2, b3) = (interleaveLow32(a1, a3), interleaveHigh32(a1, a3))
    let (b4, b5) = (interleaveLow32(a4, a6), interleaveHigh32(a4, a6))
    let (b6, b7) = (interleaveLow32(a5, a7), interleaveHigh32(a5, a7))
    return WordSquare(
      interleaveLow64(b0, b4), interleaveHigh64(b0, b4), interleaveLow64(b1, b5), interleaveHigh64(b1, b5),
      interleaveLow64(b2, b6), interleaveHigh64(b2, b6), interleaveLow64(b3, b7), interleaveHigh64(b3, b7))
  }
}

/// Transposes a block whose rows are 32 samples apart.
@inline(__always)
@unsafe func transposeBlock(
  _ source: UnsafeMutablePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, stride: Int, size: Int
) {
  if size == 4 {
    for y in 0..<4 {
      let row = unsafe target + y &* stride
      unsafe row[0] = unsafe source[y]
      unsafe row[1] = unsafe source[32 + y]
      unsafe row[2] = unsafe source[64 + y]
      unsafe row[3] = unsafe source[96 + y]
    }
    return
  }
  var y = 0
  while y < size {
    var x = 0
    while x < size {
      let square = unsafe WordSquare(UnsafeRawPointer(source + (x &* 32 &+ y)), pitch: 64).transposed()
      unsafe square.store(UnsafeMutableRawPointer(target + (y &* stride &+ x)), pitch: 2 &* stride)
      x &+= 8
    }
    y &+= 8
  }
}
