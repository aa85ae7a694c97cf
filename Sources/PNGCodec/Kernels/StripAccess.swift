// Shared by the filter kernels: the check that two rows are within a strip, and loads and stores of whole pixels.

/// Checks what every kernel relies on: both rows are within the strip, the row above comes first, and pixels are whole.
@inline(__always)
func checkRows(_ strip: borrowing MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  precondition(
    prior >= 0 && count >= 0 && distance >= 1 && distance <= 8 && prior &+ count <= row && row &+ count <= strip.count
      && count % distance == 0,
    "the rows are outside the strip")
}

/// The number of bytes that are loaded and stored for a pixel of 3, 4, 6 or 8 bytes.
@inline(__always)
func wordByteCount(distance: Int) -> Int { distance <= 4 ? 4 : 8 }

/// Ones in the bytes of a word that belong to the pixel, the first one lowest.
@inline(__always)
func pixelMask(distance: Int) -> UInt64 { .max &>> UInt64(64 &- 8 &* distance) }

/// Loads the word of a pixel, the first byte lowest.
@inline(__always)
func loadPixel(_ pointer: UnsafeMutablePointer<UInt8>, distance: Int) -> UInt64 {
  // SAFETY: callers prove that the word is readable.
  let raw = UnsafeRawPointer(pointer)
  return unsafe distance <= 4
    ? UInt64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
    : UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
}

/// Stores the word of a pixel.
@inline(__always)
func storePixel(_ word: UInt64, distance: Int, to pointer: UnsafeMutablePointer<UInt8>) {
  // SAFETY: callers prove that the word is writable.
  let raw = UnsafeMutableRawPointer(pointer)
  if distance <= 4 {
    unsafe raw.storeBytes(of: UInt32(truncatingIfNeeded: word).littleEndian, as: UInt32.self)
  } else {
    unsafe raw.storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}

/// Replaces the pixels of a row from left to right by `body` of their words, as long as the next one can be loaded. Bytes
/// that do not belong to the pixel are ignored. Returns the index of the first byte that is not replaced.
@inline(__always)
func replacePixels(
  _ row: UnsafeMutablePointer<UInt8>, count: Int, distance: Int, _ body: (_ index: Int, _ word: UInt64) -> UInt64
) -> Int {
  let end = count &- distance &- wordByteCount(distance: distance)
  guard end >= 0 else { return 0 }
  let mask = pixelMask(distance: distance)
  let isWhole = distance == wordByteCount(distance: distance)
  // SAFETY: the words of the pixel and of the one that follows are in the row.
  var index = 0
  var next = unsafe loadPixel(row, distance: distance)
  while index <= end {
    let word = unsafe isWhole ? loadPixel(row + index, distance: distance) : next
    // Bytes of the next word that are stored again are loaded before: a load of bytes that are being stored waits.
    if !isWhole { next = unsafe loadPixel(row + (index &+ distance), distance: distance) }
    let result = body(index, word)
    unsafe storePixel(result & mask | word & ~mask, distance: distance, to: row + index)
    index &+= distance
  }
  return index
}
