// Pixel bytes viewed as one 32-bit word per pixel, red in the lowest byte. On a big-endian machine the samples within a
// word would be reversed; no supported platform is big-endian.

/// Calls `body` with the pixels as words.
@inline(__always)
func withPixelWords<Result>(
  _ bytes: inout [UInt8], _ body: (inout MutableSpan<UInt32>) -> Result
) -> Result {
  precondition(bytes.count % 4 == 0, "the byte count is not a multiple of four")
  return unsafe bytes.withUnsafeMutableBytes { buffer in
    // SAFETY: UInt32 is trivial and every bit pattern is valid. Array storage is 16-byte aligned and the count is a
    // whole number of words. The span does not escape the closure.
    var words = unsafe MutableSpan<UInt32>(_unsafeBytes: buffer)
    return body(&words)
  }
}

/// Views the pixels as words.
@_lifetime(copy bytes)
func pixelWords(of bytes: Span<UInt8>) -> Span<UInt32> {
  precondition(bytes.count % 4 == 0, "the byte count is not a multiple of four")
  // SAFETY: UInt32 is trivial and every bit pattern is valid. The storage of layers is 16-byte aligned and every pixel
  // starts at a multiple of four, which Span checks again.
  return unsafe Span<UInt32>(_bytes: bytes.bytes)
}
