// The NAL units of one picture (an access unit): parameter sets, then slices. Damaged slices are concealed.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// Decodes the NAL units of one frame, or of the two fields of one.
struct AccessUnitDecoder: ~Copyable {
  private var sets: ParameterSets
  private var sequence: SequenceParameterSet?
  private var decoder: PictureDecoder?
  /// The header of the first slice of the frame or field that is being decoded.
  private var firstHeader: SliceHeader?
  private var firstError: CodecError?
  /// Whether another picture has begun.
  private(set) var isEnded = false
  /// Whether the encoder is an x264 that deviates from the specification, as ffmpeg recognizes it.
  private var countsSmallBlocks = false
  /// The kind of slices of the second field, if it is not decoded.
  private var secondFieldKind: StaticString?

  /// The work units for the header of a slice, which is as costly if it is damaged.
  private static let workPerSlice = 1_000
  /// Bytes of the longest slice header that is read.
  private static let maximumHeaderByteCount = 1 << 16

  init(_ sets: ParameterSets) { self.sets = sets }

  mutating func read(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let unit = NALUnit(bytes, range) else {
      return try tolerate(CodecError(.malformed, "a NAL unit has no header", byteOffset: range.lowerBound), &context)
    }
    if unit.type.isDataPartition {
      throw CodecError(.unsupported, "data partitioning is not supported", byteOffset: range.lowerBound)
    }
    if let build = EncoderVersion.x264Build(bytes, unit) {
      countsSmallBlocks = build < EncoderVersion.firstConformingBuild
    }
    guard unit.type.isSlice else { return try sets.note(unit, bytes, &context.budget) }
    try context.budget.chargeWork(Self.workPerSlice)
    try sets.readPending(bytes, &context.budget)
    do throws(CodecError) {
      let payload = try RawPayload(bytes, unit.payload, &context.budget)
      defer { context.budget.release(payload.chargedByteCount) }
      try decodeSlice(unit, payload, &context.budget)
    } catch {
      let located = error.located(at: error.byteOffset ?? range.lowerBound, in: error.format)
      guard error.isDamage else { throw located }
      try tolerate(located, &context)
    }
  }

  private mutating func decodeSlice(
    _ unit: NALUnit, _ payload: RawPayload, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let bytes = payload.paddedBytes.span
    let content = bytes.extracting(0..<min(payload.byteCount, Self.maximumHeaderByteCount))
    var reader = BitReader(content)
    let sets = try sets.sets(pictureID: try SliceHeader.readPrefix(&reader).pictureID)
    let sequence = self.sequence ?? sets.sequence
    let header = try SliceHeader(content, unit, sequence, sets.picture)
    if header.isRedundant { return }
    if let firstHeader, decoder != nil, !header.isInSamePicture(as: firstHeader) {
      guard decoder?.isSecondField == false, secondFieldKind == nil, header.isInOppositeField(of: firstHeader) else {
        isEnded = true
        return
      }
      if let kind = header.unsupportedKind {
        secondFieldKind = kind
        return
      }
      try decoder?.startSecondField(header.structure, &budget)
      self.firstHeader = header
    }
    if let kind = header.unsupportedKind {
      // Slices of the second field that follow its first one are not decoded either.
      throw CodecError(.unsupported, "\(kind) slices are not supported")
    }
    if decoder == nil { try start(sequence, header, &budget) }
    decoder?.countsSmallBlocks = countsSmallBlocks
    try decoder?.decode(header, sets.picture, bytes, byteCount: payload.byteCount, &budget)
  }

  /// Starts a picture. If that fails, a later slice may start it.
  private mutating func start(
    _ sequence: SequenceParameterSet, _ header: SliceHeader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      decoder = try PictureDecoder(sequence, header.structure, &budget)
      (self.sequence, firstHeader) = (sequence, header)
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      throw error
    }
  }

  /// Throws an error if decoding is strict; otherwise notes it, and throws it at the end if nothing is decoded.
  mutating func tolerate(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    try context.tolerate(error, as: .damage)
    firstError = firstError ?? error
  }

  /// Filters the picture and returns it.
  mutating func finish(_ context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    guard let decoder = decoder.take(), decoder.decodedCount > 0 else {
      throw firstError ?? CodecError(.malformed, "there is no slice")
    }
    let (count, decodedCount, isSingleField) = (decoder.count, decoder.decodedCount, decoder.isSingleField)
    if decodedCount < count {
      let reason = "\(count - decodedCount) of \(count) macroblocks are missing"
      try tolerate(CodecError(.truncated, reason), &context)
    }
    if isSingleField {
      let reason =
        secondFieldKind.map { "the second field has \($0) slices, which are not supported" }
        ?? "the second field is missing"
      try tolerate(CodecError(secondFieldKind == nil ? .truncated : .unsupported, reason), &context)
    }
    return DecodedPlanes(
      picture: try decoder.finish(context.budget), isComplete: decodedCount == count && !isSingleField)
  }
}
