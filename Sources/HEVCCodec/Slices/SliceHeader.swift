// The header of a slice segment (section 7.3.6.1).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The parameters that the blocks of a slice have in common.
struct SliceParameters {
  /// `SliceAddrRs`: the raster address of the first block of the slice.
  var address: Int32 = 0
  /// `SliceQpY`.
  var qp = 26
  /// `slice_cb_qp_offset` and `slice_cr_qp_offset`.
  var cbOffset = 0
  var crOffset = 0
  var hasBlockChromaOffsets = false
  var isSAOLumaEnabled = false
  var isSAOChromaEnabled = false
  var isDeblockingDisabled = false
  var betaOffset = 0
  var tcOffset = 0
  /// Whether edges of the slice at the left and at the top are filtered.
  var filtersAcross = false
}

/// The header of a slice segment.
struct SliceHeader {
  let isFirstInPicture: Bool
  let pictureParameterSetID: Int
  private(set) var isDependent = false
  /// The raster address of the first block.
  private(set) var address = 0
  /// The parameters of the slice; those of the preceding segment if this one depends on it.
  private(set) var parameters: SliceParameters
  /// The byte counts of all substreams but the last one if each row has one, otherwise empty.
  private(set) var rowByteCounts: [Int] = []
  /// The index of the first byte of the entropy-coded data in the payload.
  private(set) var dataOffset = 0

  /// Reads the fields before the parameter sets must be known.
  static func readPrefix(_ reader: inout BitReader, type: NALUnitType) throws(CodecError) -> (isFirst: Bool, id: Int) {
    let isFirst = reader.readFlag()
    if type.isRandomAccessPoint { reader.skip(1) }
    return (isFirst, try reader.readUnsigned(in: 0...63, "slice_pic_parameter_set_id"))
  }

  /// - Parameters:
  ///   - previous: the parameters of the preceding segment of the picture.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.unsupported` for slices that are not intra-coded.
  init(
    _ bytes: Span<UInt8>, type: NALUnitType, sequence: SequenceParameterSet, picture: PictureParameterSet,
    previous: SliceParameters?
  ) throws(CodecError) {
    let blockCount = sequence.codingTreeBlockCount
    var reader = BitReader(bytes)
    (isFirstInPicture, pictureParameterSetID) = try Self.readPrefix(&reader, type: type)
    parameters = SliceParameters()
    if !isFirstInPicture {
      if picture.hasDependentSegments { isDependent = reader.readFlag() }
      address = reader.readInt(Self.bitCount(blockCount))
      guard address > 0, address < blockCount else {
        throw CodecError(.malformed, "slice_segment_address is \(address)")
      }
    }
    if isDependent {
      guard let previous else { throw CodecError(.malformed, "a dependent slice segment follows no other") }
      parameters = previous
    } else {
      parameters.address = Int32(address)
      reader.skip(picture.extraHeaderBitCount)
      try readSliceFields(&reader, type: type, sequence, picture)
    }
    if picture.isTiled || picture.isWavefront {
      try readEntryPoints(
        &reader, blockCount: blockCount, rowCount: picture.isTiled ? 0 : sequence.codingTreeBlockRows)
    }
    if picture.hasHeaderExtension {
      reader.skip(8 * (try reader.readUnsigned(in: 0...256, "slice_segment_header_extension_length")))
    }
    // alignment_bit_equal_to_one, then zeros.
    reader.skip(1)
    guard !reader.isExhausted else { throw CodecError(.malformed, "the slice header ends early") }
    dataOffset = (reader.position + 7) / 8
  }

  private mutating func readSliceFields(
    _ reader: inout BitReader, type: NALUnitType, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(CodecError) {
    switch try reader.readUnsigned(in: 0...2, "slice_type") {
    case 0: throw CodecError(.unsupported, "B slices are not supported")
    case 1: throw CodecError(.unsupported, "P slices are not supported")
    default: break
    }
    if picture.hasOutputFlag { reader.skip(1) }
    if !type.isInstantaneousRefresh { try Self.skipReferences(&reader, sequence) }
    if sequence.isSAOEnabled {
      parameters.isSAOLumaEnabled = reader.readFlag()
      if sequence.chromaFormat != .monochrome { parameters.isSAOChromaEnabled = reader.readFlag() }
    }
    let qpOffset = 6 * (sequence.bitDepth - 8)
    parameters.qp = picture.initialQP + (try reader.readSigned(in: -200...200, "slice_qp_delta"))
    guard (-qpOffset...51).contains(parameters.qp) else {
      throw CodecError(.malformed, "the quantization parameter of the slice is \(parameters.qp)")
    }
    if picture.hasSliceChromaOffsets {
      parameters.cbOffset = try reader.readSigned(in: -12...12, "slice_cb_qp_offset")
      parameters.crOffset = try reader.readSigned(in: -12...12, "slice_cr_qp_offset")
    }
    if picture.chromaOffsetDepth != nil { parameters.hasBlockChromaOffsets = reader.readFlag() }
    try readDeblocking(&reader, picture)
  }

  private mutating func readDeblocking(
    _ reader: inout BitReader, _ picture: PictureParameterSet
  ) throws(CodecError) {
    parameters.isDeblockingDisabled = picture.isDeblockingDisabled
    (parameters.betaOffset, parameters.tcOffset) = (picture.betaOffset, picture.tcOffset)
    if picture.canOverrideDeblocking, reader.readFlag() {
      parameters.isDeblockingDisabled = reader.readFlag()
      if !parameters.isDeblockingDisabled {
        parameters.betaOffset = try reader.readSigned(in: -6...6, "slice_beta_offset_div2") * 2
        parameters.tcOffset = try reader.readSigned(in: -6...6, "slice_tc_offset_div2") * 2
      }
    }
    parameters.filtersAcross = picture.filtersAcrossSlices
    if picture.filtersAcrossSlices,
      parameters.isSAOLumaEnabled || parameters.isSAOChromaEnabled || !parameters.isDeblockingDisabled
    {
      parameters.filtersAcross = reader.readFlag()
    }
  }

  /// Skips the picture order count and the reference picture sets of an intra picture other than IDR.
  private static func skipReferences(
    _ reader: inout BitReader, _ sequence: SequenceParameterSet
  ) throws(CodecError) {
    reader.skip(sequence.pictureOrderBitCount)
    let setCount = sequence.shortTermSets.count
    if !reader.readFlag() {
      _ = try ShortTermReferenceSet(
        parsing: &reader, index: setCount, isInSliceHeader: true, sequence.shortTermSets)
    } else if setCount > 1 {
      reader.skip(bitCount(setCount))
    }
    if let candidateCount = sequence.longTermPictureCount {
      let fromSequence = candidateCount > 0 ? try reader.readUnsigned(in: 0...32, "num_long_term_sps") : 0
      let ownCount = try reader.readUnsigned(in: 0...32, "num_long_term_pics")
      for index in 0..<fromSequence + ownCount {
        if index < fromSequence {
          reader.skip(bitCount(candidateCount))
        } else {
          reader.skip(sequence.pictureOrderBitCount + 1)
        }
        if reader.readFlag() { _ = reader.readUnsigned() }
      }
    }
    if sequence.isMotionPredictionEnabled { reader.skip(1) }
  }

  /// Reads the byte counts of substreams. Substreams follow each other, so that serial decoding finds them without.
  private mutating func readEntryPoints(
    _ reader: inout BitReader, blockCount: Int, rowCount: Int
  ) throws(CodecError) {
    let count = try reader.readUnsigned(in: 0...blockCount, "num_entry_point_offsets")
    guard count > 0 else { return }
    let width = try reader.readUnsigned(in: 0...31, "offset_len_minus1") + 1
    guard count <= reader.remainingBitCount / width else {
      throw CodecError(.malformed, "the entry points exceed the slice")
    }
    guard count == rowCount - 1 else { return reader.skip(count * width) }
    rowByteCounts.reserveCapacity(count)
    for _ in 0..<count {
      let high = width > 16 ? reader.readInt(width - 16) << 16 : 0
      rowByteCounts.append((high | reader.readInt(min(width, 16))) + 1)
    }
  }

  /// Bits of an index less than `count`: Ceil(Log2(count)).
  private static func bitCount(_ count: Int) -> Int {
    count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}
