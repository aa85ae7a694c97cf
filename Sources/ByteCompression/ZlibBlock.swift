// One-shot compression and size-limited decompression of whole blocks, for metadata.

package import ImageCore

/// Compresses and decompresses DEFLATE data in one piece.
package enum ZlibBlock {
  /// Decompresses a whole block.
  ///
  /// - Parameter onProgress: called with the number of bytes just produced, before they are appended to the result.
  /// - Throws: `CodecError.Kind.limitExceeded` if the output exceeds `maximumByteCount` bytes;
  ///   `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if the data is damaged or incomplete.
  package static func decompress(
    _ input: Span<UInt8>, container: InflateStream.Container = .zlib, maximumByteCount: Int,
    format: AssetType? = nil, byteOffset: Int? = nil, onProgress: (Int) throws(CodecError) -> Void = { _ in }
  ) throws(CodecError) -> [UInt8] {
    let stream = InflateStream(container)
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(64 << 10, max(256, input.count * 4)))
    var position = 0
    while true {
      var space = chunk.mutableSpan
      let progress = stream.inflate(input.extracting(position..<input.count), into: &space)
      position += progress.consumedCount
      try onProgress(progress.producedCount)
      guard progress.producedCount <= maximumByteCount - result.count else {
        throw CodecError(
          .limitExceeded, "compressed data expands to more than \(maximumByteCount) bytes", format: format,
          byteOffset: byteOffset, limit: .memory)
      }
      result.append(contentsOf: chunk[..<progress.producedCount])
      switch progress.status {
      case .finished: return result
      case .damaged(let reason):
        throw CodecError(.malformed, reason, format: format, byteOffset: byteOffset.map { $0 + position })
      case .needsMore:
        if position == input.count, progress.producedCount < chunk.count {
          throw CodecError(.truncated, "compressed data has no end marker", format: format, byteOffset: byteOffset)
        }
      }
    }
  }

  /// Decompresses a piece of metadata up to the size the budget admits. All output is charged, even if it is too large
  /// or the data turns out to be damaged.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if the output exceeds what the budget admits;
  ///   `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if the data is damaged or incomplete.
  package static func decompressMetadata(
    _ input: Span<UInt8>, budget: inout ResourceBudget, byteOffset: Int? = nil
  ) throws(CodecError) -> [UInt8] {
    let allowance = budget.metadataAllowance
    var producedCount = 0
    defer { budget.chargeMetadata(min(producedCount, allowance)) }
    try budget.chargeWork(input.count, byteOffset: byteOffset)
    return try decompress(
      input, maximumByteCount: allowance, format: budget.format, byteOffset: byteOffset
    ) { (count) throws(CodecError) in
      producedCount += count
      try budget.chargeWork(count: count, unitsEach: 2, byteOffset: byteOffset)
    }
  }

  /// Compresses a whole block, with a zlib header. Returns `nil` if zlib runs out of memory.
  package static func compress(_ input: Span<UInt8>, level: Int = 9) -> [UInt8]? {
    let stream = DeflateStream(level: level)
    guard stream.append(input) else { return nil }
    return stream.finish()
  }
}
