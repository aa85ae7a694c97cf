// The parts of a VarDCT frame that its groups share.

internal import ImageCoding

/// The varblocks, the LF image and the HF parameters of a VarDCT frame.
struct VarDCTFrame: Sendable {
  let grid: BlockGrid
  let blocks: BlockMap
  let lowFrequency: LowFrequencyImage
  let highFrequency: HighFrequencyGlobal
  let contexts: BlockContexts
  let correlation: ColorCorrelation
  let opsin: OpsinInverse
  /// The numbers of low bits that the coefficients of each pass lack.
  let passShifts: [Int]
  /// The scales of the coefficients of X, Y and B, to be divided by the multiplier of a block.
  let scales: [Float]
  /// The greatest number of blocks of a varblock.
  let maximumBlockCount: Int
  /// Whether the groups yield quantised coefficients instead of samples.
  var retainsCoefficients = false

  init(
    _ grid: BlockGrid, _ blocks: BlockMap, _ lowFrequency: LowFrequencyImage, _ highFrequency: HighFrequencyGlobal,
    _ global: LowFrequencyGlobal, _ header: FrameHeader, _ image: ImageHeader
  ) {
    (self.grid, self.blocks, self.lowFrequency) = (grid, blocks, lowFrequency)
    self.highFrequency = highFrequency
    contexts = global.contexts
    correlation = global.correlation
    opsin = image.transform.opsin
    passShifts = header.passes.shifts
    let base = global.quantizer.highFrequencyScale
    func factor(_ exponent: Int) -> Float { Float(ElementaryFunctions.power(0.8, Double(exponent - 2))) }
    scales = [base * factor(header.quantizationScaleX), base, base * factor(header.quantizationScaleB)]
    maximumBlockCount = TransformKind.allCases.reduce(1) { maximum, kind in
      blocks.usedTransforms >> UInt32(kind.rawValue) & 1 == 1 ? max(maximum, kind.blockCount) : maximum
    }
  }
}
