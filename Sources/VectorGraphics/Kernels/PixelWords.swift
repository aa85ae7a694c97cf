// Views of pixel bytes as one 32-bit word a pixel, red in the lowest byte. On big-endian machines the order of the
// samples within a word would be reversed; no platform of this package is one.

/// Runs `body` over pixels as words.
@inline(__always)
func withPixelWords<Result>(
  _ bytes: inout [UInt8], _ body: (inout MutableSpan<UInt32>) -> Result
) -> Result {
  precondition(bytes.count % 4 == 0, "a pixel has four bytes")
  return unsafe bytes.withUnsafeMutableBytes { buffer in
    // SAFETY: UInt32 is trivial and every bit pattern is valid; array storage is 16-aligned and the count is a whole
    // number of words. The span does not leave the closure.
    var words = unsafe MutableSpan<UInt32>(_unsafeBytes: buffer)
    return body(&words)
  }
}

/// The pixels as words.
@_lifetime(copy bytes)
func pixelWords(of bytes: Span<UInt8>) -> Span<UInt32> {
  precondition(bytes.count % 4 == 0, "a pixel has four bytes")
  // SAFETY: UInt32 is trivial and every bit pattern is valid; the storage of layers is 16-aligned and every pixel starts
  // at a multiple of four, which Span checks again.
  return unsafe Span<UInt32>(_bytes: bytes.bytes)
}
