// The parameters of a VarDCT frame in its first section (ISO/IEC 18181-1, I.2).

internal import ImageCoding

/// The quantiser, the contexts of blocks and the correlation of colours.
struct LowFrequencyGlobal: Sendable {
  let quantizer: Quantizer
  let contexts: BlockContexts
  let correlation: ColorCorrelation

  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    quantizer = try Quantizer(parsing: &bits)
    contexts = try BlockContexts(parsing: &bits, budget: &budget)
    correlation = try ColorCorrelation(parsing: &bits)
  }
}
