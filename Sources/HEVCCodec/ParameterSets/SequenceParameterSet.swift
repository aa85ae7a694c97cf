// The sequence parameter set (section 7.3.2.2).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The values that all pictures that refer to the set have in common.
struct SequenceParameterSet {
  /// The coding of samples without prediction (PCM).
  struct PCMFormat {
    var lumaBitDepth = 8
    var chromaBitDepth = 8
    /// The logarithms of the sizes of coding blocks that may be coded so.
    var log2Sizes = 3...3
    var isLoopFilterDisabled = false
  }

  private(set) var id = 0
  private(set) var chromaFormat = ChromaFormat.yuv420
  /// Columns and rows of luma before cropping: multiples of the smallest coding block.
  private(set) var width = 0
  private(set) var height = 0
  /// The conformance window: columns and rows of luma.
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  /// Bits of a sample of luma and chroma, 8…16.
  private(set) var bitDepth = 8
  private(set) var pictureOrderBitCount = 4
  private(set) var log2MinimumCodingBlock = 3
  private(set) var log2CodingTreeBlock = 4
  private(set) var log2MinimumTransform = 2
  private(set) var log2MaximumTransform = 5
  private(set) var maximumTransformDepth = 0
  /// `nil` for flat weights.
  private(set) var scalingLists: ScalingLists?
  private(set) var isSAOEnabled = false
  private(set) var pcm: PCMFormat?
  private(set) var shortTermSets: [ShortTermReferenceSet] = []
  private(set) var longTermPictureCount: Int?
  private(set) var isMotionPredictionEnabled = false
  private(set) var isStrongSmoothingEnabled = false
  private(set) var usability = VideoUsability()
  private(set) var range = RangeExtension()

  /// The flags of `sps_range_extension()`.
  struct RangeExtension {
    var rotatesSkippedTransforms = false
    var hasSingleSkipContext = false
    var hasImplicitRDPCM = false
    var hasExtendedPrecision = false
    var isSmoothingDisabled = false
    var adaptsRiceParameter = false
    var alignsBypass = false
  }

  /// The bytes within which the identifier ends: profile and level of the stream and of six sub-layers, and every third
  /// byte inserted.
  static let maximumIdentifierByteCount = 160

  /// Reads the identifier alone, from the first ``maximumIdentifierByteCount`` bytes.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  static func id(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    var reader = BitReader(bytes)
    return try readStart(&reader).id
  }

  private static func readStart(
    _ reader: inout BitReader
  ) throws(CodecError) -> (subLayerCount: Int, id: Int) {
    reader.skip(4)
    let subLayerCount = reader.readInt(3) + 1
    guard subLayerCount < 8 else { throw CodecError(.malformed, "sps_max_sub_layers_minus1 is 7") }
    reader.skip(1)
    skipProfileTierLevel(&reader, subLayerCount: subLayerCount)
    return (subLayerCount, try reader.readUnsigned(in: 0...15, "sps_seq_parameter_set_id"))
  }

  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.unsupported`.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    var reader = BitReader(bytes)
    let subLayerCount: Int
    (subLayerCount, id) = try Self.readStart(&reader)
    try readFormat(&reader)
    pictureOrderBitCount = try reader.readUnsigned(in: 0...12, "log2_max_pic_order_cnt_lsb_minus4") + 4
    let hasAllOrderings = reader.readFlag()
    for _ in 0..<(hasAllOrderings ? subLayerCount : 1) * 3 { _ = reader.readUnsigned() }
    try readBlockSizes(&reader)
    try readTools(&reader)
    if reader.readFlag() { usability = try VideoUsability(parsing: &reader, subLayerCount: subLayerCount) }
    if reader.readFlag() { try readExtensions(&reader) }
    guard !reader.isExhausted else { throw CodecError(.malformed, "the sequence parameter set ends early") }
    try checkTools()
  }

  private mutating func readFormat(_ reader: inout BitReader) throws(CodecError) {
    switch try reader.readUnsigned(in: 0...3, "chroma_format_idc") {
    case 0: chromaFormat = .monochrome
    case 1: chromaFormat = .yuv420
    case 2: chromaFormat = .yuv422
    default: chromaFormat = .yuv444
    }
    if chromaFormat == .yuv444, reader.readFlag() {
      throw CodecError(.unsupported, "separately coded colour planes are not supported")
    }
    width = try reader.readUnsigned(in: 1...1 << 16, "pic_width_in_luma_samples")
    height = try reader.readUnsigned(in: 1...1 << 16, "pic_height_in_luma_samples")
    (columns, rows) = (0..<width, 0..<height)
    if reader.readFlag() {
      let (horizontal, vertical) = (chromaFormat.horizontalRatio, chromaFormat.verticalRatio)
      let left = try reader.readUnsigned(in: 0...width / horizontal, "conf_win_left_offset") * horizontal
      let right = try reader.readUnsigned(in: 0...width / horizontal, "conf_win_right_offset") * horizontal
      let top = try reader.readUnsigned(in: 0...height / vertical, "conf_win_top_offset") * vertical
      let bottom = try reader.readUnsigned(in: 0...height / vertical, "conf_win_bottom_offset") * vertical
      guard left + right < width, top + bottom < height else {
        throw CodecError(.malformed, "the conformance window is empty")
      }
      (columns, rows) = (left..<width - right, top..<height - bottom)
    }
    bitDepth = try reader.readUnsigned(in: 0...8, "bit_depth_luma_minus8") + 8
    let chromaBitDepth = try reader.readUnsigned(in: 0...8, "bit_depth_chroma_minus8") + 8
    guard chromaFormat == .monochrome || chromaBitDepth == bitDepth else {
      throw CodecError(
        .unsupported, "luma of \(bitDepth) bits with chroma of \(chromaBitDepth) bits is not supported")
    }
  }

  private mutating func readBlockSizes(_ reader: inout BitReader) throws(CodecError) {
    log2MinimumCodingBlock = try reader.readUnsigned(in: 0...3, "log2_min_luma_coding_block_size_minus3") + 3
    log2CodingTreeBlock =
      try reader.readUnsigned(in: 0...3, "log2_diff_max_min_luma_coding_block_size") + log2MinimumCodingBlock
    log2MinimumTransform = try reader.readUnsigned(in: 0...3, "log2_min_luma_transform_block_size_minus2") + 2
    log2MaximumTransform =
      try reader.readUnsigned(in: 0...3, "log2_diff_max_min_luma_transform_block_size") + log2MinimumTransform
    guard (4...6).contains(log2CodingTreeBlock) else {
      throw CodecError(.malformed, "coding tree blocks have \(1 << log2CodingTreeBlock) columns")
    }
    guard log2MinimumTransform < log2MinimumCodingBlock, log2MaximumTransform <= min(log2CodingTreeBlock, 5) else {
      throw CodecError(.malformed, "the sizes of transforms contradict those of coding blocks")
    }
    guard width % (1 << log2MinimumCodingBlock) == 0, height % (1 << log2MinimumCodingBlock) == 0 else {
      throw CodecError(.malformed, "the picture is not a multiple of the smallest coding block")
    }
    _ = reader.readUnsigned()
    maximumTransformDepth = try reader.readUnsigned(
      in: 0...log2CodingTreeBlock - log2MinimumTransform, "max_transform_hierarchy_depth_intra")
  }

  private mutating func readTools(_ reader: inout BitReader) throws(CodecError) {
    if reader.readFlag() {
      scalingLists = reader.readFlag() ? try ScalingLists(parsing: &reader) : ScalingLists()
    }
    reader.skip(1)
    isSAOEnabled = reader.readFlag()
    if reader.readFlag() { pcm = try readPCM(&reader) }
    let setCount = try reader.readUnsigned(in: 0...64, "num_short_term_ref_pic_sets")
    for index in 0..<setCount {
      shortTermSets.append(
        try ShortTermReferenceSet(parsing: &reader, index: index, isInSliceHeader: false, shortTermSets))
    }
    if reader.readFlag() {
      let count = try reader.readUnsigned(in: 0...32, "num_long_term_ref_pics_sps")
      reader.skip(count * (pictureOrderBitCount + 1))
      longTermPictureCount = count
    }
    isMotionPredictionEnabled = reader.readFlag()
    isStrongSmoothingEnabled = reader.readFlag()
  }

  private func readPCM(_ reader: inout BitReader) throws(CodecError) -> PCMFormat {
    var pcm = PCMFormat()
    pcm.lumaBitDepth = reader.readInt(4) + 1
    pcm.chromaBitDepth = reader.readInt(4) + 1
    let minimum = try reader.readUnsigned(in: 0...2, "log2_min_pcm_luma_coding_block_size_minus3") + 3
    let maximum = try reader.readUnsigned(in: 0...2, "log2_diff_max_min_pcm_luma_coding_block_size") + minimum
    guard pcm.lumaBitDepth <= bitDepth, chromaFormat == .monochrome || pcm.chromaBitDepth <= bitDepth else {
      throw CodecError(.malformed, "PCM samples have more bits than others")
    }
    guard maximum <= min(log2CodingTreeBlock, 5) else {
      throw CodecError(.malformed, "PCM blocks have \(1 << maximum) columns")
    }
    pcm.log2Sizes = minimum...maximum
    pcm.isLoopFilterDisabled = reader.readFlag()
    return pcm
  }

  private mutating func readExtensions(_ reader: inout BitReader) throws(CodecError) {
    let hasRange = reader.readFlag()
    let hasMultilayer = reader.readFlag()
    let has3D = reader.readFlag()
    let hasScreenContent = reader.readFlag()
    reader.skip(4)
    if hasRange {
      range.rotatesSkippedTransforms = reader.readFlag()
      range.hasSingleSkipContext = reader.readFlag()
      range.hasImplicitRDPCM = reader.readFlag()
      reader.skip(1)
      range.hasExtendedPrecision = reader.readFlag()
      range.isSmoothingDisabled = reader.readFlag()
      reader.skip(1)
      range.adaptsRiceParameter = reader.readFlag()
      range.alignsBypass = reader.readFlag()
    }
    if hasMultilayer { reader.skip(1) }
    guard hasScreenContent else { return }
    // A current picture reference, palettes, adaptive vector resolution, no boundary filter.
    let usesTools = has3D || reader.readFlag() || reader.readFlag() || reader.readInt(2) != 0 || reader.readFlag()
    if usesTools { throw CodecError(.unsupported, "screen content coding is not supported") }
  }

  private func checkTools() throws(CodecError) {
    if range.hasExtendedPrecision {
      throw CodecError(.unsupported, "extended_precision_processing_flag is not supported")
    }
  }

  /// Number of coding tree blocks in a row, of rows of them, and of all.
  var codingTreeBlockColumns: Int { (width - 1) >> log2CodingTreeBlock + 1 }
  var codingTreeBlockRows: Int { (height - 1) >> log2CodingTreeBlock + 1 }
  var codingTreeBlockCount: Int { codingTreeBlockColumns * codingTreeBlockRows }

  /// The meaning of the samples.
  var coding: PlanarPicture.Coding {
    PlanarPicture.Coding(
      matrix: usability.codePoints.map { MatrixCoefficients(rawValue: $0.matrixCoefficients) } ?? .unspecified,
      range: usability.isFullRange ? .full : .limited, siting: usability.siting)
  }
}
