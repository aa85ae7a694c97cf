// The sequence parameter set (section 7.3.2.1).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The values that all pictures that refer to the set have in common.
struct SequenceParameterSet {
  /// `pic_order_cnt_type` and the fields of slice headers that depend on it.
  enum PictureOrder {
    case leastSignificantBits(count: Int)
    case deltas(areAlwaysZero: Bool)
    case outputOrder
  }

  private(set) var id = 0
  private(set) var chromaFormat = ChromaFormat.yuv420
  private(set) var hasSeparatePlanes = false
  /// Bits of a sample of luma and chroma, 8…14.
  private(set) var bitDepth = 8
  /// Whether macroblocks with the lowest quantization parameter are coded without transform.
  private(set) var isLosslessAllowed = false
  /// `nil` for flat weights.
  private(set) var scalingLists: ScalingLists?
  private(set) var frameNumberBitCount = 4
  private(set) var pictureOrder = PictureOrder.outputOrder
  /// Columns and rows of macroblocks of a frame.
  private(set) var columnCount = 0
  private(set) var rowCount = 0
  /// Whether all pictures are frames without fields.
  private(set) var hasFramesOnly = true
  /// Whether frames consist of pairs of macroblocks, each of which is coded as frame or as fields.
  private(set) var hasMacroblockPairs = false
  /// The part of a picture to show: columns and rows of luma.
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  private(set) var usability = VideoUsability()

  /// The profiles whose sets state the chroma format, the bit depth and scaling lists.
  private static let highProfiles: Set<UInt32> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  /// Reads the identifier alone.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  static func id(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    var reader = BitReader(bytes)
    reader.skip(24)
    return try reader.readUnsigned(in: 0...31, "seq_parameter_set_id")
  }

  /// The bytes within which the identifier ends, inserted ones included.
  static let maximumIdentifierByteCount = 8

  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.unsupported`.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    var reader = BitReader(bytes)
    let profile = reader.read(8)
    reader.skip(16)
    id = try reader.readUnsigned(in: 0...31, "seq_parameter_set_id")
    if Self.highProfiles.contains(profile) { try readFormat(&reader) }
    frameNumberBitCount = try reader.readUnsigned(in: 0...12, "log2_max_frame_num_minus4") + 4
    try readPictureOrder(&reader)
    _ = reader.readUnsigned()
    reader.skip(1)
    try readSize(&reader)
    if reader.readFlag() { usability = try VideoUsability(parsing: &reader) }
    guard !reader.isExhausted else { throw CodecError(.malformed, "the sequence parameter set ends early") }
  }

  private mutating func readFormat(_ reader: inout BitReader) throws(CodecError) {
    switch try reader.readUnsigned(in: 0...3, "chroma_format_idc") {
    case 0: chromaFormat = .monochrome
    case 1: chromaFormat = .yuv420
    case 2: chromaFormat = .yuv422
    default:
      chromaFormat = .yuv444
      hasSeparatePlanes = reader.readFlag()
    }
    bitDepth = try reader.readUnsigned(in: 0...6, "bit_depth_luma_minus8") + 8
    let chromaBitDepth = try reader.readUnsigned(in: 0...6, "bit_depth_chroma_minus8") + 8
    guard chromaFormat == .monochrome || hasSeparatePlanes || chromaBitDepth == bitDepth else {
      throw CodecError(
        .unsupported, "luma of \(bitDepth) bits with chroma of \(chromaBitDepth) bits is not supported")
    }
    isLosslessAllowed = reader.readFlag()
    if reader.readFlag() {
      scalingLists = try ScalingLists(
        parsing: &reader, largeCount: chromaFormat == .yuv444 ? 6 : 2, fallback: nil)
    }
  }

  private mutating func readPictureOrder(_ reader: inout BitReader) throws(CodecError) {
    switch try reader.readUnsigned(in: 0...2, "pic_order_cnt_type") {
    case 0:
      let count = try reader.readUnsigned(in: 0...12, "log2_max_pic_order_cnt_lsb_minus4") + 4
      pictureOrder = .leastSignificantBits(count: count)
    case 1:
      pictureOrder = .deltas(areAlwaysZero: reader.readFlag())
      for _ in 0..<2 { _ = reader.readSigned() }
      let count = try reader.readUnsigned(in: 0...255, "num_ref_frames_in_pic_order_cnt_cycle")
      for _ in 0..<count { _ = reader.readSigned() }
    default: break
    }
  }

  private mutating func readSize(_ reader: inout BitReader) throws(CodecError) {
    columnCount = try reader.readUnsigned(in: 0...4095, "pic_width_in_mbs_minus1") + 1
    let mapUnitCount = try reader.readUnsigned(in: 0...4095, "pic_height_in_map_units_minus1") + 1
    hasFramesOnly = reader.readFlag()
    rowCount = hasFramesOnly ? mapUnitCount : 2 * mapUnitCount
    guard rowCount <= 4096 else { throw CodecError(.malformed, "the frame has \(rowCount) rows of macroblocks") }
    if !hasFramesOnly { hasMacroblockPairs = reader.readFlag() }
    reader.skip(1)
    (columns, rows) = (0..<width, 0..<height)
    guard reader.readFlag() else { return }
    let horizontal = chromaFormat.horizontalRatio
    let vertical = chromaFormat.verticalRatio * (hasFramesOnly ? 1 : 2)
    let left = try reader.readUnsigned(in: 0...width / horizontal, "frame_crop_left_offset") * horizontal
    let right = try reader.readUnsigned(in: 0...width / horizontal, "frame_crop_right_offset") * horizontal
    let top = try reader.readUnsigned(in: 0...height / vertical, "frame_crop_top_offset") * vertical
    let bottom = try reader.readUnsigned(in: 0...height / vertical, "frame_crop_bottom_offset") * vertical
    guard left + right < width, top + bottom < height else {
      throw CodecError(.malformed, "the cropping rectangle is empty")
    }
    (columns, rows) = (left..<width - right, top..<height - bottom)
  }

  /// Columns and rows of luma before cropping.
  var width: Int { 16 * columnCount }
  var height: Int { 16 * rowCount }

  /// The meaning of the samples.
  var coding: PlanarPicture.Coding {
    PlanarPicture.Coding(
      matrix: usability.codePoints.map { MatrixCoefficients(rawValue: $0.matrixCoefficients) } ?? .unspecified,
      range: usability.isFullRange ? .full : .limited, siting: usability.siting)
  }
}
