// One-shot compression and (capped) decompression of whole blocks, for metadata.

package import ImageCore

/// DEFLATE data in one piece.
package enum ZlibBlock {
  /// Decompresses a whole block.
  ///
  /// - Throws: ``DecodeError/Kind/limitExceeded`` once more than `maximumByteCount` bytes come out,
  ///   ``DecodeError/Kind/malformed`` or ``DecodeError/Kind/truncated`` when the data is.
  package static func decompress(
    _ input: Span<UInt8>, container: InflateStream.Container = .zlib, maximumByteCount: Int,
    format: AssetType? = nil, byteOffset: Int? = nil
  ) throws(DecodeError) -> [UInt8] {
    let stream = InflateStream(container)
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(64 << 10, max(256, input.count * 4)))
    var position = 0
    while true {
      var space = chunk.mutableSpan
      let progress = stream.inflate(input.extracting(position..<input.count), into: &space)
      position += progress.consumedCount
      guard progress.producedCount <= maximumByteCount - result.count else {
        throw DecodeError(
          .limitExceeded, "compressed data expands to more than \(maximumByteCount) bytes", format: format,
          byteOffset: byteOffset)
      }
      result.append(contentsOf: chunk[..<progress.producedCount])
      switch progress.status {
      case .finished: return result
      case .damaged(let reason):
        throw DecodeError(.malformed, reason, format: format, byteOffset: byteOffset.map { $0 + position })
      case .needsMore:
        if position == input.count, progress.producedCount < chunk.count {
          throw DecodeError(.truncated, "compressed data has no end", format: format, byteOffset: byteOffset)
        }
      }
    }
  }

  /// Compresses a whole block with a zlib header.
  package static func compress(_ input: Span<UInt8>, level: Int = 9) -> [UInt8]? {
    let stream = DeflateStream(level: level)
    guard stream.append(input) else { return nil }
    return stream.finish()
  }
}
