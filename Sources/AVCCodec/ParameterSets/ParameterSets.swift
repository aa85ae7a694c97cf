// The parameter sets of a stream, which slices refer to by number.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The parameter sets that have been read, by identifier.
///
/// A stream may repeat its sets without end. Of each identifier, only the last set before a slice is parsed. A picture
/// parameter set cannot be parsed without its sequence parameter set, on which its fields depend.
struct ParameterSets {
  private var sequences: [Int: SequenceParameterSet] = [:]
  private var pictures: [Int: PictureParameterSet] = [:]
  /// The payloads of the sets that are not parsed yet: ranges of the bytes that contain them.
  private var pendingSequences: [Int: Range<Int>] = [:]
  private var pendingPictures: [Int: Range<Int>] = [:]
  /// The first error of a parameter set.
  var failure: CodecError?

  /// Bytes of the largest parameter set that is read. With all lists and timing they have a thousand or two.
  private static let maximumByteCount = 1 << 16
  /// The work of finding the identifier of a set.
  private static let workPerIdentifier = 200
  /// The work of parsing a set. Codes have one bit or more, each of which is read separately.
  private static let workPerSet = 2_000
  private static let workPerByte = 40
  /// The memory of a set with its scaling lists.
  private static let byteCountPerSet = 1_500

  /// Notes a unit if it is a parameter set. ``readPending(_:_:)`` parses it.
  mutating func note(
    _ unit: NALUnit, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard unit.payload.count <= Self.maximumByteCount else { return }
    switch unit.type {
    case .sequenceParameterSet:
      let start = try start(of: unit, bytes, SequenceParameterSet.maximumIdentifierByteCount, &budget)
      let id = identifier { () throws(CodecError) in
        try SequenceParameterSet.id(start.paddedBytes.span.extracting(0..<start.byteCount))
      }
      if let id { pendingSequences[id] = unit.payload }
    case .pictureParameterSet:
      let start = try start(of: unit, bytes, PictureParameterSet.maximumIdentifierByteCount, &budget)
      let id = identifier { () throws(CodecError) in
        try PictureParameterSet.ids(start.paddedBytes.span.extracting(0..<start.byteCount)).picture
      }
      if let id { pendingPictures[id] = unit.payload }
    default: break
    }
  }

  /// The first bytes of a set, without those that were inserted.
  private func start(
    of unit: NALUnit, _ bytes: Span<UInt8>, _ maximumByteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> RawPayload {
    try budget.chargeWork(Self.workPerIdentifier)
    let count = min(unit.payload.count, maximumByteCount)
    return RawPayload(bytes, unit.payload.lowerBound..<unit.payload.lowerBound + count)
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
        let bytes = payload.paddedBytes.span.extracting(0..<payload.byteCount)
        let sequenceID = try PictureParameterSet.ids(bytes).sequence
        guard let sequence = sequences[sequenceID] else {
          throw CodecError(.malformed, "there is no sequence parameter set \(sequenceID)")
        }
        pictures[id] = try PictureParameterSet(bytes, sequence: sequence)
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
    try budget.allocate(Self.byteCountPerSet)
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
