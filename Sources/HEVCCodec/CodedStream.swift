// The NAL units of one picture in order: parameter sets, then slice segments.

internal import ImageCore
internal import PixelPlanes

/// The parameter sets that have been read, by identifier.
struct ParameterSets {
  private var sequences: [Int: SequenceParameterSet] = [:]
  private var pictures: [Int: PictureParameterSet] = [:]
  /// Bytes of the largest parameter set that is read. With all lists, offsets and timing they have a few thousand.
  private static let maximumByteCount = 1 << 16
  /// Why a parameter set could not be read.
  private var failure: CodecError?

  /// Reads a unit if it is a parameter set. One that cannot be read matters only if a picture refers to it.
  mutating func read(_ unit: NALUnit, _ bytes: Span<UInt8>) {
    guard unit.layer == 0, unit.payload.count <= Self.maximumByteCount else { return }
    do throws(CodecError) {
      switch unit.type {
      case .sequenceParameterSet:
        let payload = RawPayload(bytes, unit.payload)
        let set = try SequenceParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount))
        sequences[set.id] = set
      case .pictureParameterSet:
        let payload = RawPayload(bytes, unit.payload)
        let set = try PictureParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount)) { id in
          sequences[id]?.chromaFormat == .yuv444
        }
        pictures[set.id] = set
      default: break
      }
    } catch {
      failure = failure ?? error
    }
  }

  /// The sets that a slice refers to.
  ///
  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/unsupported``.
  func sets(pictureID: Int) throws(CodecError) -> (SequenceParameterSet, PictureParameterSet) {
    guard let picture = pictures[pictureID] else {
      throw failure ?? CodecError(.malformed, "there is no picture parameter set \(pictureID)")
    }
    guard let sequence = sequences[picture.sequenceID] else {
      throw failure ?? CodecError(.malformed, "there is no sequence parameter set \(picture.sequenceID)")
    }
    return (sequence, picture)
  }
}

/// How a picture is framed, and the parameter sets of its configuration.
struct CodedStream {
  private let framing: NALUnitFraming
  private let configured: ParameterSets

  /// - Throws: ``CodecError/Kind/malformed``, ``CodecError/Kind/truncated``.
  init(_ picture: borrowing CodedPicture) throws(CodecError) {
    var sets = ParameterSets()
    if picture.configuration.isEmpty {
      framing = .startCodes
    } else {
      let configuration = try DecoderConfiguration(picture.configuration)
      framing = .lengthPrefixed(byteCount: configuration.lengthByteCount)
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
    _ picture: borrowing CodedPicture, isStrict: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    var decoding = PictureDecoding(configured)
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

/// The decoding of one picture from its NAL units.
private struct PictureDecoding: ~Copyable {
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
  /// Bytes of the longest slice header that is read.
  private static let maximumHeaderByteCount = 1 << 20

  init(_ sets: ParameterSets) {
    self.sets = sets
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
      if picture == nil { sets.read(unit, bytes) }
      return
    }
    do throws(CodecError) {
      let payload = try RawPayload(bytes, unit.payload, &budget)
      defer { budget.release(payload.chargedByteCount) }
      try decodeSlice(unit, payload, isStrict: isStrict, &budget)
    } catch {
      let located = CodecError(
        error.kind, error.reason, format: error.format, byteOffset: error.byteOffset ?? range.lowerBound)
      guard error.kind == .malformed || error.kind == .truncated else { throw located }
      try report(located, isStrict: isStrict)
    }
  }

  private mutating func decodeSlice(
    _ unit: NALUnit, _ payload: RawPayload, isStrict: Bool, _ budget: inout ResourceBudget
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
      picture = try PictureDecoder(sequence, parameters, &budget)
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
    picture.finishPicture()
    budget.release(picture.workingByteCount)
    let isComplete = picture.isComplete
    return DecodedPlanes(picture: picture.result, diagnostics: diagnostics, isComplete: isComplete)
  }
}
