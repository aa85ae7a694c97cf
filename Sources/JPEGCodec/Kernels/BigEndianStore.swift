// Stores eight bytes of a stream at once, for the bit writer.

/// Stores eight bytes starting at `index`, the most significant one first.
@inline(__always)
package func storeBigEndian64(_ value: UInt64, into bytes: inout MutableSpan<UInt8>, at index: Int) {
  precondition(index >= 0 && index <= bytes.count &- 8, "there is no room for eight bytes")
  // SAFETY: in range by the precondition; UInt64 is trivial and the store needs no alignment.
  unsafe bytes.withUnsafeMutableBytes {
    unsafe $0.storeBytes(of: value.bigEndian, toByteOffset: index, as: UInt64.self)
  }
}
