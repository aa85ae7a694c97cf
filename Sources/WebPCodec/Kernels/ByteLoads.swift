// Eight bytes of a stream at once, for the refills of the bit readers.

/// Eight bytes from `index` on, the first one in the least significant place.
@inline(__always)
func loadLittleEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes are there")
  // SAFETY: the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}

/// Eight bytes from `index` on, the first one in the most significant place.
@inline(__always)
func loadBigEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "eight bytes are there")
  // SAFETY: the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
}
