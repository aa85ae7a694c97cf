// Rows of pixels from 32-bit words to bytes.

internal import PixelPlanes

/// Stores pixels as bytes. In a word, alpha is the most significant byte, followed by red, green and blue.
///
/// - Parameter output: has four bytes per pixel.
func storePixels(_ pixels: Span<UInt32>, _ order: FourByteOrder, into output: inout MutableSpan<UInt8>) {
  precondition(output.count / 4 >= pixels.count, "the row does not fit")
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

/// Replaces the first three bytes of every four by those of other pixels.
func replaceColors(of output: inout MutableSpan<UInt8>, with colors: Span<UInt8>) {
  let count = colors.count / 4
  precondition(output.count / 4 >= count, "the row does not fit")
  // SAFETY: all loads and stores have four bytes at four times an index below `count`, which are within both buffers.
  unsafe output.withUnsafeMutableBytes { target in
    unsafe colors.withUnsafeBytes { source in
      var offset = 0
      while offset < count &* 4 {
        let color = unsafe UInt32(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let old = unsafe UInt32(littleEndian: target.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let merged = color & 0x00FF_FFFF | old & 0xFF00_0000
        unsafe target.storeBytes(of: merged.littleEndian, toByteOffset: offset, as: UInt32.self)
        offset &+= 4
      }
    }
  }
}
