// The frame header (section 5.9).

internal import ImageCoding
internal import PixelPlanes

/// The header of a frame that is decoded: a key frame or an intra-only frame.
struct FrameHeader {
  /// `frame_type`.
  enum FrameType: Int {
    case key
    case inter
    case intraOnly
    case switching
  }

  /// `show_frame`.
  let isShown: Bool
  /// `refresh_frame_flags`: the reference slots in which the frame is stored, a bit for each.
  let refreshedSlots: Int
  /// Whether symbols adapt their distributions: the opposite of `disable_cdf_update`.
  let adaptsDistributions: Bool
  /// `allow_screen_content_tools`.
  let allowsScreenContentTools: Bool
  /// `allow_intrabc`.
  let allowsIntraBlockCopy: Bool
  let size: FrameSize
  let tiles: TileLayout
  let quantization: QuantizationParameters
  let segmentation: Segmentation
  let deltas: BlockDeltas
  /// `LosslessArray`: a bit for each segment.
  let losslessSegments: Int
  let loopFilter: LoopFilterParameters
  let cdef: CDEFParameters
  /// Whether blocks state an index of CDEF strengths.
  let hasCDEFIndices: Bool
  let restoration: RestorationParameters
  /// Whether blocks select their transform sizes: `TxMode` is `TX_MODE_SELECT`.
  let selectsTransformSizes: Bool
  /// `reduced_tx_set`.
  let hasReducedTransformSet: Bool
  let filmGrain: FilmGrainParameters?

  /// Reads the header of a frame that is not shown from a slot.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` for inter
  ///   frames.
  fileprivate init(
    parsing reader: inout BitReader, _ sequence: SequenceHeader, layer: (temporal: Int, spatial: Int)
  ) throws(CodecError) {
    let start = try FrameHeaderStart(parsing: &reader, sequence, layer: layer)
    (isShown, refreshedSlots) = (start.isShown, start.refreshedSlots)
    (adaptsDistributions, allowsScreenContentTools) = (start.adaptsDistributions, start.allowsScreenContentTools)
    size = try FrameSize(parsing: &reader, sequence, isOverridden: start.isSizeOverridden)
    // render_width_minus_1, render_height_minus_1.
    if reader.readFlag() { reader.skip(32) }
    allowsIntraBlockCopy = allowsScreenContentTools && size.codedWidth == size.width && reader.readFlag()
    // disable_frame_end_update_cdf.
    if !sequence.isReduced, adaptsDistributions { reader.skip(1) }
    tiles = try TileLayout(parsing: &reader, size, log2Superblock: sequence.log2Superblock)
    quantization = QuantizationParameters(parsing: &reader, sequence.color)
    segmentation = Segmentation(parsing: &reader)
    deltas = BlockDeltas(
      parsing: &reader, baseIndex: quantization.baseIndex, allowsIntraBlockCopy: allowsIntraBlockCopy)
    var losslessSegments = 0
    for segment in 0..<Segmentation.maximumCount where quantization.hasNoDeltas {
      let delta = segmentation.value(Segmentation.Feature.quantizer, of: segment) ?? 0
      if quantization.baseIndex + delta <= 0 { losslessSegments |= 1 << segment }
    }
    self.losslessSegments = losslessSegments
    let isLossless = losslessSegments == 0xFF
    let planeCount = sequence.color.planeCount
    let isFiltered = !isLossless && !allowsIntraBlockCopy
    loopFilter =
      isFiltered ? LoopFilterParameters(parsing: &reader, planeCount: planeCount) : LoopFilterParameters()
    hasCDEFIndices = isFiltered && sequence.isCDEFEnabled
    cdef = hasCDEFIndices ? CDEFParameters(parsing: &reader, planeCount: planeCount) : CDEFParameters()
    let isRestored = !(isLossless && size.codedWidth == size.width) && !allowsIntraBlockCopy
    restoration =
      isRestored && sequence.isRestorationEnabled
      ? RestorationParameters(parsing: &reader, sequence) : RestorationParameters()
    selectsTransformSizes = !isLossless && reader.readFlag()
    hasReducedTransformSet = reader.readFlag()
    let hasGrain = sequence.hasFilmGrain && (isShown || start.isShowable) && reader.readFlag()
    filmGrain = hasGrain ? try FilmGrainParameters(parsing: &reader, sequence.color) : nil
    guard !reader.isExhausted else { throw CodecError(.truncated, "the frame header ends early") }
  }
}

/// The parts of a frame header before the frame's size.
private struct FrameHeaderStart {
  var isKeyFrame = true
  var isShown = true
  var isShowable = false
  var refreshedSlots = FrameHeader.allSlots
  let adaptsDistributions: Bool
  let allowsScreenContentTools: Bool
  let isSizeOverridden: Bool

  init(
    parsing reader: inout BitReader, _ sequence: SequenceHeader, layer: (temporal: Int, spatial: Int)
  ) throws(CodecError) {
    var isErrorResilient = true
    if !sequence.isReduced {
      let type = FrameHeader.FrameType(rawValue: reader.readInt(2)) ?? .key
      guard type == .key || type == .intraOnly else {
        let place = layer.spatial == 0 ? "" : " of layer \(layer.spatial)"
        throw CodecError(.unsupported, "inter-coded frames\(place) are not supported")
      }
      isKeyFrame = type == .key
      isShown = reader.readFlag()
      if isShown, let model = sequence.decoderModel, !sequence.hasEqualPictureInterval {
        reader.skip(model.presentationTimeBitCount)
      }
      isShowable = isShown ? !isKeyFrame : reader.readFlag()
      if !(isKeyFrame && isShown) { isErrorResilient = reader.readFlag() }
    }
    adaptsDistributions = !reader.readFlag()
    let tools = sequence.screenContentTools
    allowsScreenContentTools = tools == .perFrame ? reader.readFlag() : tools == .always
    // force_integer_mv.
    if allowsScreenContentTools, sequence.integerVectors == .perFrame { reader.skip(1) }
    if let count = sequence.frameIDBitCounts { reader.skip(count.id) }
    isSizeOverridden = !sequence.isReduced && reader.readFlag()
    reader.skip(sequence.orderHintBitCount)
    if sequence.decoderModel != nil { Self.skipRemovalTimes(&reader, sequence, layer: layer) }
    if !(isKeyFrame && isShown) {
      refreshedSlots = reader.readInt(8)
      guard isKeyFrame || refreshedSlots != FrameHeader.allSlots else {
        throw CodecError(.malformed, "an intra-only frame refreshes all reference frames")
      }
    }
    if refreshedSlots != FrameHeader.allSlots, isErrorResilient {
      reader.skip(FrameHeader.slotCount * sequence.orderHintBitCount)
    }
  }

  private static func skipRemovalTimes(
    _ reader: inout BitReader, _ sequence: SequenceHeader, layer: (temporal: Int, spatial: Int)
  ) {
    guard reader.readFlag(), let model = sequence.decoderModel else { return }
    for point in sequence.operatingPoints
    where point.hasDecoderModel && point.contains(temporal: layer.temporal, spatial: layer.spatial) {
      reader.skip(model.removalTimeBitCount)
    }
  }
}

extension FrameHeader {
  /// `NUM_REF_FRAMES`.
  static let slotCount = 8
  fileprivate static let allSlots = 0xFF

  /// The content of a frame header OBU.
  enum Content {
    /// Shows the frame of a slot (`show_existing_frame`).
    case existing(slot: Int)
    case frame(FrameHeader)
  }

  /// Parses the start of an OBU.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` for inter
  ///   frames.
  static func parse(
    _ reader: inout BitReader, _ sequence: SequenceHeader, layer: (temporal: Int, spatial: Int)
  ) throws(CodecError) -> Content {
    if !sequence.isReduced, reader.readFlag() {
      let slot = reader.readInt(3)
      guard !reader.isExhausted else { throw CodecError(.truncated, "the frame header ends early") }
      return .existing(slot: slot)
    }
    return .frame(try FrameHeader(parsing: &reader, sequence, layer: layer))
  }
}
