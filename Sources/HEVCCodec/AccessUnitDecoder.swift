// The NAL units of one picture (an access unit): parameter sets, then slice segments. Damaged segments are concealed.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes
internal import Threading

/// Decodes the NAL units of one picture.
struct AccessUnitDecoder: ~Copyable {
  private var sets: ParameterSets
  private var sequence: SequenceParameterSet?
  private var decoder: PictureDecoder?
  /// The parameters of the preceding slice segment; `nil` if its header is damaged or if it overlaps another slice.
  private var previous: SliceParameters?
  private var firstError: CodecError?
  /// Whether another picture has begun.
  private(set) var isEnded = false

  /// The work units for the header of a slice segment, which is as costly if it is damaged.
  private static let workPerSegment = 1_000
  /// The number of samples from which on several threads are worthwhile.
  private let minimumParallelSampleCount: Int
  /// Bytes of the longest slice header that is read.
  private static let maximumHeaderByteCount = 1 << 20

  init(_ sets: ParameterSets, minimumParallelSampleCount: Int) {
    (self.sets, self.minimumParallelSampleCount) = (sets, minimumParallelSampleCount)
  }

  mutating func read(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let unit = NALUnit(bytes, range) else {
      return try tolerate(CodecError(.malformed, "a NAL unit has no header", byteOffset: range.lowerBound), &context)
    }
    guard unit.layer == 0 else { return }
    guard unit.type.isSliceSegment else {
      if decoder == nil { try sets.note(unit, bytes, &context.budget) }
      return
    }
    try context.budget.chargeWork(Self.workPerSegment)
    if decoder == nil { try sets.readPending(bytes, &context.budget) }
    do throws(CodecError) {
      let payload = try RawPayload(bytes, unit.payload, &context.budget)
      defer { context.budget.release(payload.chargedByteCount) }
      try decodeSegment(unit, payload, of: bytes, context.options, &context.budget)
    } catch {
      let located = error.located(at: error.byteOffset ?? range.lowerBound, in: error.format)
      guard error.isDamage else { throw located }
      try tolerate(located, &context)
    }
  }

  private mutating func decodeSegment(
    _ unit: NALUnit, _ payload: RawPayload, of source: Span<UInt8>, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let bytes = payload.paddedBytes.span
    let content = bytes.extracting(0..<min(payload.byteCount, Self.maximumHeaderByteCount))
    var reader = BitReader(content)
    let prefix = try SliceHeader.readPrefix(&reader, type: unit.type)
    if prefix.isFirst, decoder != nil {
      isEnded = true
      return
    }
    let sets = try sets.sets(pictureID: prefix.id)
    let sequence = self.sequence ?? sets.sequence
    // Dependent segments continue the preceding one, unless that is damaged.
    let preceding = previous
    previous = nil
    let header = try SliceHeader(
      content, type: unit.type, sequence: sequence, picture: sets.picture, previous: preceding)
    if decoder == nil {
      self.sequence = sequence
      let heldByteCount = budget.heldByteCount
      try start(sequence, sets.picture, &budget)
      if try decodeInParallel(header, payload, unit, of: source, options, &budget) { return }
      if decoder == nil {
        budget.settle(heldByteCount: heldByteCount)
        try start(sequence, sets.picture, &budget)
      }
    }
    guard decoder?.hasDecoded(header.address) == false else {
      // A repeated segment leaves its slice as it is.
      if header.parameters.address == preceding?.address { previous = preceding }
      throw CodecError(.malformed, "a slice segment overlaps the one before")
    }
    previous = header.parameters
    try decoder?.decode(header, bytes, byteCount: payload.byteCount, &budget)
  }

  /// Starts a picture. If that fails, a later slice may start it.
  private mutating func start(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      decoder = try PictureDecoder(sequence, picture, &budget)
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      self.sequence = nil
      throw error
    }
  }

  /// Decodes the rows of a picture on several threads, if its only slice segment states where they start.
  ///
  /// - Returns: `false` if that is not possible. If it was tried, there is no decoder then.
  private mutating func decodeInParallel(
    _ header: SliceHeader, _ payload: RawPayload, _ unit: NALUnit, of source: Span<UInt8>, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let threadCount = ParallelRows.threadCount(options.parallelism)
    guard threadCount > 1, !header.rowByteCounts.isEmpty, let sequence,
      sequence.width * sequence.height >= minimumParallelSampleCount
    else { return false }
    try budget.chargeWork(unit.payload.count)
    guard
      let starts = substreamStarts(
        source, unit.payload, dataOffset: header.dataOffset, byteCounts: header.rowByteCounts),
      starts.last.map({ $0 < payload.byteCount }) ?? false
    else { return false }
    let isDecoded = try PictureDecoder.decodeWavefront(
      &decoder, header, starts: starts, payload.paddedBytes.span, byteCount: payload.byteCount,
      threadCount: min(threadCount, starts.count), &budget)
    if isDecoded { previous = header.parameters } else { try budget.checkpoint() }
    return isDecoded
  }

  /// Throws an error if decoding is strict; otherwise notes it, and throws it at the end if nothing is decoded.
  mutating func tolerate(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    try context.tolerate(error, as: .damage)
    firstError = firstError ?? error
  }

  /// Filters the picture and returns it.
  mutating func finish(_ context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    guard let decoder = decoder.take(), decoder.picture.decodedCount > 0 else {
      throw firstError ?? CodecError(.malformed, "there is no slice")
    }
    let (count, decodedCount) = (decoder.picture.count, decoder.picture.decodedCount)
    if decodedCount < count {
      let reason = "\(count - decodedCount) of \(count) coding tree blocks are missing"
      try tolerate(CodecError(.truncated, reason), &context)
    }
    return DecodedPlanes(picture: try decoder.finish(context.budget), isComplete: decodedCount == count)
  }
}
