// Hostile DEFLATE streams, inflated as every container format, with a limit on the output.

import ByteCompression
import ConformanceKit
import ImageCoding

/// Examines one compressed stream.
enum DeflateExaminer {
  /// The maximum number of bytes to inflate from a stream.
  private static let maximumByteCount = 64 << 20

  /// Returns the containers to try for a file extension, or `nil` if it is not that of a compressed stream.
  static func containers(forExtension fileExtension: String) -> [InflateStream.Container]? {
    ["zlib", "deflate", "gz"].contains(fileExtension) ? [.zlib, .raw, .gzip] : nil
  }

  /// Returns the outcome of a stream.
  static func examine(_ bytes: [UInt8], _ containers: [InflateStream.Container]) -> CaseResult {
    var errors: [String] = []
    for container in containers {
      let whole = inflate(bytes, container, pieceSize: max(bytes.count, 1))
      let pieces = inflate(bytes, container, pieceSize: 13)
      guard whole == pieces else { return CaseResult(.failed("output differs in parts of 13 bytes, as \(container)")) }
      if !whole.isFinished { errors.append("\(container): \(whole.error)") }
    }
    return CaseResult(
      .passed, remark: errors.count < containers.count ? "value" : "error: \(errors.joined(separator: "; "))")
  }

  private struct Inflated: Equatable {
    var count = 0
    var checksum = Adler32()
    var isFinished = false
    var error = "the stream is not terminated"
  }

  private static func inflate(_ bytes: [UInt8], _ container: InflateStream.Container, pieceSize: Int) -> Inflated {
    let stream = InflateStream(container)
    var result = Inflated()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var position = 0
    while result.count <= maximumByteCount {
      let piece = min(bytes.count, position + pieceSize)
      var space = chunk.mutableSpan
      let progress = stream.inflate(bytes.span.extracting(position..<piece), into: &space)
      position += progress.consumedCount
      result.count += progress.producedCount
      result.checksum.update(chunk.span.extracting(0..<progress.producedCount))
      switch progress.status {
      case .finished:
        result.isFinished = true
        return result
      case .damaged(let reason):
        result.error = reason
        return result
      case .needsMore:
        if position == bytes.count, progress.producedCount < chunk.count { return result }
      }
    }
    result.error = "the output exceeds \(maximumByteCount) bytes"
    return result
  }
}
