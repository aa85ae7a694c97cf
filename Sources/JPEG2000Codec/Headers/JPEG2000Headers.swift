// All headers of an image: those of its file and those of its codestream.

internal import ImageCoding

/// The headers that precede the tiles of an image.
struct JPEG2000Headers: Sendable {
  let file: JP2Header
  let codestream: MainHeader
  /// Whether the end of the codestream has been received.
  let isComplete: Bool
  let channels: ChannelLayout
  /// The facts that the headers state, and the number of codestreams as that of images.
  private(set) var info: ImageInfo

  /// - Parameter index: which of the codestreams is read.
  init(
    parsing bytes: Span<UInt8>, _ container: JP2Container, index: Int = 0, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !container.isCompound else { throw .jpeg2000(.unsupported, "compound images (JPM) are not supported") }
    guard !container.codestreams.isEmpty else {
      throw .jpeg2000(.truncated, "the file ends before its codestream", at: bytes.count)
    }
    guard index >= 0, index < container.codestreams.count else {
      throw .jpeg2000(.invalidArgument, "there is no image \(index); the file has \(container.codestreams.count)")
    }
    let stream = container.codestreams[index]
    isComplete = stream.isComplete
    codestream = try MainHeader(parsing: bytes, codestream: stream.bytes, budget: &budget)
    if let range = container.header {
      file = try JP2Header(parsing: bytes, range, budget: &budget)
    } else {
      file = JP2Header()
    }
    channels = ChannelLayout(file, codestream)
    info = channels.info(codestream)
    info.imageCount = container.codestreams.count
  }
}
