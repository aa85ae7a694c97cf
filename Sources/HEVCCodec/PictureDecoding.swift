// The slice segments of one picture: which parameter sets they activate, and what happens to damaged ones.

internal import ImageCore
internal import PixelPlanes

/// The decoding of one picture from its NAL units.
struct PictureDecoding: ~Copyable {
  private var sets: ParameterSets
  private var sequence: SequenceParameterSet?
  private var parameters: PictureParameterSet?
  private var picture: PictureDecoder?
  private var previous: SliceParameters?
  private var diagnostics: [ImageDiagnostic] = []
  private var firstError: CodecError?
  /// Whether another picture has begun.
  private(set) var isEnded = false

  private static let maximumDiagnosticCount = 32
  /// The work units for the header of a slice segment, which is as costly if it is damaged.
  private static let workPerSegment = 1_000
  private let threadCount: Int
  /// The number of samples from which on several threads are worthwhile.
  private let minimumParallelSampleCount: Int
  /// Bytes of the longest slice header that is read.
  private static let maximumHeaderByteCount = 1 << 20

  init(_ sets: ParameterSets, threadCount: Int, minimumParallelSampleCount: Int) {
    self.sets = sets
    (self.threadCount, self.minimumParallelSampleCount) = (threadCount, minimumParallelSampleCount)
  }

  mutating func read(
    _ range: Range<Int>, _ bytes: Span<UInt8>, isStrict: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let unit = NALUnit(bytes, range) else {
      try report(CodecError(.malformed, "a NAL unit has no header", byteOffset: range.lowerBound), isStrict: isStrict)
      return
    }
    guard unit.layer == 0 else { return }
    guard unit.type.isSliceSegment else {
      if picture == nil { try sets.note(unit, bytes, &budget) }
      return
    }
    try budget.chargeWork(Self.workPerSegment)
    if picture == nil { try sets.readPending(bytes, &budget) }
    do throws(CodecError) {
      let payload = try RawPayload(bytes, unit.payload, &budget)
      defer { budget.release(payload.chargedByteCount) }
      try decodeSlice(unit, payload, of: bytes, isStrict: isStrict, &budget)
    } catch {
      let located = CodecError(
        error.kind, error.reason, format: error.format, byteOffset: error.byteOffset ?? range.lowerBound)
      guard error.kind == .malformed || error.kind == .truncated else { throw located }
      try report(located, isStrict: isStrict)
    }
  }

  private mutating func decodeSlice(
    _ unit: NALUnit, _ payload: RawPayload, of source: Span<UInt8>, isStrict: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let bytes = payload.paddedBytes.span
    let content = bytes.extracting(0..<min(payload.byteCount, Self.maximumHeaderByteCount))
    var reader = BitReader(content)
    let prefix = try SliceHeader.readPrefix(&reader, type: unit.type)
    if prefix.isFirst, picture != nil {
      isEnded = true
      return
    }
    if picture == nil {
      let (sequence, parameters) = try sets.sets(pictureID: prefix.id)
      self.sequence = sequence
      self.parameters = parameters
      let header = try SliceHeader(
        content, type: unit.type, sequence: sequence, picture: parameters, blockCount: Self.blockCount(sequence),
        previous: nil)
      let heldByteCount = budget.heldByteCount
      try startPicture(sequence, parameters, &budget)
      if try decodeInParallel(header, payload, unit, bytes: source, &budget) { return }
      if picture == nil {
        budget.settle(heldByteCount: heldByteCount)
        try startPicture(sequence, parameters, &budget)
      }
      try decodeSegment(header, payload, isStrict: isStrict, &budget)
      return
    }
    guard let sequence else { return }
    let (_, parameters) = try sets.sets(pictureID: prefix.id)
    let header = try SliceHeader(
      content, type: unit.type, sequence: sequence, picture: parameters, blockCount: Self.blockCount(sequence),
      previous: previous)
    try decodeSegment(header, payload, isStrict: isStrict, &budget)
  }

  /// Decodes the rows of a picture on several threads, if its only slice segment states where they start.
  ///
  /// - Returns: `false` if that is not possible. If it was tried, there is no picture then.
  private mutating func decodeInParallel(
    _ header: SliceHeader, _ payload: RawPayload, _ unit: NALUnit, bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard threadCount > 1, !header.rowByteCounts.isEmpty, !header.parameters.hasBlockChromaOffsets,
      let sequence, sequence.width * sequence.height >= minimumParallelSampleCount
    else { return false }
    try budget.chargeWork(unit.payload.count)
    guard
      let starts = substreamStarts(
        bytes, unit.payload, dataOffset: header.dataOffset, byteCounts: header.rowByteCounts),
      starts.last.map({ $0 < payload.byteCount }) ?? false
    else { return false }
    let isDecoded = try PictureDecoder.decodeWavefront(
      &picture, header, starts: starts, payload.paddedBytes.span, byteCount: payload.byteCount,
      threadCount: min(threadCount, starts.count), &budget)
    if isDecoded {
      previous = header.parameters
    } else {
      picture = nil
      try budget.checkpoint()
    }
    return isDecoded
  }

  private mutating func startPicture(
    _ sequence: SequenceParameterSet, _ parameters: PictureParameterSet, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      picture = try PictureDecoder(sequence, parameters, &budget)
    } catch {
      // A later slice may start the picture.
      budget.settle(heldByteCount: heldByteCount)
      throw error
    }
  }

  private static func blockCount(_ sequence: SequenceParameterSet) -> Int {
    let size = 1 << sequence.log2CodingTreeBlock
    return ((sequence.width + size - 1) / size) * ((sequence.height + size - 1) / size)
  }

  private mutating func decodeSegment(
    _ header: SliceHeader, _ payload: RawPayload, isStrict: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    previous = header.parameters
    guard
      let reason = try picture?.decodeSegment(
        header, payload.paddedBytes.span, byteCount: payload.byteCount, &budget)
    else { return }
    throw CodecError(.malformed, reason)
  }

  /// Throws an error if decoding is strict or nothing was decoded; otherwise keeps it as a diagnostic.
  mutating func report(_ error: CodecError, isStrict: Bool) throws(CodecError) {
    if isStrict { throw error }
    firstError = firstError ?? error
    guard diagnostics.count < Self.maximumDiagnosticCount else { return }
    diagnostics.append(ImageDiagnostic(.damage, error.reason, byteOffset: error.byteOffset))
  }

  /// Filters the picture and returns it.
  mutating func finish(isStrict: Bool, _ budget: inout ResourceBudget) throws(CodecError) -> DecodedPlanes {
    guard var picture = picture.take(), picture.decodedBlockCount > 0 else {
      throw firstError ?? CodecError(.malformed, "there is no slice")
    }
    if !picture.isComplete {
      let missing = picture.blockCount - picture.decodedBlockCount
      try report(
        CodecError(.truncated, "\(missing) of \(picture.blockCount) coding tree blocks are missing"),
        isStrict: isStrict)
    }
    try picture.finishPicture(budget)
    budget.release(picture.workingByteCount)
    let isComplete = picture.isComplete
    return DecodedPlanes(picture: picture.result, diagnostics: diagnostics, isComplete: isComplete)
  }
}
