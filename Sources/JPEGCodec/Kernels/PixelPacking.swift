// Rows of interleaved bytes from one pixel size to another: four bytes to three, one to four.

/// Drops the fourth byte of every pixel.
///
/// - Parameters:
///   - pixels: `pixelCount` pixels of four bytes.
///   - output: `pixelCount` pixels of three bytes.
package func dropFourthBytes(_ pixels: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && pixels.count >= pixelCount &* 4 && output.count >= pixelCount &* 3,
    "the rows hold the pixels")
  unsafe pixels.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { target in
      guard let input = source.baseAddress, let row = target.baseAddress else { return }
      // SAFETY: eight pixels are 32 bytes of input and 24 of output, both within the rows by the precondition.
      @inline(__always) func load(_ offset: Int) -> UInt64 {
        let two = unsafe UInt64(littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return (two & 0xFF_FFFF) | ((two &>> 8) & 0xFFFF_FF00_0000)
      }
      var pixel = 0
      while pixel &+ 8 <= pixelCount {
        let a = load(pixel &* 4)
        let b = load(pixel &* 4 &+ 8)
        let c = load(pixel &* 4 &+ 16)
        let d = load(pixel &* 4 &+ 24)
        let to = pixel &* 3
        unsafe row.storeBytes(of: (a | (b &<< 48)).littleEndian, toByteOffset: to, as: UInt64.self)
        unsafe row.storeBytes(of: ((b &>> 16) | (c &<< 32)).littleEndian, toByteOffset: to &+ 8, as: UInt64.self)
        unsafe row.storeBytes(of: ((c &>> 32) | (d &<< 16)).littleEndian, toByteOffset: to &+ 16, as: UInt64.self)
        pixel &+= 8
      }
      while pixel < pixelCount {
        for byte in 0..<3 {
          unsafe row.storeBytes(
            of: input.load(fromByteOffset: pixel &* 4 &+ byte, as: UInt8.self), toByteOffset: pixel &* 3 &+ byte,
            as: UInt8.self)
        }
        pixel &+= 1
      }
    }
  }
}

/// Three times a gray sample, then 255.
///
/// - Parameters:
///   - samples: `pixelCount` samples.
///   - output: `pixelCount` pixels of four bytes.
package func spreadGraySamples(_ samples: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && samples.count >= pixelCount && output.count >= pixelCount &* 4,
    "the rows hold the pixels")
  unsafe samples.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { target in
      guard let input = source.baseAddress, let row = target.baseAddress else { return }
      // SAFETY: sixteen samples are 64 bytes of output, both within the rows by the precondition.
      func words(_ vector: SIMD16<UInt8>) -> SIMD8<Int16> { unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self) }
      let opaque = SIMD16<UInt8>(repeating: 255)
      var pixel = 0
      while pixel &+ 16 <= pixelCount {
        let gray = unsafe input.loadUnaligned(fromByteOffset: pixel, as: SIMD16<UInt8>.self)
        let low = words(interleaveLow8(gray, gray))
        let high = words(interleaveHigh8(gray, gray))
        let lowAlpha = words(interleaveLow8(gray, opaque))
        let highAlpha = words(interleaveHigh8(gray, opaque))
        let to = unsafe row + pixel &* 4
        unsafe to.storeBytes(of: interleaveLow16(low, lowAlpha), as: SIMD8<Int16>.self)
        unsafe to.storeBytes(of: interleaveHigh16(low, lowAlpha), toByteOffset: 16, as: SIMD8<Int16>.self)
        unsafe to.storeBytes(of: interleaveLow16(high, highAlpha), toByteOffset: 32, as: SIMD8<Int16>.self)
        unsafe to.storeBytes(of: interleaveHigh16(high, highAlpha), toByteOffset: 48, as: SIMD8<Int16>.self)
        pixel &+= 16
      }
      while pixel < pixelCount {
        let gray = unsafe UInt32(input.load(fromByteOffset: pixel, as: UInt8.self))
        unsafe row.storeBytes(
          of: (gray &* 0x01_0101 | 0xFF00_0000).littleEndian, toByteOffset: pixel &* 4, as: UInt32.self)
        pixel &+= 1
      }
    }
  }
}
