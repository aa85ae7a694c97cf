// The sequence header (section 5.5).

internal import ImageCoding
internal import PixelPlanes

/// The properties that the frames of a sequence have in common.
struct SequenceHeader: Equatable {
  /// The part of an operating point that frame headers depend on.
  struct OperatingPoint: Equatable {
    /// `operating_point_idc`: a bit for each temporal layer, then, from bit 8 on, one for each spatial layer.
    var layers = 0
    /// `decoder_model_present_for_this_op`.
    var hasDecoderModel = false

    /// Whether frames of a layer belong to it.
    func contains(temporal: Int, spatial: Int) -> Bool {
      layers == 0 || (layers >> temporal & 1 != 0 && layers >> (spatial + 8) & 1 != 0)
    }
  }

  /// The lengths of times in frame headers; `nil` without a decoder model.
  struct DecoderModel: Equatable {
    /// `buffer_removal_time_length_minus_1` + 1.
    let removalTimeBitCount: Int
    /// `frame_presentation_time_length_minus_1` + 1.
    let presentationTimeBitCount: Int
  }

  /// Whether a tool is used: always, never, or as each frame header states.
  enum Choice: Equatable {
    case always
    case never
    case perFrame
  }

  private(set) var profile = 0
  /// `reduced_still_picture_header`.
  private(set) var isReduced = false
  private(set) var operatingPoints = [OperatingPoint()]
  private(set) var decoderModel: DecoderModel?
  private(set) var hasEqualPictureInterval = false
  /// `frame_width_bits_minus_1` + 1 and `frame_height_bits_minus_1` + 1.
  private(set) var widthBitCount = 0
  private(set) var heightBitCount = 0
  /// `max_frame_width_minus_1` + 1 and `max_frame_height_minus_1` + 1.
  private(set) var maximumWidth = 0
  private(set) var maximumHeight = 0
  /// The bits of `current_frame_id` and of `delta_frame_id_minus_1`; `nil` if frames have no numbers.
  private(set) var frameIDBitCounts: (id: Int, delta: Int)?
  /// `use_128x128_superblock`.
  private(set) var hasLargeSuperblocks = false
  private(set) var isFilterIntraEnabled = false
  private(set) var isIntraEdgeFilterEnabled = false
  private(set) var screenContentTools = Choice.perFrame
  private(set) var integerVectors = Choice.perFrame
  /// `OrderHintBits`.
  private(set) var orderHintBitCount = 0
  private(set) var isSuperResolutionEnabled = false
  private(set) var isCDEFEnabled = false
  private(set) var isRestorationEnabled = false
  let color: ColorConfiguration
  private(set) var hasFilmGrain = false

  static func == (a: SequenceHeader, b: SequenceHeader) -> Bool {
    a.profile == b.profile && a.isReduced == b.isReduced && a.maximumWidth == b.maximumWidth
      && a.maximumHeight == b.maximumHeight && a.color == b.color && a.operatingPoints == b.operatingPoints
  }

  /// Parses the payload of an OBU.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    var reader = BitReader(bytes)
    let profile = reader.readInt(3)
    let isStillPicture = reader.readFlag()
    let isReduced = reader.readFlag()
    guard profile <= 2 else { throw CodecError(.malformed, "seq_profile is \(profile)") }
    guard isStillPicture || !isReduced else {
      throw CodecError(.malformed, "a reduced header is not that of a still picture")
    }
    var layout = Layout()
    if isReduced {
      reader.skip(5)
    } else {
      layout.readOperatingPoints(&reader)
    }
    layout.readSizes(&reader, isReduced: isReduced)
    let largeSuperblocks = reader.readFlag()
    let (filterIntra, edgeFilter) = (reader.readFlag(), reader.readFlag())
    if !isReduced { layout.readTools(&reader) }
    let (superResolution, cdef, restoration) = (reader.readFlag(), reader.readFlag(), reader.readFlag())
    color = try ColorConfiguration(parsing: &reader, profile: profile)
    hasFilmGrain = reader.readFlag()
    guard !reader.isExhausted else { throw CodecError(.truncated, "the sequence header ends early") }
    (self.profile, self.isReduced) = (profile, isReduced)
    operatingPoints = layout.operatingPoints
    (decoderModel, hasEqualPictureInterval) = (layout.decoderModel, layout.hasEqualPictureInterval)
    (widthBitCount, heightBitCount) = (layout.widthBitCount, layout.heightBitCount)
    (maximumWidth, maximumHeight) = (layout.maximumWidth, layout.maximumHeight)
    frameIDBitCounts = layout.frameIDBitCounts
    hasLargeSuperblocks = largeSuperblocks
    (isFilterIntraEnabled, isIntraEdgeFilterEnabled) = (filterIntra, edgeFilter)
    (screenContentTools, integerVectors) = (layout.screenContentTools, layout.integerVectors)
    orderHintBitCount = layout.orderHintBitCount
    (isSuperResolutionEnabled, isCDEFEnabled, isRestorationEnabled) = (superResolution, cdef, restoration)
  }

  /// Columns and rows of a superblock in luma samples, as a logarithm.
  var log2Superblock: Int { hasLargeSuperblocks ? 7 : 6 }
}

/// The parts of a sequence header before its colour configuration.
private struct Layout {
  var operatingPoints = [SequenceHeader.OperatingPoint()]
  var decoderModel: SequenceHeader.DecoderModel?
  var hasEqualPictureInterval = false
  var widthBitCount = 0
  var heightBitCount = 0
  var maximumWidth = 0
  var maximumHeight = 0
  var frameIDBitCounts: (id: Int, delta: Int)?
  var screenContentTools = SequenceHeader.Choice.perFrame
  var integerVectors = SequenceHeader.Choice.perFrame
  var orderHintBitCount = 0

  mutating func readOperatingPoints(_ reader: inout BitReader) {
    var delayBitCount = 0
    if reader.readFlag() {
      // num_units_in_display_tick, time_scale.
      reader.skip(64)
      hasEqualPictureInterval = reader.readFlag()
      if hasEqualPictureInterval { _ = reader.readUnsigned() }
      if reader.readFlag() {
        delayBitCount = reader.readInt(5) + 1
        reader.skip(32)
        let removalTimeBitCount = reader.readInt(5) + 1
        decoderModel = SequenceHeader.DecoderModel(
          removalTimeBitCount: removalTimeBitCount, presentationTimeBitCount: reader.readInt(5) + 1)
      }
    }
    let hasDisplayDelay = reader.readFlag()
    let count = reader.readInt(5) + 1
    operatingPoints = []
    for _ in 0..<count {
      var point = SequenceHeader.OperatingPoint(layers: reader.readInt(12))
      // seq_level_idx, seq_tier.
      if reader.readInt(5) > 7 { reader.skip(1) }
      if decoderModel != nil {
        point.hasDecoderModel = reader.readFlag()
        if point.hasDecoderModel { reader.skip(2 * delayBitCount + 1) }
      }
      if hasDisplayDelay, reader.readFlag() { reader.skip(4) }
      operatingPoints.append(point)
    }
  }

  mutating func readSizes(_ reader: inout BitReader, isReduced: Bool) {
    widthBitCount = reader.readInt(4) + 1
    heightBitCount = reader.readInt(4) + 1
    maximumWidth = reader.readInt(widthBitCount) + 1
    maximumHeight = reader.readInt(heightBitCount) + 1
    guard !isReduced, reader.readFlag() else { return }
    let deltaBitCount = reader.readInt(4) + 2
    frameIDBitCounts = (id: reader.readInt(3) + deltaBitCount + 1, delta: deltaBitCount)
  }

  mutating func readTools(_ reader: inout BitReader) {
    // enable_interintra_compound, enable_masked_compound, enable_warped_motion, enable_dual_filter.
    reader.skip(4)
    let hasOrderHints = reader.readFlag()
    // enable_jnt_comp, enable_ref_frame_mvs.
    if hasOrderHints { reader.skip(2) }
    screenContentTools = Self.readChoice(&reader)
    if screenContentTools != .never { integerVectors = Self.readChoice(&reader) }
    if hasOrderHints { orderHintBitCount = reader.readInt(3) + 1 }
  }

  private static func readChoice(_ reader: inout BitReader) -> SequenceHeader.Choice {
    if reader.readFlag() { return .perFrame }
    return reader.readFlag() ? .always : .never
  }
}
