// The stages of decoding a file: boxes, headers, frames.

internal import ImageCoding

/// The decoder of one file, driven by the engine. The input is retained until it is complete.
struct JXLCore: DecodingCore {
  private let goal: DecodingGoal
  private(set) var info: ImageInfo?
  private(set) var metadata = ImageMetadata()
  private var isComplete = false
  /// The number of bytes at which the headers are tried again.
  private var neededByteCount = 12
  /// The number of stages of the picture that have arrived, and the number of bytes at which they are counted again.
  private var stageCount = 0
  private var nextStageByteCount = 0
  /// Whether the picture is a squeezed frame, if it is known.
  private var isSqueezed: Bool?

  var format: AssetType { JXLDecoder.type }
  var retainedOffset: Int { 0 }
  var selectsRegion: Bool { true }

  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: isComplete ? info?.height ?? 0 : 0,
      completedScanCount: stageCount, isComplete: isComplete)
  }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard input.isFinal else {
      if info == nil, input.bytes.count >= neededByteCount { tryHeaders(input.bytes, &context) }
      if info != nil, goal == .pixels, input.bytes.count >= nextStageByteCount { countStages(input.bytes, &context) }
      return
    }
    try decode(input.bytes, into: &bitmap, &context)
    isComplete = true
  }

  /// Reads the headers if they have arrived, otherwise waits for twice as many bytes, so that they are not read again for
  /// every piece. Their defects are reported by the decode, so that the error is the same as for a whole file.
  private mutating func tryHeaders(_ bytes: Span<UInt8>, _ context: inout DecodingContext) {
    let held = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: held) }
    do throws(CodecError) {
      var container = try JXLContainer(scanning: bytes, budget: &context.budget)
      info = try JXLHeaders(parsing: bytes, &container, budget: &context.budget).info
    } catch {
      let (doubled, overflow) = bytes.count.multipliedReportingOverflow(by: 2)
      neededByteCount = error.kind != .truncated || overflow ? .max : doubled
    }
  }

  /// Counts the stages that have arrived, if there are a sixteenth more bytes than the last time. Defects are reported by
  /// the decode.
  private mutating func countStages(_ bytes: Span<UInt8>, _ context: inout DecodingContext) {
    nextStageByteCount = bytes.count + bytes.count / 16 + 64
    let held = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: held) }
    var isSqueezed = isSqueezed
    let count = try? withCodestream(of: bytes, &context) { (headers, codestream, context) throws(CodecError) in
      var frames = FrameSequence(headers)
      return try frames.receivedStageCount(codestream, isSqueezed: &isSqueezed, &context.budget)
    }
    self.isSqueezed = isSqueezed
    stageCount = max(stageCount, count ?? 0)
  }

  /// Reads the headers of a prefix of the file, and calls a closure with the codestream received so far.
  private func withCodestream<Result>(
    of bytes: Span<UInt8>, _ context: inout DecodingContext,
    _ body: (JXLHeaders, Span<UInt8>, inout DecodingContext) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var container = try JXLContainer(scanning: bytes, budget: &context.budget)
    let headers = try JXLHeaders(parsing: bytes, &container, budget: &context.budget)
    return try headers.codestream.withBytes(of: bytes) { (codestream) throws(CodecError) in
      try body(headers, codestream, &context)
    }
  }

  private mutating func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var container = try JXLContainer(scanning: bytes, budget: &context.budget)
    let isReadingPixels = goal == .pixels || goal == .coefficients
    if goal == .metadata || isReadingPixels { try readMetadata(container, bytes, &context) }
    let headers = try JXLHeaders(parsing: bytes, &container, budget: &context.budget)
    info = headers.info
    metadata.colorSpace = headers.info.colorSpace
    if goal == .index, headers.image.animation != nil {
      let durations = try headers.pictureDurations(bytes, budget: &context.budget).durations
      info?.frameCount = durations.count
      info?.duration = durations.reduce(.zero, +)
    }
    guard isReadingPixels else { return }
    try headers.codestream.withBytes(of: bytes) { (codestream) throws(CodecError) in
      let decoder = ImageDecoder(headers)
      try decoder.decode(codestream, into: &bitmap, &context)
    }
  }

  private mutating func readMetadata(
    _ container: JXLContainer, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    var defects: [CodecError] = []
    metadata = try container.readMetadata(bytes, budget: &context.budget) { defects.append($0) }
    for defect in defects { try context.tolerate(defect, as: .warning) }
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let info, isComplete else { throw error(.truncated, "the input ends before the image is complete") }
    return DecodingDetails(info: info, metadata: metadata, isComplete: !context.foundDamage)
  }

  /// Decodes the stages received so far.
  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard stageCount > 0 else { return nil }
    var picture = Bitmap()
    try withCodestream(of: input.bytes, &context) { (headers, codestream, context) throws(CodecError) in
      try ImageDecoder(headers, isPreview: true).decode(codestream, into: &picture, &context)
    }
    return picture
  }
}
