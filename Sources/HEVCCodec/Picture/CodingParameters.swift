// The values of parameter sets that blocks are decoded with: numbers only, so that nothing is retained when they are
// read.

internal import ImageCoding
internal import PixelPlanes

/// The parameters that the blocks of a picture have in common.
struct CodingParameters {
  let width: Int
  let height: Int
  /// `ChromaArrayType`: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  let chromaType: Int
  /// The logarithms of luma columns and rows for each of chroma.
  let chromaShiftX: Int
  let chromaShiftY: Int
  let bitDepth: Int
  /// Whether samples and residuals exceed the kernels of vectors of 16 bits.
  let isWide: Bool
  let log2CodingTreeBlock: Int
  let log2MinimumCodingBlock: Int
  let log2MinimumTransform: Int
  let log2MaximumTransform: Int
  let maximumTransformDepth: Int
  let isBypassEnabled: Bool

  let hasPCM: Bool
  let log2PCMSizes: ClosedRange<Int>
  let pcmLumaBitDepth: Int
  let pcmChromaBitDepth: Int
  /// Whether samples coded by PCM are not filtered.
  let isPCMFinal: Bool

  /// The logarithm of the smallest group of blocks that may change the quantization parameter; 7 if none may.
  let log2QuantizationGroup: Int
  let log2ChromaOffsetGroup: Int
  let chromaOffsetCount: Int
  let cbOffset: Int
  let crOffset: Int
  /// `QpBdOffset`.
  let qpDepthOffset: Int
  let hasWeights: Bool

  let isStrongSmoothingEnabled: Bool
  let isSmoothingEnabled: Bool
  let hasCrossComponentPrediction: Bool
  let rotatesSkippedTransforms: Bool
  let lumaOffsetShift: Int
  let chromaOffsetShift: Int
  let isWavefront: Bool
  let filtersAcrossTiles: Bool
  /// Whether some samples may be left alone by the filters.
  let hasFinalSamples: Bool
  let tools: ResidualTools

  init(_ sequence: SequenceParameterSet, _ picture: PictureParameterSet) {
    (width, height) = (sequence.width, sequence.height)
    switch sequence.chromaFormat {
    case .monochrome: (chromaType, chromaShiftX, chromaShiftY) = (0, 0, 0)
    case .yuv422: (chromaType, chromaShiftX, chromaShiftY) = (2, 1, 0)
    case .yuv444: (chromaType, chromaShiftX, chromaShiftY) = (3, 0, 0)
    default: (chromaType, chromaShiftX, chromaShiftY) = (1, 1, 1)
    }
    bitDepth = sequence.bitDepth
    isWide = sequence.bitDepth > 12
    log2CodingTreeBlock = sequence.log2CodingTreeBlock
    log2MinimumCodingBlock = sequence.log2MinimumCodingBlock
    log2MinimumTransform = sequence.log2MinimumTransform
    log2MaximumTransform = sequence.log2MaximumTransform
    maximumTransformDepth = sequence.maximumTransformDepth
    isBypassEnabled = picture.isBypassEnabled
    hasPCM = sequence.pcm != nil
    let pcm = sequence.pcm ?? SequenceParameterSet.PCMFormat()
    log2PCMSizes = pcm.log2Sizes
    (pcmLumaBitDepth, pcmChromaBitDepth) = (pcm.lumaBitDepth, pcm.chromaBitDepth)
    isPCMFinal = pcm.isLoopFilterDisabled
    log2QuantizationGroup = picture.qpDeltaDepth.map { max(sequence.log2CodingTreeBlock - $0, 3) } ?? 7
    log2ChromaOffsetGroup = picture.chromaOffsetDepth.map { max(sequence.log2CodingTreeBlock - $0, 3) } ?? 7
    chromaOffsetCount = picture.chromaOffsets.count
    (cbOffset, crOffset) = (picture.cbOffset, picture.crOffset)
    qpDepthOffset = 6 * (sequence.bitDepth - 8)
    hasWeights = sequence.scalingLists != nil
    isStrongSmoothingEnabled = sequence.isStrongSmoothingEnabled
    isSmoothingEnabled = !sequence.range.isSmoothingDisabled
    hasCrossComponentPrediction = picture.hasCrossComponentPrediction && sequence.chromaFormat == .yuv444
    rotatesSkippedTransforms = sequence.range.rotatesSkippedTransforms
    (lumaOffsetShift, chromaOffsetShift) = (picture.lumaOffsetShift, picture.chromaOffsetShift)
    isWavefront = picture.isWavefront
    filtersAcrossTiles = picture.filtersAcrossTiles
    hasFinalSamples = picture.isBypassEnabled || pcm.isLoopFilterDisabled
    tools = ResidualTools(
      log2MaximumSkip: picture.isTransformSkipEnabled ? picture.log2MaximumTransformSkip : 0,
      hidesSigns: picture.hidesSigns, hasImplicitRDPCM: sequence.range.hasImplicitRDPCM,
      hasSingleSkipContext: sequence.range.hasSingleSkipContext,
      adaptsRiceParameter: sequence.range.adaptsRiceParameter, alignsBypass: sequence.range.alignsBypass)
  }

  /// Columns and rows of a coding tree block.
  var codingTreeBlockSize: Int { 1 &<< log2CodingTreeBlock }
  /// The number of components: 1 or 3.
  var componentCount: Int { chromaType == 0 ? 1 : 3 }

  /// The shift of columns and rows of a component.
  @inline(__always)
  func shifts(_ component: Int) -> (x: Int, y: Int) {
    component == 0 ? (0, 0) : (chromaShiftX, chromaShiftY)
  }

  /// The value of samples that were not decoded.
  func missingSample(_ component: Int) -> UInt16 {
    component == 0 ? 0 : 1 << UInt16(truncatingIfNeeded: bitDepth - 1)
  }
}
