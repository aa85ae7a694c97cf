// The picture parameter set (section 7.3.2.2).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The values that all slices that refer to the set have in common.
struct PictureParameterSet {
  private(set) var id = 0
  private(set) var sequenceID = 0
  /// Whether slices are coded arithmetically (CABAC) instead of by variable-length codes (CAVLC).
  private(set) var isCABAC = false
  private(set) var hasFieldOrderCounts = false
  private(set) var initialQP = 26
  /// The offsets of the quantization parameters of Cb and Cr.
  private(set) var cbOffset = 0
  private(set) var crOffset = 0
  private(set) var hasDeblockingControl = false
  private(set) var hasRedundantPictures = false
  private(set) var hasLargeTransform = false
  /// Those of the sequence unless the set has its own.
  private(set) var scalingLists: ScalingLists?

  /// Reads the identifiers alone.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  static func ids(_ bytes: Span<UInt8>) throws(CodecError) -> (picture: Int, sequence: Int) {
    var reader = BitReader(bytes)
    return try readIDs(&reader)
  }

  /// The bytes within which the identifiers end, inserted ones included.
  static let maximumIdentifierByteCount = 8

  private static func readIDs(_ reader: inout BitReader) throws(CodecError) -> (picture: Int, sequence: Int) {
    let id = try reader.readUnsigned(in: 0...255, "pic_parameter_set_id")
    return (id, try reader.readUnsigned(in: 0...31, "seq_parameter_set_id"))
  }

  /// - Parameter bytes: the payload, up to its last byte that is not 0.
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.unsupported`.
  init(_ bytes: Span<UInt8>, sequence: SequenceParameterSet) throws(CodecError) {
    var reader = BitReader(bytes)
    (id, sequenceID) = try Self.readIDs(&reader)
    isCABAC = reader.readFlag()
    hasFieldOrderCounts = reader.readFlag()
    guard try reader.readUnsigned(in: 0...7, "num_slice_groups_minus1") == 0 else {
      throw CodecError(.unsupported, "slice groups (flexible macroblock ordering) are not supported")
    }
    for _ in 0..<2 { _ = try reader.readUnsigned(in: 0...31, "num_ref_idx_default_active_minus1") }
    reader.skip(3)
    let depthOffset = 6 * (sequence.bitDepth - 8)
    initialQP = try reader.readSigned(in: -26 - depthOffset...25, "pic_init_qp_minus26") + 26
    _ = reader.readSigned()
    cbOffset = try reader.readSigned(in: -12...12, "chroma_qp_index_offset")
    crOffset = cbOffset
    hasDeblockingControl = reader.readFlag()
    reader.skip(1)
    hasRedundantPictures = reader.readFlag()
    guard !reader.isExhausted else { throw CodecError(.malformed, "the picture parameter set ends early") }
    scalingLists = sequence.scalingLists
    if reader.remainingBitCount > Self.stopBitCount(bytes) { try readExtension(&reader, sequence) }
  }

  /// The stop bit and the zeros after it.
  private static func stopBitCount(_ bytes: Span<UInt8>) -> Int {
    var count = 0
    for index in bytes.indices.reversed() {
      if bytes[index] != 0 { return count + bytes[index].trailingZeroBitCount + 1 }
      count += 8
    }
    return count
  }

  private mutating func readExtension(
    _ reader: inout BitReader, _ sequence: SequenceParameterSet
  ) throws(CodecError) {
    hasLargeTransform = reader.readFlag()
    if reader.readFlag() {
      let largeCount = hasLargeTransform ? (sequence.chromaFormat == .yuv444 ? 6 : 2) : 0
      scalingLists = try ScalingLists(parsing: &reader, largeCount: largeCount, fallback: sequence.scalingLists)
    }
    crOffset = try reader.readSigned(in: -12...12, "second_chroma_qp_index_offset")
  }
}
