// A place in the data of consecutive IDAT chunks.

internal import ImageCoding

/// A position in the image data, at which reading can start again.
struct ImageDataPosition {
  /// The offset in the file.
  private(set) var byteOffset: Int
  /// The number of bytes of the chunk that follow.
  private var remainingByteCount: Int

  init(byteOffset: Int, remainingByteCount: Int) {
    self.byteOffset = byteOffset
    self.remainingByteCount = remainingByteCount
  }

  /// The position after a number of bytes of the chunk.
  func advanced(by count: Int) -> ImageDataPosition {
    ImageDataPosition(byteOffset: byteOffset + count, remainingByteCount: remainingByteCount - count)
  }

  /// Returns the bytes of the chunk up to the end of the image data, or those of the next chunk with any; `nil` at the
  /// end.
  ///
  /// - Parameter end: the file offset of the end. The chunks before it have been read already.
  mutating func nextPart(
    of input: borrowing InputWindow, upTo end: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int>? {
    while remainingByteCount == 0 {
      // The checksum, then the next chunk.
      let next = byteOffset + 4
      guard next < end, let chunk = FramedChunk(input.bytes, at: next - input.baseOffset), chunk.type == .imageData
      else {
        return nil
      }
      try budget.chargeWork(PNGCore.workPerChunk)
      byteOffset = next + ChunkHeader.byteCount
      remainingByteCount = chunk.data.count
    }
    let start = byteOffset - input.baseOffset
    let stop = min(start + remainingByteCount, end - input.baseOffset, input.bytes.count)
    return start < stop ? start..<stop : nil
  }
}
