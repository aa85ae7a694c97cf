// Pixel bytes viewed as one 32-bit word per pixel, red in the lowest byte. On a big-endian machine the samples within a
// word would be reversed; no supported platform is big-endian.

/// Calls `body` with the pixels as words.
@inline(__always)
func withPixelWords<Result>(
  _ bytes: inout [UInt8], _ body: (inout MutableSpan<UInt32>) -> Result
) -> Result {
  precondition(bytes.count % 4 == 0, "the byte count is not a multiple of four")
  // SAFETY: array storage is 16-byte aligned and the count is a whole number of words.
  return unsafe bytes.withUnsafeMutableBytes { unsafe withPixelWords(of: $0, body) }
}

/// Calls `body` with the pixels in some memory as words. The caller ensures that it is aligned, a whole number of words,
/// and accessed by nothing else.
@unsafe
@inline(__always)
func withPixelWords<Result>(
  of memory: UnsafeMutableRawBufferPointer, _ body: (inout MutableSpan<UInt32>) -> Result
) -> Result {
  // SAFETY: UInt32 is trivial and every bit pattern is valid. The span does not escape the call.
  var words = unsafe MutableSpan<UInt32>(_unsafeBytes: memory)
  return body(&words)
}

/// Views the pixels as words.
@_lifetime(copy bytes)
func pixelWords(of bytes: Span<UInt8>) -> Span<UInt32> {
  precondition(bytes.count % 4 == 0, "the byte count is not a multiple of four")
  // SAFETY: UInt32 is trivial and every bit pattern is valid. The storage of layers is 16-byte aligned and every pixel
  // starts at a multiple of four, which Span checks again.
  return unsafe Span<UInt32>(_bytes: bytes.bytes)
}
