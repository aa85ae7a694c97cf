// Size-limited decompression of whole Brotli streams (RFC 7932).

package import ImageCore

/// Decompresses Brotli streams that are in memory as a whole.
package enum BrotliStream {
  /// The size up to which the output is allocated at once.
  private static let initialByteCount = 64 << 10

  /// Decompresses a stream.
  ///
  /// The memory of the output, up to twice its size, remains charged to the budget. Work is charged for the input, for
  /// the tables that the stream describes, and for the output.
  ///
  /// - Parameters:
  ///   - maximumByteCount: the maximum size of the output.
  ///   - byteOffset: the offset of the stream from the start of the file, for errors.
  /// - Throws: `CodecError.Kind.limitExceeded` if the output exceeds `maximumByteCount` bytes or the budget;
  ///   `CodecError.Kind.malformed` if the stream is damaged or bytes follow it; `CodecError.Kind.truncated` if it
  ///   is incomplete.
  package static func decompress(
    _ input: Span<UInt8>, maximumByteCount: Int, budget: inout ResourceBudget, byteOffset: Int = 0
  ) throws(CodecError) -> [UInt8] {
    var stream = Reader(maximumByteCount: max(0, maximumByteCount), byteOffset: byteOffset)
    do throws(CodecError) {
      try budget.chargeWork(input.count, byteOffset: byteOffset)
      return try stream.readAll(input, &budget)
    } catch {
      budget.release(stream.allocatedByteCount)
      throw error
    }
  }

  /// The state of one decompression.
  private struct Reader {
    let maximumByteCount: Int
    let byteOffset: Int
    private var decoder = BrotliDecoder()
    private var output: [UInt8] = []
    /// The number of bytes charged for the output.
    private(set) var allocatedByteCount = 0

    init(maximumByteCount: Int, byteOffset: Int) {
      self.maximumByteCount = maximumByteCount
      self.byteOffset = byteOffset
    }

    mutating func readAll(
      _ input: Span<UInt8>, _ budget: inout ResourceBudget
    ) throws(CodecError) -> [UInt8] {
      guard input.count > 0 else { throw error("the stream is empty", input, budget, isTruncated: true) }
      guard let windowBits = readWindowBits(input) else {
        throw error("the size of the window is not supported", input, budget)
      }
      decoder.windowSize = 1 << windowBits - 16
      while try !readMetaBlock(input, &budget) {}
      guard decoder.bits.alignToByte() else { throw error("the padding is not zero", input, budget) }
      guard !decoder.bits.isPastEnd(of: input) else { throw error("the stream has no end", input, budget) }
      guard decoder.bits.bytePosition == input.count else {
        throw error("bytes follow the end of the stream", input, budget)
      }
      output.removeLast(output.count - decoder.written)
      return output
    }

    /// The number of bits of the window's size, 10…24; `nil` for the reserved value.
    private mutating func readWindowBits(_ input: Span<UInt8>) -> Int? {
      if decoder.bits.read(1, input) == 0 { return 16 }
      let large = decoder.bits.read(3, input)
      if large > 0 { return 17 + large }
      switch decoder.bits.read(3, input) {
      case 0: return 17
      case 1: return nil
      case let small: return 8 + small
      }
    }

    /// Reads a meta-block and returns whether it is the last one.
    private mutating func readMetaBlock(
      _ input: Span<UInt8>, _ budget: inout ResourceBudget
    ) throws(CodecError) -> Bool {
      let isLast = decoder.bits.read(1, input) == 1
      if isLast, decoder.bits.read(1, input) == 1 { return true }
      let nibbleCount = decoder.bits.read(2, input) + 4
      if nibbleCount == 7 {
        try skipMetadata(input, budget)
        return isLast
      }
      let length = decoder.bits.read(nibbleCount * 4, input)
      guard nibbleCount == 4 || length >> ((nibbleCount - 1) * 4) > 0 else {
        throw error("the length of a meta-block has leading zeros", input, budget)
      }
      decoder.remaining = length + 1
      let isStored = !isLast && decoder.bits.read(1, input) == 1
      guard !decoder.bits.isPastEnd(of: input) else { throw error("a header is incomplete", input, budget) }
      guard decoder.remaining <= maximumByteCount - decoder.written else {
        throw CodecError(
          .limitExceeded, "compressed data expands to more than \(maximumByteCount) bytes", format: budget.format,
          byteOffset: byteOffset + decoder.bits.bytePosition, limit: .memory)
      }
      if isStored {
        try copyStored(input, &budget)
      } else {
        try readCompressed(input, &budget)
      }
      return isLast
    }

    /// Skips a meta-block that is no part of the output.
    private mutating func skipMetadata(_ input: Span<UInt8>, _ budget: borrowing ResourceBudget) throws(CodecError) {
      guard decoder.bits.read(1, input) == 0 else { throw error("a reserved bit is set", input, budget) }
      let sizeByteCount = decoder.bits.read(2, input)
      var count = 0
      if sizeByteCount > 0 {
        let length = decoder.bits.read(sizeByteCount * 8, input)
        guard sizeByteCount == 1 || length >> ((sizeByteCount - 1) * 8) > 0 else {
          throw error("the length of a meta-block has leading zeros", input, budget)
        }
        count = length + 1
      }
      let start = try alignedPosition(input, budget)
      guard count <= input.count - start else {
        throw error("metadata is incomplete", input, budget, isTruncated: true)
      }
      decoder.bits.move(to: start + count)
    }

    /// Copies a meta-block that is not compressed.
    private mutating func copyStored(
      _ input: Span<UInt8>, _ budget: inout ResourceBudget
    ) throws(CodecError) {
      let start = try alignedPosition(input, budget)
      let count = decoder.remaining
      guard count <= input.count - start else {
        throw error("stored data is incomplete", input, budget, isTruncated: true)
      }
      try budget.chargeWork(count, byteOffset: byteOffset + start)
      var bytes = output
      output = []
      defer { output = bytes }
      try grow(&bytes, to: decoder.written + count, &budget)
      for index in 0..<count { bytes[decoder.written + index] = input[start + index] }
      decoder.written += count
      decoder.bits.move(to: start + count)
    }

    private mutating func alignedPosition(
      _ input: Span<UInt8>, _ budget: borrowing ResourceBudget
    ) throws(CodecError) -> Int {
      guard decoder.bits.alignToByte() else { throw error("the padding is not zero", input, budget) }
      guard !decoder.bits.isPastEnd(of: input) else { throw error("a header is incomplete", input, budget) }
      return decoder.bits.bytePosition
    }

    private mutating func readCompressed(
      _ input: Span<UInt8>, _ budget: inout ResourceBudget
    ) throws(CodecError) {
      var block: BrotliMetaBlock
      do throws(BrotliDamage) {
        block = try BrotliMetaBlock(&decoder.bits, input)
      } catch {
        throw self.error(error.reason, input, budget)
      }
      try budget.chargeWork(block.work, byteOffset: byteOffset + decoder.bits.bytePosition)
      try budget.chargeWork(count: decoder.remaining, unitsEach: 2, byteOffset: byteOffset + decoder.bits.bytePosition)
      while true {
        // Moved to a variable, since a span of the property would be an access to all of `self`.
        var bytes = output
        output = []
        defer { output = bytes }
        let needed: Int?
        do throws(BrotliDamage) {
          var space = bytes.mutableSpan
          needed = try decoder.run(&block, input, into: &space)
        } catch {
          throw self.error(error.reason, input, budget)
        }
        guard let needed else { return }
        try grow(&bytes, to: needed, &budget)
      }
    }

    /// Makes room for at least `count` bytes.
    private mutating func grow(
      _ bytes: inout [UInt8], to count: Int, _ budget: inout ResourceBudget
    ) throws(CodecError) {
      let space = bytes.count
      guard count > space else { return }
      let limit = maximumByteCount > .max - BrotliDecoder.margin ? .max : maximumByteCount + BrotliDecoder.margin
      let size = max(count, min(max(space * 2, BrotliStream.initialByteCount), limit))
      try budget.allocate(size, byteOffset: byteOffset + decoder.bits.bytePosition)
      allocatedByteCount += size
      var larger: [UInt8] = []
      larger.reserveCapacity(size)
      larger.append(contentsOf: bytes[..<decoder.written])
      larger.append(contentsOf: repeatElement(0, count: size - decoder.written))
      bytes = larger
      budget.release(space)
      allocatedByteCount -= space
    }

    /// An error at the current position.
    private func error(
      _ reason: String, _ input: Span<UInt8>, _ budget: borrowing ResourceBudget, isTruncated: Bool = false
    ) -> CodecError {
      let isTruncated = isTruncated || decoder.bits.isPastEnd(of: input)
      return CodecError(
        isTruncated ? .truncated : .malformed, "Brotli: \(reason)", format: budget.format,
        byteOffset: byteOffset + min(decoder.bits.bytePosition, input.count))
    }
  }
}
