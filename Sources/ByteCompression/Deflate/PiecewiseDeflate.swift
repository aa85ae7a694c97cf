// DEFLATE on several threads: pieces are compressed independently of one another, each with the window that precedes it as
// its dictionary, and joined on byte boundaries.

internal import ImageCore
internal import Threading

/// A zlib stream that is compressed in pieces once all bytes are known. The result does not depend on the number of
/// threads.
package struct PiecewiseDeflate: Sendable {
  /// The number of bytes in a piece.
  package static let pieceByteCount = 256 << 10
  private static let windowByteCount = 32 << 10

  private let level: Int
  private let strategy: DeflateStream.Strategy
  private let parallelism: Int
  private var bytes: [UInt8] = []

  /// Opens a stream.
  ///
  /// - Parameter byteCount: the number of bytes that are expected.
  package init(level: Int, strategy: DeflateStream.Strategy, byteCount: Int, parallelism: Int) {
    (self.level, self.strategy, self.parallelism) = (level, strategy, parallelism)
    bytes.reserveCapacity(byteCount)
  }

  /// Adds bytes.
  package mutating func append(_ input: Span<UInt8>) {
    bytes.append(copying: input)
  }

  /// Compresses all pieces and returns the stream; `nil` if zlib runs out of memory.
  package func finish() -> [UInt8]? {
    let count = max(1, (bytes.count + Self.pieceByteCount - 1) / Self.pieceByteCount)
    let results = Mutex([[UInt8]?](repeating: nil, count: count))
    ParallelRows.perform(count: count, parallelism: parallelism) { index in
      let piece = compress(index, isLast: index == count - 1)
      results.withLock { $0[index] = piece }
    }
    var output = zlibHeader(level: level)
    for piece in results.withLock({ $0 }) {
      guard let piece else { return nil }
      output += piece
    }
    var checksum = Adler32()
    checksum.update(bytes.span)
    for shift in [24, 16, 8, 0] as [UInt32] { output.append(UInt8(truncatingIfNeeded: checksum.value >> shift)) }
    return output
  }

  private func compress(_ index: Int, isLast: Bool) -> [UInt8]? {
    let start = index * Self.pieceByteCount
    let piece = bytes.span.extracting(start..<min(bytes.count, start + Self.pieceByteCount))
    let stream = DeflateStream(level: level, strategy: strategy, isRaw: true)
    let window = bytes.span.extracting(max(0, start - Self.windowByteCount)..<start)
    guard window.isEmpty || stream.setDictionary(window), stream.append(piece) else { return nil }
    return isLast ? stream.finish() : stream.flush()
  }
}
