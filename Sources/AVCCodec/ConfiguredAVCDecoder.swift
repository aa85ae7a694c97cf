// The decoder of a stream whose decoder configuration record has been read.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// Decodes the pictures of a stream with its framing and the parameter sets of its configuration.
struct ConfiguredAVCDecoder: ConfiguredPictureDecoder {
  private let framing: NALUnitFraming
  private var configured: ParameterSets
  /// The error at which reading of the configuration ended. It matters to strict decoding, and if a set is missing.
  private let failure: CodecError?

  private static let workPerUnit = 100
  /// The bytes within which a slice states its parameter set.
  private static let prefixByteCount = 32

  /// Reads a configuration record. Without one, pictures are byte streams with start codes.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; errors of the budget.
  init(configuredBy record: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    var sets = ParameterSets()
    if record.isEmpty {
      framing = .startCodes
      failure = nil
    } else {
      var configuration = try DecoderConfiguration(record)
      framing = .lengthPrefixed(byteCount: configuration.lengthByteCount)
      while let range = configuration.nextUnit(record) {
        try budget.chargeWork(Self.workPerUnit)
        if let unit = NALUnit(record, range) { try sets.note(unit, record, &budget) }
      }
      failure = configuration.failure
      sets.failure = configuration.failure ?? sets.failure
      try sets.readPending(record, &budget)
    }
    configured = sets
  }

  /// The values that the parameter sets of the first slice state.
  func description(
    of payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    let (format, heldByteCount) = (budget.format, budget.heldByteCount)
    defer { budget.settle(heldByteCount: heldByteCount) }
    do throws(CodecError) {
      return try describe(payload, &budget)
    } catch {
      throw error.inFormat(format)
    }
  }

  private func describe(
    _ payload: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    var sets = configured
    var reader = NALUnitReader(framing)
    while let range = reader.next(payload) {
      try budget.chargeWork(Self.workPerUnit)
      guard let unit = NALUnit(payload, range) else { continue }
      guard unit.type.isSlice else {
        try sets.note(unit, payload, &budget)
        continue
      }
      try sets.readPending(payload, &budget)
      let start = RawPayload(
        payload, unit.payload.lowerBound..<unit.payload.lowerBound + min(unit.payload.count, Self.prefixByteCount))
      var header = BitReader(start.paddedBytes.span.extracting(0..<start.byteCount))
      let (sequence, _) = try sets.sets(pictureID: SliceHeader.readPrefix(&header).pictureID)
      return CodedPictureDescription(
        width: sequence.columns.count, height: sequence.rows.count, bitDepth: sequence.bitDepth,
        chromaFormat: sequence.chromaFormat, coding: sequence.coding, codePoints: sequence.usability.codePoints)
    }
    throw CodecError(.malformed, "there is no slice")
  }

  /// Returns the decoder of pictures that follow one with parameter sets, as those of sample entries of type `avc3` may.
  func following(
    _ payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    var other = self
    var reader = NALUnitReader(framing)
    while let range = reader.next(payload) {
      try budget.chargeWork(Self.workPerUnit)
      guard let unit = NALUnit(payload, range) else { continue }
      if unit.type.isSlice { break }
      try other.configured.note(unit, payload, &budget)
    }
    try other.configured.readPending(payload, &budget)
    return other.erased
  }

  /// Decodes the first picture.
  func decode(_ payload: Span<UInt8>, context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    let heldByteCount = context.budget.heldByteCount
    do throws(CodecError) {
      let planes = try decodeAccessUnit(payload, &context)
      context.budget.settle(heldByteCount: heldByteCount + planes.picture.rawPlanesByteCount)
      return planes
    } catch {
      context.budget.settle(heldByteCount: heldByteCount)
      throw error.inFormat(context.format)
    }
  }

  private func decodeAccessUnit(
    _ payload: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodedPlanes {
    if context.isStrict, let failure { throw failure }
    var accessUnit = AccessUnitDecoder(configured)
    var reader = NALUnitReader(framing)
    while !accessUnit.isEnded, let range = reader.next(payload) {
      try context.budget.chargeWork(Self.workPerUnit)
      try accessUnit.read(range, payload, &context)
    }
    if reader.isTruncated, !accessUnit.isEnded {
      try accessUnit.tolerate(
        CodecError(.truncated, "the last NAL unit is cut off", byteOffset: payload.count), &context)
    }
    return try accessUnit.finish(&context)
  }
}
