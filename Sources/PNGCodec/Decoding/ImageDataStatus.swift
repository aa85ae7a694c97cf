// The outcome of decoding a part of the image data, and the end of its stream.

internal import ByteCompression

/// The state of the image data after a part of it.
enum ImageDataStatus: Hashable {
  /// More bytes are needed.
  case needsMore
  /// The image is complete and the stream's checksum is correct.
  case finished
  /// The image is complete, but its stream continues.
  case excess
  /// The data violates the format; the rows before the damage are valid. A row can be invalid, rather than a
  /// particular byte of the stream.
  case damaged(reason: String, isInRow: Bool = false)

  static let unknownFilter = ImageDataStatus.damaged(reason: "a row has an unknown filter type", isInRow: true)

  /// The meaning of a stream's state before the last row.
  init(beforeLastRow status: InflateStream.Status) {
    self =
      switch status {
      case .needsMore: .needsMore
      case .finished: .damaged(reason: "the image data ends before the last row")
      case .damaged(let reason): .damaged(reason: reason)
      }
  }
}

/// Reads past the last row to the end of the stream and its checksum.
struct ImageDataEnd {
  private var isReached = false

  mutating func read(
    _ input: Span<UInt8>, from position: inout Int, _ inflater: InflateStream
  ) -> ImageDataStatus {
    if isReached { return .finished }
    var surplus: [UInt8] = [0]
    var space = surplus.mutableSpan
    let progress = inflater.inflate(input.extracting(position..<input.count), into: &space)
    position += progress.consumedCount
    isReached = progress.status != .needsMore || progress.producedCount > 0
    if progress.producedCount > 0 { return .excess }
    switch progress.status {
    case .needsMore: return .needsMore
    case .finished: return .finished
    case .damaged(let reason): return .damaged(reason: reason)
    }
  }
}
