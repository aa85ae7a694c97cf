// The values of the headers, in the form in which blocks are decoded with them.

internal import ImageCoding

/// The parameters of a frame's blocks. A reference, since the decoders of tiles and the filters share them.
final class FrameParameters: Sendable {
  let size: FrameSize
  /// `MiCols` and `MiRows`.
  let columns: Int
  let rows: Int
  let planeCount: Int
  /// The logarithms of luma columns and rows for each of chroma.
  let subsamplingX: Int
  let subsamplingY: Int
  let bitDepth: Int
  /// Columns and rows of a superblock in luma samples, as a logarithm: 6 or 7.
  let log2Superblock: Int
  let isFilterIntraEnabled: Bool
  let isIntraEdgeFilterEnabled: Bool
  let allowsScreenContentTools: Bool
  let allowsIntraBlockCopy: Bool
  let adaptsDistributions: Bool
  let selectsTransformSizes: Bool
  let hasReducedTransformSet: Bool
  let quantization: QuantizationParameters
  /// The weights of each transform size for Y, U and V; empty for planes without a matrix. Empty if there is none.
  let quantizerMatrices: [[UInt8]]
  let segmentation: Segmentation
  let deltas: BlockDeltas
  let losslessSegments: Int
  let loopFilter: LoopFilterParameters
  let cdef: CDEFParameters
  let hasCDEFIndices: Bool
  let restoration: RestorationParameters
  /// Whether the levels of the loop filter differ between blocks.
  let hasBlockLevels: Bool

  init(_ sequence: SequenceHeader, _ frame: FrameHeader) {
    size = frame.size
    (columns, rows) = (frame.size.unitColumns, frame.size.unitRows)
    planeCount = sequence.color.planeCount
    (subsamplingX, subsamplingY) = (sequence.color.subsamplingX, sequence.color.subsamplingY)
    bitDepth = sequence.color.bitDepth
    log2Superblock = sequence.log2Superblock
    isFilterIntraEnabled = sequence.isFilterIntraEnabled
    isIntraEdgeFilterEnabled = sequence.isIntraEdgeFilterEnabled
    allowsScreenContentTools = frame.allowsScreenContentTools
    allowsIntraBlockCopy = frame.allowsIntraBlockCopy
    adaptsDistributions = frame.adaptsDistributions
    selectsTransformSizes = frame.selectsTransformSizes
    hasReducedTransformSet = frame.hasReducedTransformSet
    (quantization, segmentation, deltas) = (frame.quantization, frame.segmentation, frame.deltas)
    quantizerMatrices = frame.quantization.matrixLevels.map { QuantizerMatrices.shared.matrices(levels: $0) } ?? []
    losslessSegments = frame.losslessSegments
    (loopFilter, cdef, restoration) = (frame.loopFilter, frame.cdef, frame.restoration)
    hasCDEFIndices = frame.hasCDEFIndices
    hasBlockLevels =
      frame.loopFilter.isEnabled && (frame.segmentation.changesLoopFilter || frame.deltas.hasLoopFilter)
  }

  /// The shift of columns and rows of a plane.
  @inline(__always)
  func shifts(_ plane: Int) -> (x: Int, y: Int) { plane == 0 ? (0, 0) : (subsamplingX, subsamplingY) }

  /// Columns and rows of a superblock in units of 4 × 4 luma samples.
  var superblockUnits: Int { 1 &<< (log2Superblock &- 2) }

  /// `get_qindex( 0, segment )`, or `get_qindex( 1, segment )` for the index of the frame.
  ///
  /// - Parameter current: `CurrentQIndex`.
  @inline(__always)
  func quantizerIndex(_ segment: Int, current: Int) -> Int {
    guard let delta = segmentation.value(Segmentation.Feature.quantizer, of: segment) else { return current }
    return min(max(current &+ delta, 0), 255)
  }
}
