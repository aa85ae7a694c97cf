// Eight bytes of a stream at once, for the arithmetic decoder.

/// Eight bytes from `index` on, the first one in the most significant place; zeros from eight bytes before the end on.
@inline(__always)
func loadBigEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  guard index >= 0, index <= bytes.count &- 8 else { return 0 }
  // SAFETY: the guard; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}
