// Rows of one picture that several threads draw at the same time, each in memory of the picture itself.

internal import Threading

/// The bands of a picture, for threads to take.
@safe package final class PictureBands: @unchecked Sendable {
  // SAFETY: each band is another part of the memory, which exists until `withBands` ends.
  private let memory: UnsafeMutableRawBufferPointer
  private let bandByteCount: Int
  /// The offset of the next band.
  private let nextStart = Mutex(0)

  fileprivate init(memory: UnsafeMutableRawBufferPointer, bandByteCount: Int) {
    unsafe self.memory = memory
    self.bandByteCount = bandByteCount
  }

  /// Returns each band once, from top to bottom, and then `nil`. Any thread may call it.
  package func takeBand() -> PictureBand? {
    let count = unsafe memory.count
    let bytes = nextStart.withLock { start in
      let bytes = start..<start + min(bandByteCount, count - start)
      start = bytes.upperBound
      return bytes
    }
    if bytes.isEmpty { return nil }
    // SAFETY: no other band has these bytes. Array storage is 16-byte aligned and bands begin at whole pixels.
    return unsafe PictureBand(
      memory: UnsafeMutableRawBufferPointer(rebasing: memory[bytes]), index: bytes.lowerBound / bandByteCount,
      picture: self)
  }
}

/// Adjacent rows of a picture, which nothing else reads or writes. The pixels are arbitrary until they are written.
@safe package final class PictureBand: @unchecked Sendable {
  // SAFETY: the memory belongs to this band alone and exists as long as it does: see `withBands`.
  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bands above this one.
  package let index: Int
  private let picture: PictureBands

  /// The number of bytes, a multiple of four.
  var byteCount: Int { unsafe memory.count }

  fileprivate init(memory: UnsafeMutableRawBufferPointer, index: Int, picture: PictureBands) {
    unsafe self.memory = memory
    self.index = index
    self.picture = picture
  }

  /// Calls `body` with the pixels as words. The caller ensures that no other call is under way.
  @inline(__always)
  func withWords<Result>(_ body: (inout MutableSpan<UInt32>) -> Result) -> Result {
    // SAFETY: the memory is aligned and a whole number of words.
    unsafe withPixelWords(of: memory, body)
  }

  /// Returns a copy of the bytes.
  func copyBytes() -> [UInt8] {
    // SAFETY: the array copies the bytes during the call.
    unsafe [UInt8](memory)
  }
}

/// Divides the memory of a picture into bands.
///
/// - Parameters:
///   - bytes: the pixels, of four bytes.
///   - bandByteCount: the size of each band but the last, a positive multiple of four.
///   - body: receives the bands. None may exist when it returns.
package func withBands<Result>(
  of bytes: inout [UInt8], bandByteCount: Int, _ body: (PictureBands) -> Result
) -> Result {
  precondition(bytes.count % 4 == 0, "the bytes are not whole pixels")
  precondition(bandByteCount > 0 && bandByteCount % 4 == 0, "the bands are not whole pixels")
  return unsafe bytes.withUnsafeMutableBytes { buffer in
    var bands = unsafe PictureBands(memory: buffer, bandByteCount: bandByteCount)
    let result = body(bands)
    // SAFETY: every band refers to the picture, so none can be left that outlives the buffer.
    precondition(isKnownUniquelyReferenced(&bands), "a band outlives its picture")
    return result
  }
}
