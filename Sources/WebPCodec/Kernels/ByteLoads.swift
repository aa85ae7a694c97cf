// Loads of eight bytes for the refills of the bit readers.

/// Returns the eight bytes from `index` on, the first one least significant.
@inline(__always)
func loadLittleEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes are there")
  // SAFETY: in bounds by the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}

/// Returns the eight bytes from `index` on, the first one most significant.
@inline(__always)
func loadBigEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes are there")
  // SAFETY: in bounds by the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}
