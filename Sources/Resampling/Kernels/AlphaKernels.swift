// Premultiplication of RGBA rows, four pixels at a time.

internal import VectorLanes

private typealias Pixels = SIMD4<UInt32>

/// Copies all whole groups of four pixels of four bytes and multiplies colour by alpha, rounded to nearest.
///
/// - Returns: the number of bytes that were copied.
func premultiplyGroups(_ row: Span<UInt8>, into target: inout MutableSpan<UInt8>) -> Int {
  precondition(row.count <= target.count, "the target row is too short")
  let byteCount = row.count & ~15
  // SAFETY: sixteen bytes are read and written at each multiple of sixteen below `byteCount`, which exceeds neither
  // span.
  unsafe row.withUnsafeBytes { source in
    unsafe target.withUnsafeMutableBytes { target in
      var index = 0
      while index < byteCount {
        let pixels = unsafe Pixels(littleEndian: source.loadUnaligned(fromByteOffset: index, as: Pixels.self))
        unsafe target.storeBytes(of: premultiplied(pixels).littleEndian, toByteOffset: index, as: Pixels.self)
        index &+= 16
      }
    }
  }
  return byteCount
}

/// The products of two samples of each pixel are in the halves of a lane: 255 · 255 + 128 fits in 16 bits, and so do
/// the carries. Alpha is multiplied by 255, which leaves it unchanged.
@inline(__always)
private func premultiplied(_ pixels: Pixels) -> Pixels {
  let alpha = pixels &>> 24
  let low = Pixels(repeating: 0xFF00FF)
  let outer = quotients(pixels & low, alpha | alpha &<< 16)
  let inner = quotients(pixels &>> 8 & low, alpha | Pixels(repeating: 255 << 16))
  return outer | inner &<< 8
}

/// Products of 16-bit halves divided by 255, rounded to nearest.
@inline(__always)
private func quotients(_ samples: Pixels, _ factors: Pixels) -> Pixels {
  // SAFETY (all casts): both types have 16 bytes, and every bit pattern is valid.
  let products = unsafe unsafeBitCast(samples, to: UInt16x8.self) &* unsafeBitCast(factors, to: UInt16x8.self)
  let sums = products &+ UInt16x8(repeating: 128)
  return unsafe unsafeBitCast((sums &+ sums &>> 8) &>> 8, to: Pixels.self)
}

extension SIMD4<UInt32> {
  /// The lanes in the byte order of files; and back.
  fileprivate init(littleEndian lanes: Self) { self = lanes.littleEndian }

  fileprivate var littleEndian: Self {
    #if _endian(little)
      self
    #else
      Self(x.littleEndian, y.littleEndian, z.littleEndian, w.littleEndian)
    #endif
  }
}
