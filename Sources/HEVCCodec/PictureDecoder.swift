// One picture: slice segments are decoded one coding tree block (CTB) after the other, and filtered row by row.

internal import ImageCoding
internal import PixelPlanes

/// Decodes the slice segments of one picture into planes.
///
/// A ``SliceDecoder`` reads the syntax of CTBs and has ``BlockReconstruction`` predict blocks and add their residuals.
/// Both work on a ``DecodedPicture``, of which ``InLoopFilter`` writes final rows to the planes.
struct PictureDecoder: ~Copyable, Sendable {
  var picture: DecodedPicture
  var slices: SliceDecoder
  var filter: InLoopFilter

  /// - Throws: `CodecError.Kind.limitExceeded`, `CodecError.Kind.malformed`.
  init(
    _ sequence: SequenceParameterSet, _ parameterSet: PictureParameterSet, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let parameters = CodingParameters(sequence, parameterSet)
    try Self.checkWork(ofPicture: sequence, parameters, &budget)
    let filter = try InLoopFilter(sequence, parameters, &budget)
    let picture = try DecodedPicture(sequence, parameterSet, parameters, &budget)
    let slices = try SliceDecoder(parameters, &budget)
    (self.filter, self.picture, self.slices) = (filter, picture, slices)
  }

  /// Whether a CTB, or one that follows it in decoding order, has been decoded.
  func hasDecoded(_ address: Int) -> Bool { Int(picture.layout.decodingOrder[address]) < picture.nextPlace }

  /// Decodes a slice segment.
  ///
  /// - Parameters:
  ///   - bytes: the payload of its NAL unit and padding.
  ///   - byteCount: of the payload.
  /// - Throws: `CodecError.Kind.malformed` if decoding stops early; errors of the budget.
  mutating func decode(
    _ header: SliceHeader, _ bytes: Span<UInt8>, byteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var work = SegmentWork(header, byteCount: byteCount)
    try budget.requireWork(count: work.rest, unitsEach: 1)
    if !header.isDependent { try picture.append(header.parameters, &budget) }
    slices.start(header, at: header.dataOffset, byteCount: byteCount, bytes)
    let reason = try decodeCodingTreeBlocks(from: header.address, bytes, &work, &budget)
    // The bytes that were not read, because the segment is damaged.
    try budget.chargeWorkInParts(count: work.rest, unitsEach: 1)
    if let reason { throw CodecError(.malformed, "\(reason)") }
  }

  /// - Returns: the reason for which decoding stopped early; `nil` if it did not.
  private mutating func decodeCodingTreeBlocks(
    from address: Int, _ bytes: Span<UInt8>, _ work: inout SegmentWork, _ budget: inout ResourceBudget
  ) throws(CodecError) -> StaticString? {
    for place in Int(picture.layout.decodingOrder[address])..<picture.count {
      try budget.chargeWork(Self.workPerBlock(picture.parameters) &+ work.units(upTo: slices.cabac.alignedIndex))
      let address = Int(picture.layout.rasterAddresses[place])
      slices.decodeCodingTreeBlock(address, &picture, bytes)
      if let damage = slices.damage {
        picture.discard(slices.position)
        return damage
      }
      picture.finishCodingTreeBlock(atPlace: place)
      if picture.layout.isRowByRow, (address + 1) % picture.layout.columnCount == 0 {
        filterRows(decodedRowCount: (address + 1) / picture.layout.columnCount)
      }
      if slices.readEnd(bytes) { return nil }
    }
    return "a slice segment exceeds the picture"
  }

  /// Filters all that is left, and returns the planes. The work is part of that of decoding.
  consuming func finish(_ budget: borrowing ResourceBudget) throws(CodecError) -> PlanarPicture {
    for count in 1...picture.layout.rowCount {
      try budget.checkpoint()
      filterRows(decodedRowCount: count)
    }
    return filter.planes
  }

  mutating func filterRows(decodedRowCount: Int) {
    filter.filter(&picture, decodedRowCount: decodedRowCount)
  }
}

// MARK: Work

extension PictureDecoder {
  /// The work for the bytes of a slice segment, in addition to that for its CTBs. It is charged as they are read.
  struct SegmentWork {
    private(set) var rest: Int
    /// The number of bytes that have been charged.
    private var position: Int

    private static let workPerByte = 40

    init(_ header: SliceHeader, byteCount: Int) {
      rest = max(0, byteCount - header.dataOffset) * Self.workPerByte
      position = header.dataOffset
    }

    mutating func units(upTo position: Int) -> Int {
      let units = min(rest, max(0, position &- self.position) &* Self.workPerByte)
      self.position = max(self.position, position)
      rest &-= units
      return units
    }
  }

  /// The factor of the work for samples of more than 12 bits.
  private static var wideFactor: Int { 4 }

  /// The work for a CTB: that of each luma sample, which grows with the samples of chroma.
  static func workPerBlock(_ parameters: CodingParameters) -> Int {
    let workPerSample =
      switch parameters.chromaType {
      case 0: 10
      case 1: 13
      case 2: 16
      default: 22
      }
    return (workPerSample * (parameters.isWide ? wideFactor : 1)) << (2 * parameters.log2CodingTreeBlock)
  }

  /// Raises the work limit for a picture, and refuses one whose blocks are known to exceed it: deep samples cost much,
  /// and hardly any bytes.
  private static func checkWork(
    ofPicture sequence: SequenceParameterSet, _ parameters: CodingParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    budget.allowWork(
      forPixelCount: try budget.limits.checkedByteCount(
        width: sequence.width, height: sequence.height, bytesPerPixel: 1, format: budget.format))
    let work = Int64(sequence.codingTreeBlockCount) * Int64(workPerBlock(parameters))
    guard work <= budget.availableWork else {
      throw CodecError(
        .limitExceeded,
        "\(sequence.width) × \(sequence.height) samples of \(sequence.bitDepth) bits take \(work) units of work, and \(budget.availableWork) are left",
        format: budget.format, limit: .work)
    }
  }
}
