// Native-endian 16-bit samples inside byte rows. The compiler makes one load or store of each.

/// The native-endian 16-bit sample at a byte offset.
@inlinable @inline(__always)
package func nativeUInt16(_ bytes: Span<UInt8>, at offset: Int) -> UInt16 {
  UInt16(littleEndian: UInt16(bytes[offset]) | UInt16(bytes[offset &+ 1]) &<< 8)
}

/// Stores a native-endian 16-bit sample at a byte offset.
@inlinable @inline(__always)
package func storeNativeUInt16(_ value: UInt16, into bytes: inout MutableSpan<UInt8>, at offset: Int) {
  let stored = value.littleEndian
  bytes[offset] = UInt8(truncatingIfNeeded: stored)
  bytes[offset &+ 1] = UInt8(truncatingIfNeeded: stored &>> 8)
}
