// A load of eight bytes for bit readers that start at the most significant bit.

/// Loads eight bytes starting at `index`, the first one in the most significant position.
@inline(__always)
func loadBigEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "fewer than eight bytes remain")
  // SAFETY: the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(
    bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}
