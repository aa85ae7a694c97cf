// Finds the end of a DEFLATE stream. What is inflated is discarded.

package import ImageCore

/// Follows a stream up to its end, or to the end of the output that is needed.
///
/// The bytes after that are not read by any decoder.
package struct InflateExtent {
  private let stream: InflateStream
  /// The number of bytes that are still needed.
  private var remaining: Int
  /// Whether the rest of the input is not used.
  package private(set) var hasEnded = false
  /// Whether the stream is damaged before the end of the output, after which nothing is known.
  package private(set) var isDamaged = false
  private var buffer: [UInt8]

  /// The size of the buffer for inflated bytes.
  private static let bufferByteCount = 1 << 16

  /// - Parameter outputByteCount: the number of bytes that are needed; the stream may be longer.
  package init(_ container: InflateStream.Container, outputByteCount: Int) {
    stream = InflateStream(container)
    remaining = outputByteCount
    buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
  }

  /// Returns the number of bytes at the start of the next part of the input that belong to the stream. After damage,
  /// these are all.
  package mutating func usedByteCount(
    of input: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    var position = 0
    // Moved out of the property while borrowed.
    var scratch: [UInt8] = []
    swap(&scratch, &buffer)
    defer { swap(&scratch, &buffer) }
    while !hasEnded, !isDamaged, position < input.count {
      var output = scratch.mutableSpan
      // Once the output is complete, one more byte tells whether the stream is longer.
      var room = output._mutatingExtracting(0..<max(1, min(remaining, Self.bufferByteCount)))
      let progress = stream.inflate(input.extracting(position..<input.count), into: &room)
      try budget.chargeWork(progress.consumedCount + 2 * progress.producedCount)
      if remaining == 0, progress.producedCount > 0 {
        hasEnded = true
        break
      }
      remaining -= min(remaining, progress.producedCount)
      position += progress.consumedCount
      switch progress.status {
      case .needsMore: isDamaged = progress.consumedCount == 0 && progress.producedCount == 0
      case .finished: hasEnded = true
      case .damaged:
        // A wrong checksum does not change the output.
        if remaining == 0 { hasEnded = true } else { isDamaged = true }
      }
    }
    return isDamaged ? input.count : position
  }
}
