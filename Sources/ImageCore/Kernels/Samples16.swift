// Views of byte storage as 16-bit samples.

/// The bytes of a row seen as native-endian 16-bit samples.
@_lifetime(copy bytes)
package func samples16(of bytes: Span<UInt8>) -> Span<UInt16> {
  precondition(bytes.count % 2 == 0, "a row of 16-bit samples has an even number of bytes")
  // SAFETY: UInt16 is trivial and every bit pattern is valid; array storage is 16-aligned and every row of a 16-bit
  // format starts at an even offset, which Span checks again.
  return unsafe Span<UInt16>(_bytes: bytes.bytes)
}
