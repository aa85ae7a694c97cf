// Native-endian 16-bit samples within byte rows. The compiler reduces each access to a single load or store.

/// Returns the native-endian 16-bit sample at a byte offset.
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

/// Returns the native-endian 32-bit sample at a byte offset.
@inlinable @inline(__always)
package func nativeUInt32(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
  let low = UInt32(bytes[offset]) | UInt32(bytes[offset &+ 1]) &<< 8
  let high = UInt32(bytes[offset &+ 2]) | UInt32(bytes[offset &+ 3]) &<< 8
  return UInt32(littleEndian: low | high &<< 16)
}

/// Stores a native-endian 32-bit sample at a byte offset.
@inlinable @inline(__always)
package func storeNativeUInt32(_ value: UInt32, into bytes: inout MutableSpan<UInt8>, at offset: Int) {
  let stored = value.littleEndian
  bytes[offset] = UInt8(truncatingIfNeeded: stored)
  bytes[offset &+ 1] = UInt8(truncatingIfNeeded: stored &>> 8)
  bytes[offset &+ 2] = UInt8(truncatingIfNeeded: stored &>> 16)
  bytes[offset &+ 3] = UInt8(truncatingIfNeeded: stored &>> 24)
}
