// Conversion of rows of interleaved bytes between pixel sizes: four bytes to three, one to four.

internal import VectorLanes

/// Drops the fourth byte of every pixel. Words are little-endian, as on all platforms that have these vectors.
///
/// - Parameters:
///   - pixels: at least `pixelCount` pixels of four bytes.
///   - output: receives `pixelCount` pixels of three bytes.
package func dropFourthBytes(_ pixels: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && pixels.count >= pixelCount &* 4 && output.count >= pixelCount &* 3,
    "a row is too short")
  unsafe pixels.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { target in
      guard let input = source.baseAddress, let row = target.baseAddress else { return }
      // SAFETY: four pixels are 16 bytes of input. Storing them writes up to four bytes after their twelve, which the next
      // store or the loop below overwrites: two pixels follow, so that these bytes are within the row.
      var pixel = 0
      while pixel &+ 18 <= pixelCount {
        for quad in 0..<4 {
          let four = unsafe input.loadUnaligned(fromByteOffset: pixel &* 4 &+ quad &* 16, as: UInt8x16.self)
          unsafe storeWithoutFourthBytes(four, to: row + (pixel &* 3 &+ quad &* 12))
        }
        pixel &+= 16
      }
      while pixel &+ 6 <= pixelCount {
        let four = unsafe input.loadUnaligned(fromByteOffset: pixel &* 4, as: UInt8x16.self)
        unsafe storeWithoutFourthBytes(four, to: row + pixel &* 3)
        pixel &+= 4
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

/// Repeats each gray sample three times, followed by 255.
///
/// - Parameters:
///   - samples: at least `pixelCount` samples.
///   - output: receives `pixelCount` pixels of four bytes.
package func spreadGraySamples(_ samples: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && samples.count >= pixelCount && output.count >= pixelCount &* 4,
    "a row is too short")
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
