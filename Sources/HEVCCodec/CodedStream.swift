// The NAL units of one picture in order: parameter sets, then slice segments.

internal import ImageCore
internal import PixelPlanes

/// How a picture is framed, and the parameter sets of its configuration.
struct CodedStream {
  private let framing: NALUnitFraming
  private let configured: ParameterSets
  /// Why the configuration could not be read to its end. It matters to strict decoding, and if a set is missing.
  private let failure: CodecError?

  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/truncated``.
  init(_ picture: borrowing CodedPicture) throws(CodecError) {
    var sets = ParameterSets()
    if picture.configuration.isEmpty {
      framing = .startCodes
      failure = nil
    } else {
      let configuration = try DecoderConfiguration(picture.configuration)
      framing = .lengthPrefixed(byteCount: configuration.lengthByteCount)
      failure = configuration.failure
      sets.failure = configuration.failure
      for range in configuration.units {
        if let unit = NALUnit(picture.configuration, range) { sets.read(unit, picture.configuration) }
      }
    }
    configured = sets
  }

  /// What the parameter sets of the first slice state.
  func description(_ picture: borrowing CodedPicture) throws(CodecError) -> CodedPictureDescription {
    var sets = configured
    var reader = NALUnitReader(framing)
    while let range = reader.next(picture.payload) {
      guard let unit = NALUnit(picture.payload, range), unit.layer == 0 else { continue }
      guard unit.type.isSliceSegment else {
        sets.read(unit, picture.payload)
        continue
      }
      // An identifier is in the first bytes, where no byte is inserted.
      var header = BitReader(picture.payload.extracting(unit.payload))
      let (sequence, _) = try sets.sets(pictureID: SliceHeader.readPrefix(&header, type: unit.type).id)
      return CodedPictureDescription(
        width: sequence.columns.count, height: sequence.rows.count, bitDepth: sequence.bitDepth,
        chromaFormat: sequence.chromaFormat, coding: sequence.coding, codePoints: sequence.usability.codePoints)
    }
    throw CodecError(.malformed, "there is no slice")
  }

  /// Decodes the first picture.
  func decode(
    _ picture: borrowing CodedPicture, isStrict: Bool, threadCount: Int, minimumParallelSampleCount: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    if isStrict, let failure { throw failure }
    var decoding = PictureDecoding(
      configured, threadCount: threadCount, minimumParallelSampleCount: minimumParallelSampleCount)
    var reader = NALUnitReader(framing)
    while !decoding.isEnded, let range = reader.next(picture.payload) {
      try budget.chargeWork(100)
      try decoding.read(range, picture.payload, isStrict: isStrict, &budget)
    }
    if reader.isTruncated, !decoding.isEnded {
      try decoding.report(
        CodecError(.truncated, "the last NAL unit is cut off", byteOffset: picture.payload.count), isStrict: isStrict)
    }
    return try decoding.finish(isStrict: isStrict, &budget)
  }
}
