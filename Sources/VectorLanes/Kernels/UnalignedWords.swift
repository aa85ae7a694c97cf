// Loads and stores of whole words at any byte of a stream, for bit readers, bit writers and the search for matches.

/// Loads four bytes starting at `index`, the first one in the least significant position.
@inlinable @inline(__always)
package func loadLittleEndian32(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
  precondition(index >= 0 && index <= bytes.count &- 4, "fewer than four bytes remain")
  // SAFETY: in range by the precondition; UInt32 is trivial and the load needs no alignment.
  return unsafe UInt32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt32.self))
}

/// Loads eight bytes starting at `index`, the first one in the least significant position.
@inlinable @inline(__always)
package func loadLittleEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "fewer than eight bytes remain")
  // SAFETY: in range by the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
}

/// Loads eight bytes starting at `index`, the first one in the most significant position.
@inlinable @inline(__always)
package func loadBigEndian64(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
  precondition(index >= 0 && index <= bytes.count &- 8, "fewer than eight bytes remain")
  // SAFETY: in range by the precondition; UInt64 is trivial and the load needs no alignment.
  return unsafe UInt64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
}

/// Stores eight bytes starting at `index`, the least significant one first.
@inlinable @inline(__always)
package func storeLittleEndian64(_ value: UInt64, into bytes: inout MutableSpan<UInt8>, at index: Int) {
  precondition(index >= 0 && index <= bytes.count &- 8, "there is no room for eight bytes")
  // SAFETY: in range by the precondition; UInt64 is trivial and the store needs no alignment.
  unsafe bytes.withUnsafeMutableBytes {
    unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: index, as: UInt64.self)
  }
}

/// Stores eight bytes starting at `index`, the most significant one first.
@inlinable @inline(__always)
package func storeBigEndian64(_ value: UInt64, into bytes: inout MutableSpan<UInt8>, at index: Int) {
  storeLittleEndian64(value.byteSwapped, into: &bytes, at: index)
}
