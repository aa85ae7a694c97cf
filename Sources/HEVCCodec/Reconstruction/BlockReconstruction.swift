// The samples of blocks (sections 8.4.4 and 8.6): BlockPrediction predicts them, BlockResidual adds residuals.

internal import ImageCoding

/// Predicts blocks and adds residuals to them, with working memory for one block.
struct BlockReconstruction: Sendable {
  let parameters: CodingParameters
  /// The scaled coefficients of the next block, in raster order; zeros between blocks.
  var coefficients = [Int16](repeating: 0, count: 1024)
  var residuals = [Int16](repeating: 0, count: 1024)
  /// The residuals of luma, for cross-component prediction.
  var lumaResiduals: [Int16]
  var wide: WideResiduals
  var transformScratch = [Int16](repeating: 0, count: transformScratchCount)
  var intraScratch = [UInt16](repeating: 0, count: intraScratchCount)

  /// More than all of it takes.
  private static let byteCount = 48 << 10

  init(_ parameters: CodingParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(Self.byteCount)
    self.parameters = parameters
    lumaResiduals = parameters.hasCrossComponentPrediction ? [Int16](repeating: 0, count: 1024) : []
    wide = parameters.isWide ? WideResiduals() : WideResiduals.none
  }
}
