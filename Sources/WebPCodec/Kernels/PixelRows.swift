// Rows of pixels from 32-bit words to bytes.

internal import PixelPlanes
internal import VectorLanes

/// Stores pixels as bytes. In a word, alpha is the most significant byte, followed by red, green and blue.
///
/// - Parameter output: has four bytes per pixel.
func storePixels(_ pixels: Span<UInt32>, _ order: FourByteOrder, into output: inout MutableSpan<UInt8>) {
  precondition(output.count / 4 >= pixels.count, "the output row is too short")
  // SAFETY: every store has four bytes at four times the index of a pixel, which is within the output, as checked.
  unsafe output.withUnsafeMutableBytes { bytes in
    switch order {
    case .rgba:
      for index in pixels.indices {
        let color = pixels[index]
        let swapped = (color & 0xFF00_FF00) | (color &>> 16) & 0xFF | (color & 0xFF) &<< 16
        unsafe bytes.storeBytes(of: swapped.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
      }
    case .bgra:
      for index in pixels.indices {
        unsafe bytes.storeBytes(of: pixels[index].littleEndian, toByteOffset: index &* 4, as: UInt32.self)
      }
    }
  }
}

/// Replaces the fourth bytes of pixels.
///
/// - Parameter output: has four bytes for each sample.
package func replaceFourthBytes(of output: inout MutableSpan<UInt8>, with samples: Span<UInt8>) {
  let count = samples.count
  precondition(output.count / 4 >= count, "the output row is too short")
  var index = 0
  unsafe output.withUnsafeMutableBytes { target in
    unsafe samples.withUnsafeBytes { source in
      let zero = UInt8x16()
      while count >= 16, index < count {
        // The last sixteen pixels overlap those before them.
        index = min(index, count &- 16)
        // SAFETY: sixteen samples and 64 bytes of output exist from `index` on; the casts are between types of 16 bytes
        // of which every bit pattern is valid.
        let alpha = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt8x16.self)
        let low = unsafe unsafeBitCast(interleaveLow8(zero, alpha), to: Int16x8.self)
        let high = unsafe unsafeBitCast(interleaveHigh8(zero, alpha), to: Int16x8.self)
        let pixels = unsafe target.baseAddress.map { unsafe $0 + index &* 4 }
        guard let pixels = unsafe pixels else { return }
        unsafe replaceFourthBytes(pixels, interleaveLow16(Int16x8(), low))
        unsafe replaceFourthBytes(pixels + 16, interleaveHigh16(Int16x8(), low))
        unsafe replaceFourthBytes(pixels + 32, interleaveLow16(Int16x8(), high))
        unsafe replaceFourthBytes(pixels + 48, interleaveHigh16(Int16x8(), high))
        index &+= 16
      }
    }
  }
  while index < count {
    output[index &* 4 &+ 3] = samples[index]
    index &+= 1
  }
}

/// Replaces the fourth bytes of four pixels by those of `alpha`, whose other bytes are zero.
@inline(__always)
@unsafe private func replaceFourthBytes(_ pixels: UnsafeMutableRawPointer, _ alpha: Int16x8) {
  // SAFETY: the caller proves that four pixels exist; both types have 16 bytes, and every bit pattern is valid.
  let alpha = unsafe unsafeBitCast(alpha, to: SIMD4<UInt32>.self)
  let colors = unsafe pixels.loadUnaligned(as: SIMD4<UInt32>.self) & SIMD4(repeating: UInt32(0x00FF_FFFF).littleEndian)
  unsafe pixels.storeBytes(of: colors | alpha, as: SIMD4<UInt32>.self)
}
