// Converts rows of 8-bit pixels between layouts, with one four-byte load and store per pixel.

@inline(__always)
private func load(_ pointer: UnsafePointer<UInt8>) -> UInt32 {
  // SAFETY: callers prove that four bytes are readable.
  unsafe UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
}

@inline(__always)
private func store(_ pixel: UInt32, to pointer: UnsafeMutablePointer<UInt8>) {
  // SAFETY: callers prove that four bytes are writable.
  unsafe UnsafeMutableRawPointer(pointer).storeBytes(of: pixel.littleEndian, as: UInt32.self)
}

/// RGB → RGBA, opaque. `output` holds four bytes for each three of `input`.
package func appendOpaqueAlpha(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 3
  precondition(pixelCount * 4 <= output.count, "the output row is too short")
  // SAFETY: every load except the last pixel's also reads one byte of the next pixel; the last pixel is assembled
  // bytewise. All stores are within pixelCount * 4 bytes, as checked.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard pixelCount > 0, let from = source.baseAddress, let to = target.baseAddress else { return }
      var pixel = 0
      while pixel < pixelCount &- 1 {
        unsafe store(load(from + pixel &* 3) | 0xFF00_0000, to: to + pixel &* 4)
        pixel &+= 1
      }
      let last = unsafe from + pixel &* 3
      let color = unsafe UInt32(last[0]) | UInt32(last[1]) &<< 8 | UInt32(last[2]) &<< 16
      unsafe store(color | 0xFF00_0000, to: to + pixel &* 4)
    }
  }
}

/// RGBA → RGB, discarding alpha. `output` holds three bytes for each four of `input`.
func dropAlpha(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 4
  precondition(pixelCount * 3 <= output.count, "the output row is too short")
  // SAFETY: every store except the last pixel's also writes one byte of the next pixel, which is stored afterwards; the
  // last pixel is written bytewise. All loads are within pixelCount * 4 bytes.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard pixelCount > 0, let from = source.baseAddress, let to = target.baseAddress else { return }
      var pixel = 0
      while pixel < pixelCount &- 1 {
        unsafe store(load(from + pixel &* 4), to: to + pixel &* 3)
        pixel &+= 1
      }
      for byte in 0..<3 { unsafe to[pixel &* 3 &+ byte] = from[pixel &* 4 &+ byte] }
    }
  }
}

/// Gray → RGBA or BGRA, opaque. `output` holds four bytes for each byte of `input`.
func spreadGray(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count
  precondition(pixelCount * 4 <= output.count, "the output row is too short")
  // SAFETY: all stores are within pixelCount * 4 bytes, as checked.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      var pixel = 0
      while pixel < pixelCount {
        unsafe store(UInt32(from[pixel]) &* 0x01_0101 | 0xFF00_0000, to: to + pixel &* 4)
        pixel &+= 1
      }
    }
  }
}

/// RGBA ↔ BGRA. `output` holds as many bytes as `input`.
func exchangeRedAndBlue(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 4
  precondition(pixelCount * 4 <= output.count, "the output row is too short")
  // SAFETY: all loads and stores are within pixelCount * 4 bytes, as checked.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      var pixel = 0
      while pixel < pixelCount {
        let color = unsafe load(from + pixel &* 4)
        let exchanged = color & 0xFF00_FF00 | (color &>> 16) & 0xFF | (color & 0xFF) &<< 16
        unsafe store(exchanged, to: to + pixel &* 4)
        pixel &+= 1
      }
    }
  }
}

/// Premultiplied RGBA → straight RGBA. `output` holds as many bytes as `input`.
func divideByAlpha(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  let pixelCount = input.count / 4
  precondition(pixelCount * 4 <= output.count, "the output row is too short")
  // SAFETY: all loads and stores are within pixelCount * 4 bytes, as checked.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      var pixel = 0
      while pixel < pixelCount {
        var word = unsafe load(from + pixel &* 4)
        let alpha = word &>> 24
        // Most pixels are opaque or clear, and need no division.
        if alpha == 0 {
          word = 0
        } else if alpha < 255 {
          let red = PixelArithmetic.unpremultiply(word & 255, alpha, maximum: 255)
          let green = PixelArithmetic.unpremultiply((word &>> 8) & 255, alpha, maximum: 255)
          let blue = PixelArithmetic.unpremultiply((word &>> 16) & 255, alpha, maximum: 255)
          word = red | green &<< 8 | blue &<< 16 | alpha &<< 24
        }
        unsafe store(word, to: to + pixel &* 4)
        pixel &+= 1
      }
    }
  }
}

/// Copies `input` to the start of `output`.
package func copyBytes(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  precondition(input.count <= output.count, "the output row is too short")
  // SAFETY: the output is at least as long as the input, as checked.
  unsafe input.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { target in unsafe target.copyMemory(from: source) }
  }
}
