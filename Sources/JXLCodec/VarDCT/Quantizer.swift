// The scales of quantised coefficients (ISO/IEC 18181-1, I.2.2).

internal import ImageCoding

/// `Quantizer`.
package struct Quantizer: Sendable {
  /// The scale of HF coefficients, to be divided by the multiplier of a block.
  package let highFrequencyScale: Float
  /// The scale of LF coefficients.
  package let lowFrequencyScale: Float

  package init(parsing bits: inout BitReader) throws(CodecError) {
    let global = try bits.readInt(
      .bits(11, offset: 1), .bits(11, offset: 2049), .bits(12, offset: 4097), .bits(16, offset: 8193))
    let low = try bits.readInt(.value(16), .bits(5, offset: 1), .bits(8, offset: 1), .bits(16, offset: 1))
    highFrequencyScale = 65536 / Float(global)
    lowFrequencyScale = highFrequencyScale / Float(low)
  }
}
