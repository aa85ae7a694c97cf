// The stages of decoding a file: boxes, headers, tiles, pixels.

internal import ImageCoding
internal import MetadataFormats

/// The decoder of one file, driven by the engine. The input is retained until it is complete.
struct JPEG2000Core: DecodingCore {
  private let goal: DecodingGoal
  private(set) var info: ImageInfo?
  private(set) var metadata = ImageMetadata()
  private var isComplete = false
  /// The number of bytes at which the headers are tried again.
  private var neededByteCount = 12

  var format: AssetType { JPEG2000Decoder.type }
  var retainedOffset: Int { 0 }
  var selectsImage: Bool { true }
  var selectsRegion: Bool { true }

  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: isComplete ? info?.height ?? 0 : 0, isComplete: isComplete,
      neededByteCount: nil)
  }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard input.isFinal else {
      if info == nil, input.bytes.count >= neededByteCount { tryHeaders(input.bytes, &context) }
      return
    }
    try decode(input.bytes, into: &bitmap, &context)
    isComplete = true
  }

  /// Reads the headers if they have arrived, otherwise waits for twice as many bytes, so that they are not read again for
  /// every piece. Their defects are reported by the decode, so that the error is the same as for a whole file.
  private mutating func tryHeaders(_ bytes: Span<UInt8>, _ context: inout DecodingContext) {
    do throws(CodecError) {
      info = try context.budget.reading(context.limits, as: format) { (budget) throws(CodecError) in
        let container = try JP2Container(scanning: bytes, stopsAtCodestream: true, budget: &budget)
        var info = try JPEG2000Headers(parsing: bytes, container, budget: &budget).info
        info.orientation = container.readMetadata(bytes, budget: &budget).orientation
        return info
      }
    } catch {
      let (doubled, overflow) = bytes.count.multipliedReportingOverflow(by: 2)
      neededByteCount = error.kind != .truncated || overflow ? .max : doubled
    }
  }

  private mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let container = try JP2Container(
      scanning: bytes, stopsAtCodestream: goal == .headers, budget: &context.budget)
    let isReadingPixels = goal == .pixels || goal == .coefficients
    let fileMetadata = container.readMetadata(bytes, budget: &context.budget)
    if goal == .metadata || isReadingPixels { metadata = fileMetadata }
    let headers = try JPEG2000Headers(
      parsing: bytes, container, index: context.options.imageIndex ?? 0, budget: &context.budget)
    info = headers.info
    info?.orientation = fileMetadata.orientation
    // Only the whole file tells how many codestreams there are.
    if goal == .headers, container.header != nil { info?.imageCount = nil }
    metadata.colorSpace = headers.info.colorSpace
    metadata.density = headers.file.density
    guard isReadingPixels else { return }
    if container.isRecovered {
      try context.tolerate(.jpeg2000(.malformed, "no box contains the codestream"), as: .warning)
    }
    if let defect = headers.file.defect { try context.tolerate(defect, as: .warning) }
    if container.header != nil, headers.channels.assumesAlpha {
      context.note(.warning, "the file does not define its last channel, which is taken for opacity")
    }
    try ImageDecoder(headers, orientation: fileMetadata.orientation).decode(bytes, into: &bitmap, &context)
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let info, isComplete else { throw error(.truncated, "the input ends before the image is complete") }
    return DecodingDetails(info: info, metadata: metadata, isComplete: !context.foundDamage)
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? { nil }
}
