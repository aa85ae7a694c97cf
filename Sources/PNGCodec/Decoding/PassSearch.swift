// Where the passes of an interlaced image begin in its zlib stream, and which of their rows are there.

internal import ByteCompression
internal import ImageCoding

/// Decompresses the image data of an interlaced image without decoding its rows.
struct PassSearch {
  /// The start of a pass in the file.
  struct Start {
    let pass: InterlacePass
    /// A copy of the decompressor at the start of the pass.
    let inflater: InflateStream
    let position: ImageDataPosition
  }

  private let header: ImageHeader
  private let passes: [InterlacePass]
  private let inflater: InflateStream
  /// The decompressed bytes of one call; nothing refers to those of earlier ones.
  private var space: [UInt8]
  private var end = ImageDataEnd()
  /// The number of decompressed bytes of the current pass, which an `Int` of 32 bits may not hold.
  private var passByteCount: Int64 = 0
  /// The filter byte of the current row.
  private var filter: UInt8 = 0

  /// The passes reached so far.
  private(set) var starts: [Start] = []
  /// The index of the pass being searched; the number of passes once all are complete.
  private var passIndex = 0
  /// Whether a row is complete.
  private(set) var hasRows = false
  /// Whether the decompressor may have more bytes without more input.
  private(set) var hasPendingBytes = false

  /// Prepares to read the image data of `header`.
  init(header: ImageHeader, isRaw: Bool, budget: inout ResourceBudget) throws(CodecError) {
    self.header = header
    passes = InterlacePass.passes(of: header)
    try budget.allocate(ImageDataDecoder.inflaterByteCount + Self.spaceByteCount)
    inflater = InflateStream(isRaw ? .raw : .zlib)
    space = budget.bufferPool.buffer(Self.spaceByteCount)
  }

  /// The number of bytes that a call decompresses at most.
  private static let spaceByteCount = 64 << 10

  /// Whether all rows are there.
  var isImageComplete: Bool { passIndex == passes.count }
  /// The number of complete passes, including empty ones.
  var completedPassCount: Int { isImageComplete ? 7 : passes[passIndex].index }

  mutating func recycleBuffers(_ pool: BufferPool?) {
    pool.recycle(&space)
  }

  /// Decompresses bytes of the stream, up to the end of the pass.
  ///
  /// - Parameters:
  ///   - position: the position in `input`. The status is ``ImageDataStatus/needsMore`` before the end of the input, if
  ///     there may be more passes in it.
  ///   - place: the place of this position in the file.
  mutating func consume(
    _ input: Span<UInt8>, from position: inout Int, at place: ImageDataPosition, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDataStatus {
    guard !isImageComplete else { return end.read(input, from: &position, inflater) }
    let pass = passes[passIndex]
    if passByteCount == 0, starts.count == passIndex {
      try budget.allocate(ImageDataDecoder.inflaterByteCount)
      starts.append(Start(pass: pass, inflater: InflateStream(copying: inflater), position: place))
    }
    let stride = header.rowByteCount(width: pass.width) + 1
    let wholeByteCount = Int64(stride) * Int64(pass.height)
    let progress = inflate(input, from: &position, upTo: Int(clamping: wholeByteCount - passByteCount))
    // All bytes are decompressed again, unfiltered and expanded later, which is charged then.
    try budget.chargeWork((progress.consumedCount + progress.producedCount) / 4)
    hasPendingBytes = progress.producedCount == Self.spaceByteCount
    guard checkFilters(ofRows: stride, in: progress.producedCount) else { return .unknownFilter }
    if passByteCount == wholeByteCount {
      passIndex += 1
      passByteCount = 0
      hasPendingBytes = !isImageComplete
    }
    if isImageComplete { return end.read(input, from: &position, inflater) }
    return ImageDataStatus(beforeLastRow: progress.status)
  }

  private mutating func inflate(
    _ input: Span<UInt8>, from position: inout Int, upTo wanted: Int
  ) -> InflateProgress {
    let inflater = inflater
    var output = space.mutableSpan
    var part = output._mutatingExtracting(0..<min(wanted, Self.spaceByteCount))
    let progress = inflater.inflate(input.extracting(position..<input.count), into: &part)
    position += progress.consumedCount
    return progress
  }

  /// Checks the filter types of the rows that end in the decompressed bytes. Returns `false` at an unknown one.
  private mutating func checkFilters(ofRows stride: Int, in count: Int) -> Bool {
    // The offset of the current row, which may have begun in an earlier call.
    var rowStart = -Int(passByteCount % Int64(stride))
    passByteCount += Int64(count)
    while rowStart < count {
      if rowStart >= 0 { filter = space[rowStart] }
      rowStart += stride
      guard rowStart <= count else { break }
      guard RowFilter(rawValue: filter) != nil else { return false }
      hasRows = true
    }
    return true
  }
}
