// The picture parameter set (section 7.3.2.3).

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The values that all slices that refer to the set have in common.
struct PictureParameterSet {
  /// The division of a picture into tiles.
  struct TileGrid {
    var columnCount = 1
    var rowCount = 1
    /// The sizes of all columns and rows but the last, in coding tree blocks; `nil` for even sizes.
    var columnWidths: [Int]?
    var rowHeights: [Int]?
  }

  private(set) var id = 0
  private(set) var sequenceID = 0
  private(set) var hasDependentSegments = false
  private(set) var hasOutputFlag = false
  private(set) var extraHeaderBitCount = 0
  private(set) var hidesSigns = false
  private(set) var initialQP = 26
  private(set) var isTransformSkipEnabled = false
  /// `diff_cu_qp_delta_depth`; `nil` if blocks cannot change the quantization parameter.
  private(set) var qpDeltaDepth: Int?
  private(set) var cbOffset = 0
  private(set) var crOffset = 0
  private(set) var hasSliceChromaOffsets = false
  private(set) var isBypassEnabled = false
  private(set) var tiles = TileGrid()
  private(set) var isTiled = false
  private(set) var isWavefront = false
  private(set) var filtersAcrossTiles = true
  private(set) var filtersAcrossSlices = false
  private(set) var canOverrideDeblocking = false
  private(set) var isDeblockingDisabled = false
  /// `pps_beta_offset_div2` and `pps_tc_offset_div2`, doubled.
  private(set) var betaOffset = 0
  private(set) var tcOffset = 0
  private(set) var hasHeaderExtension = false
  private(set) var log2MaximumTransformSkip = 2
  private(set) var hasCrossComponentPrediction = false
  /// `diff_cu_chroma_qp_offset_depth`; `nil` if blocks cannot change the offsets of chroma.
  private(set) var chromaOffsetDepth: Int?
  private(set) var chromaOffsets: [(cb: Int, cr: Int)] = []
  private(set) var lumaOffsetShift = 0
  private(set) var chromaOffsetShift = 0
  /// Weights that replace those of the sequence.
  private(set) var scalingLists: ScalingLists?

  /// Reads the identifier alone.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  static func id(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    var reader = BitReader(bytes)
    return try readID(&reader)
  }

  private static func readID(_ reader: inout BitReader) throws(CodecError) -> Int {
    try reader.readUnsigned(in: 0...63, "pps_pic_parameter_set_id")
  }

  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.unsupported`.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    var reader = BitReader(bytes)
    id = try Self.readID(&reader)
    sequenceID = try reader.readUnsigned(in: 0...15, "pps_seq_parameter_set_id")
    hasDependentSegments = reader.readFlag()
    hasOutputFlag = reader.readFlag()
    extraHeaderBitCount = reader.readInt(3)
    hidesSigns = reader.readFlag()
    reader.skip(1)
    _ = reader.readUnsigned()
    _ = reader.readUnsigned()
    initialQP = try reader.readSigned(in: -74...25, "init_qp_minus26") + 26
    reader.skip(1)
    isTransformSkipEnabled = reader.readFlag()
    if reader.readFlag() { qpDeltaDepth = try reader.readUnsigned(in: 0...3, "diff_cu_qp_delta_depth") }
    cbOffset = try reader.readSigned(in: -12...12, "pps_cb_qp_offset")
    crOffset = try reader.readSigned(in: -12...12, "pps_cr_qp_offset")
    hasSliceChromaOffsets = reader.readFlag()
    reader.skip(2)
    isBypassEnabled = reader.readFlag()
    isTiled = reader.readFlag()
    isWavefront = reader.readFlag()
    if isTiled { try readTiles(&reader) }
    filtersAcrossSlices = reader.readFlag()
    if reader.readFlag() { try readDeblocking(&reader) }
    if reader.readFlag() { scalingLists = try ScalingLists(parsing: &reader) }
    reader.skip(1)
    _ = reader.readUnsigned()
    hasHeaderExtension = reader.readFlag()
    if reader.readFlag() { try readExtensions(&reader) }
    guard !reader.isExhausted else { throw CodecError(.malformed, "the picture parameter set ends early") }
  }

  private mutating func readTiles(_ reader: inout BitReader) throws(CodecError) {
    tiles.columnCount = try reader.readUnsigned(in: 0...1023, "num_tile_columns_minus1") + 1
    tiles.rowCount = try reader.readUnsigned(in: 0...1023, "num_tile_rows_minus1") + 1
    if !reader.readFlag() {
      var sizes: [Int] = []
      for _ in 0..<tiles.columnCount - 1 + tiles.rowCount - 1 {
        sizes.append(try reader.readUnsigned(in: 0...4095, "column_width_minus1 or row_height_minus1") + 1)
      }
      tiles.columnWidths = Array(sizes.prefix(tiles.columnCount - 1))
      tiles.rowHeights = Array(sizes.suffix(tiles.rowCount - 1))
    }
    filtersAcrossTiles = reader.readFlag()
  }

  private mutating func readDeblocking(_ reader: inout BitReader) throws(CodecError) {
    canOverrideDeblocking = reader.readFlag()
    isDeblockingDisabled = reader.readFlag()
    guard !isDeblockingDisabled else { return }
    betaOffset = try reader.readSigned(in: -6...6, "pps_beta_offset_div2") * 2
    tcOffset = try reader.readSigned(in: -6...6, "pps_tc_offset_div2") * 2
  }

  private mutating func readExtensions(_ reader: inout BitReader) throws(CodecError) {
    let hasRange = reader.readFlag()
    let hasMultilayer = reader.readFlag()
    let has3D = reader.readFlag()
    let hasScreenContent = reader.readFlag()
    reader.skip(4)
    if hasRange { try readRangeExtension(&reader) }
    guard hasScreenContent, !hasMultilayer, !has3D else { return }
    // A current picture reference, an adaptive colour transform, a palette.
    let usesTools = reader.readFlag() || reader.readFlag() || reader.readFlag()
    if usesTools { throw CodecError(.unsupported, "screen content coding is not supported") }
  }

  private mutating func readRangeExtension(_ reader: inout BitReader) throws(CodecError) {
    if isTransformSkipEnabled {
      log2MaximumTransformSkip =
        try reader.readUnsigned(in: 0...3, "log2_max_transform_skip_block_size_minus2") + 2
    }
    hasCrossComponentPrediction = reader.readFlag()
    if reader.readFlag() {
      chromaOffsetDepth = try reader.readUnsigned(in: 0...3, "diff_cu_chroma_qp_offset_depth")
      let count = try reader.readUnsigned(in: 0...5, "chroma_qp_offset_list_len_minus1") + 1
      for _ in 0..<count {
        let cb = try reader.readSigned(in: -12...12, "cb_qp_offset_list")
        chromaOffsets.append((cb, try reader.readSigned(in: -12...12, "cr_qp_offset_list")))
      }
    }
    lumaOffsetShift = try reader.readUnsigned(in: 0...6, "log2_sao_offset_scale_luma")
    chromaOffsetShift = try reader.readUnsigned(in: 0...6, "log2_sao_offset_scale_chroma")
  }
}
