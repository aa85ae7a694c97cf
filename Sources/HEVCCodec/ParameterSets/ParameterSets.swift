// The parameter sets of a stream, which slices refer to by number.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The parameter sets that have been read, by identifier.
///
/// A stream may repeat its sets without end. Of each identifier, only the last set before a slice is parsed.
struct ParameterSets {
  private var sequences: [Int: SequenceParameterSet] = [:]
  private var pictures: [Int: PictureParameterSet] = [:]
  /// The payloads of the sets that are not parsed yet: ranges of the bytes that contain them.
  private var pendingSequences: [Int: Range<Int>] = [:]
  private var pendingPictures: [Int: Range<Int>] = [:]
  /// The first error of a parameter set.
  var failure: CodecError?

  /// Bytes of the largest parameter set that is read. With all lists, offsets and timing they have a few thousand.
  private static let maximumByteCount = 1 << 16
  /// The work of finding the identifier of a sequence parameter set, which follows the profile and the levels.
  private static let workPerIdentifier = 500
  /// The work of parsing a set. Codes have one bit or more, each of which is read separately.
  private static let workPerSet = 2_000
  private static let workPerByte = 40
  /// The memory of a set, in addition to its tiles, of which each bit may state one.
  private static let byteCountPerSet = 6_000
  private static let maximumTileByteCount = 32 << 10

  /// Notes a unit if it is a parameter set. ``readPending(_:_:)`` parses it.
  mutating func note(
    _ unit: NALUnit, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard unit.layer == 0, unit.payload.count <= Self.maximumByteCount else { return }
    switch unit.type {
    case .sequenceParameterSet:
      try budget.chargeWork(Self.workPerIdentifier)
      let count = min(unit.payload.count, SequenceParameterSet.maximumIdentifierByteCount)
      let start = RawPayload(bytes, unit.payload.lowerBound..<unit.payload.lowerBound + count)
      let id = identifier { () throws(CodecError) in
        try SequenceParameterSet.id(start.paddedBytes.span.extracting(0..<start.byteCount))
      }
      if let id { pendingSequences[id] = unit.payload }
    case .pictureParameterSet:
      // The identifier is in the first bytes, where no byte is inserted.
      let id = identifier { () throws(CodecError) in
        try PictureParameterSet.id(bytes.extracting(unit.payload))
      }
      if let id { pendingPictures[id] = unit.payload }
    default: break
    }
  }

  private mutating func identifier(_ read: () throws(CodecError) -> Int) -> Int? {
    do throws(CodecError) {
      return try read()
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// Parses the sets that were noted. One that cannot be parsed matters only if a picture refers to it.
  ///
  /// - Parameter bytes: those that contain the units.
  mutating func readPending(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    for id in pendingSequences.keys.sorted() {
      guard let range = pendingSequences.removeValue(forKey: id) else { continue }
      let payload = try payload(range, of: bytes, &budget)
      defer { budget.release(payload.chargedByteCount) }
      do throws(CodecError) {
        sequences[id] = try SequenceParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount))
      } catch {
        failure = failure ?? error
      }
    }
    for id in pendingPictures.keys.sorted() {
      guard let range = pendingPictures.removeValue(forKey: id) else { continue }
      let payload = try payload(range, of: bytes, &budget)
      defer { budget.release(payload.chargedByteCount) }
      do throws(CodecError) {
        pictures[id] = try PictureParameterSet(payload.paddedBytes.span.extracting(0..<payload.byteCount))
      } catch {
        failure = failure ?? error
      }
    }
  }

  /// Returns the payload of a set, and charges the set.
  private func payload(
    _ range: Range<Int>, of bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RawPayload {
    try budget.chargeWork(Self.workPerSet + range.count * Self.workPerByte)
    try budget.allocate(Self.byteCountPerSet + min(range.count * 64, Self.maximumTileByteCount))
    return try RawPayload(bytes, range, &budget)
  }

  /// The sets that a slice refers to, among those that were parsed.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.unsupported`.
  func sets(pictureID: Int) throws(CodecError) -> (sequence: SequenceParameterSet, picture: PictureParameterSet) {
    guard let picture = pictures[pictureID] else {
      throw failure ?? CodecError(.malformed, "there is no picture parameter set \(pictureID)")
    }
    guard let sequence = sequences[picture.sequenceID] else {
      throw failure ?? CodecError(.malformed, "there is no sequence parameter set \(picture.sequenceID)")
    }
    return (sequence, picture)
  }
}
