// Shared by the filter kernels: the check that two rows are within a strip, and loads and stores of whole pixels.

/// Checks what every kernel relies on: both rows are within the strip, the row above comes first, and pixels are whole.
@inline(__always)
func checkRows(_ strip: borrowing MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  precondition(
    prior >= 0 && count >= 0 && distance >= 1 && distance <= 8 && prior &+ count <= row && row &+ count <= strip.count
      && count % distance == 0,
    "the rows are outside the strip")
}

/// Loads eight bytes, the first one lowest.
@inline(__always)
func loadEight(_ pointer: UnsafeMutablePointer<UInt8>) -> UInt64 {
  // SAFETY: callers prove that eight bytes are readable.
  unsafe UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
}

/// Loads four bytes, the first one lowest.
@inline(__always)
func loadFour(_ pointer: UnsafeMutablePointer<UInt8>) -> UInt64 {
  // SAFETY: callers prove that four bytes are readable.
  unsafe UInt64(UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self)))
}

/// Stores the low `count` bytes: 3, 4, 6 or 8.
@inline(__always)
func storePixel(_ bytes: UInt64, count: Int, to pointer: UnsafeMutablePointer<UInt8>) {
  // SAFETY: callers prove that `count` bytes are writable.
  let raw = UnsafeMutableRawPointer(pointer)
  let first = UInt32(truncatingIfNeeded: bytes)
  switch count {
  case 8: unsafe raw.storeBytes(of: bytes.littleEndian, as: UInt64.self)
  case 6:
    unsafe raw.storeBytes(of: first.littleEndian, as: UInt32.self)
    unsafe raw.storeBytes(
      of: UInt16(truncatingIfNeeded: bytes &>> 32).littleEndian, toByteOffset: 4, as: UInt16.self)
  case 4: unsafe raw.storeBytes(of: first.littleEndian, as: UInt32.self)
  default:
    unsafe raw.storeBytes(of: UInt16(truncatingIfNeeded: first).littleEndian, as: UInt16.self)
    unsafe raw.storeBytes(of: UInt8(truncatingIfNeeded: first &>> 16), toByteOffset: 2, as: UInt8.self)
  }
}
