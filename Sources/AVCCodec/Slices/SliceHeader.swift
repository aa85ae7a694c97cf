// The header of a slice (section 7.3.3).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The part of a frame that a picture is.
enum PictureStructure: Hashable {
  case frame
  case topField
  case bottomField
}

/// The fields that differ between slices of successive pictures (section 7.4.1.2.4).
struct PictureIdentity: Hashable {
  var frameNumber: UInt32 = 0
  var isReference = false
  var isInstantaneousRefresh = false
  var instantaneousRefreshID = 0
  var orderCount: UInt32 = 0
  var orderDeltas: [Int32] = []
}

/// The header of a slice of intra-coded macroblocks.
struct SliceHeader {
  private(set) var structure = PictureStructure.frame
  private(set) var identity = PictureIdentity()
  /// The address of the first macroblock, or of the first pair of macroblocks.
  private(set) var firstAddress = 0
  /// The kind of a slice that is not intra-coded. Nothing but ``structure`` and ``identity`` is read of such a slice.
  private(set) var unsupportedKind: StaticString?
  /// `colour_plane_id`.
  private(set) var plane = 0
  private(set) var isRedundant = false
  /// `SliceQPY`.
  private(set) var qp = 26
  private(set) var deblocking = DeblockingParameters()
  /// The index of the first bit of slice data in the payload.
  private(set) var dataBitIndex = 0

  /// Reads the fields before the parameter sets must be known.
  static func readPrefix(
    _ reader: inout BitReader
  ) throws(CodecError) -> (address: Int, type: Int, pictureID: Int) {
    let address = try reader.readUnsigned(in: 0...(1 << 24), "first_mb_in_slice")
    let type = try reader.readUnsigned(in: 0...9, "slice_type") % 5
    return (address, type, try reader.readUnsigned(in: 0...255, "pic_parameter_set_id"))
  }

  /// - Throws: `CodecError.Kind.malformed`.
  init(
    _ bytes: Span<UInt8>, _ unit: NALUnit, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(CodecError) {
    var reader = BitReader(bytes)
    let type: Int
    (firstAddress, type, _) = try Self.readPrefix(&reader)
    switch type {
    case 0: unsupportedKind = "P"
    case 1: unsupportedKind = "B"
    case 3: unsupportedKind = "SP"
    case 4: unsupportedKind = "SI"
    default: break
    }
    if sequence.hasSeparatePlanes {
      plane = reader.readInt(2)
      guard plane < 3 else { throw CodecError(.malformed, "colour_plane_id is 3") }
    }
    try readIdentity(&reader, unit, sequence, picture)
    guard unsupportedKind == nil else { return }
    if unit.isReference { try Self.skipReferenceMarking(&reader, isRefresh: identity.isInstantaneousRefresh) }
    try readQuantization(&reader, sequence, picture)
    guard !reader.isExhausted else { throw CodecError(.malformed, "the slice header ends early") }
    dataBitIndex = reader.position
  }

  private mutating func readIdentity(
    _ reader: inout BitReader, _ unit: NALUnit, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(CodecError) {
    identity.isReference = unit.isReference
    identity.isInstantaneousRefresh = unit.type == .instantaneousRefreshSlice
    identity.frameNumber = reader.read(sequence.frameNumberBitCount)
    if !sequence.hasFramesOnly, reader.readFlag() { structure = reader.readFlag() ? .bottomField : .topField }
    if identity.isInstantaneousRefresh {
      identity.instantaneousRefreshID = try reader.readUnsigned(in: 0...65535, "idr_pic_id")
    }
    let hasFieldDelta = picture.hasFieldOrderCounts && structure == .frame
    switch sequence.pictureOrder {
    case .leastSignificantBits(let count):
      identity.orderCount = reader.read(count)
      if hasFieldDelta { identity.orderDeltas.append(reader.readSigned()) }
    case .deltas(areAlwaysZero: false):
      identity.orderDeltas.append(reader.readSigned())
      if hasFieldDelta { identity.orderDeltas.append(reader.readSigned()) }
    case .deltas, .outputOrder: break
    }
    if picture.hasRedundantPictures {
      isRedundant = try reader.readUnsigned(in: 0...127, "redundant_pic_cnt") > 0
    }
  }

  /// `dec_ref_pic_marking`: how later pictures refer to this one.
  private static func skipReferenceMarking(_ reader: inout BitReader, isRefresh: Bool) throws(CodecError) {
    if isRefresh { return reader.skip(2) }
    guard reader.readFlag() else { return }
    while true {
      switch try reader.readUnsigned(in: 0...6, "memory_management_control_operation") {
      case 0: return
      case 1, 2, 4, 6: _ = reader.readUnsigned()
      case 3: for _ in 0..<2 { _ = reader.readUnsigned() }
      default: break
      }
    }
  }

  private mutating func readQuantization(
    _ reader: inout BitReader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(CodecError) {
    qp = picture.initialQP + Int(reader.readSigned())
    guard (-6 * (sequence.bitDepth - 8)...51).contains(qp) else {
      throw CodecError(.malformed, "the quantization parameter of a slice is \(qp)")
    }
    guard picture.hasDeblockingControl else { return }
    switch try reader.readUnsigned(in: 0...2, "disable_deblocking_filter_idc") {
    case 0: break
    case 1:
      deblocking.isEnabled = false
      return
    default: deblocking.crossesSlices = false
    }
    deblocking.alphaOffset = try reader.readSigned(in: -6...6, "slice_alpha_c0_offset_div2") * 2
    deblocking.betaOffset = try reader.readSigned(in: -6...6, "slice_beta_offset_div2") * 2
  }

  /// Whether the slice belongs to the same field or frame as another one.
  func isInSamePicture(as other: SliceHeader) -> Bool {
    structure == other.structure && identity == other.identity
  }

  /// Whether the slice belongs to the other field of the same frame.
  func isInOppositeField(of other: SliceHeader) -> Bool {
    structure != .frame && other.structure != .frame && structure != other.structure
      && identity.frameNumber == other.identity.frameNumber
  }
}

/// How the edges of a slice are deblocked.
package struct DeblockingParameters {
  var isEnabled = true
  /// Whether edges of the slice to others are filtered.
  var crossesSlices = true
  /// `FilterOffsetA` and `FilterOffsetB`.
  var alphaOffset = 0
  var betaOffset = 0

  package init(alphaOffset: Int = 0, betaOffset: Int = 0) {
    (self.alphaOffset, self.betaOffset) = (alphaOffset, betaOffset)
  }
}
