// The search for the end of a DEFLATE stream. The inflated bytes are discarded.

package import ImageCore

/// Follows a stream up to its end. The bytes after that are not read by any decoder.
package struct InflateExtent {
  private let stream: InflateStream
  /// Whether the rest of the input is not used.
  package private(set) var hasEnded = false
  /// Whether the stream is damaged, after which nothing is known.
  package private(set) var isDamaged = false
  private var buffer: [UInt8]

  /// The size of the buffer for inflated bytes.
  private static let bufferByteCount = 1 << 16

  package init(_ container: InflateStream.Container) {
    stream = InflateStream(container)
    buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
  }

  /// Returns the number of bytes at the start of the next part of the input that belong to the stream. After damage,
  /// these are all.
  ///
  /// - Parameter budget: charged for what is inflated.
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
      let progress = stream.inflate(input.extracting(position..<input.count), into: &output)
      try budget.chargeWork(progress.consumedCount + 2 * progress.producedCount)
      position += progress.consumedCount
      switch progress.status {
      case .needsMore: isDamaged = progress.consumedCount == 0 && progress.producedCount == 0
      case .finished: hasEnded = true
      // The stream ends there all the same.
      case .checksumMismatch: hasEnded = true
      case .damaged: isDamaged = true
      }
    }
    return isDamaged ? input.count : position
  }
}
