// Byte storage viewed as 16-bit samples.

/// Views the bytes of a row as native-endian 16-bit samples.
@_lifetime(copy bytes)
package func samples16(of bytes: Span<UInt8>) -> Span<UInt16> {
  precondition(bytes.count % 2 == 0, "a row of 16-bit samples has an odd number of bytes")
  // SAFETY: UInt16 is trivial and every bit pattern is valid. Array storage is 16-byte aligned and every row of a
  // 16-bit format starts at an even offset, which Span checks again.
  return unsafe Span<UInt16>(_bytes: bytes.bytes)
}

/// Calls a closure that writes the bytes of a row as native-endian 16-bit samples.
package func withMutableSamples16<Result, Failure: Error>(
  of bytes: inout MutableSpan<UInt8>, _ body: (inout MutableSpan<UInt16>) throws(Failure) -> Result
) throws(Failure) -> Result {
  precondition(bytes.count % 2 == 0, "a row of 16-bit samples has an odd number of bytes")
  // SAFETY: as for `samples16(of:)`. Access to the bytes is exclusive during the call, and the samples do not escape
  // it.
  return try unsafe bytes.withUnsafeMutableBytes { (raw) throws(Failure) in
    var samples = unsafe MutableSpan<UInt16>(_unsafeBytes: raw)
    return try body(&samples)
  }
}
