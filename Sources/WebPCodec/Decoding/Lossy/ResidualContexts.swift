// The contexts of coefficients within a picture (RFC 6386, section 13.3).

internal import ImageCoding

/// The contexts of residuals: the neighbours of a macroblock that have coefficients.
struct ResidualContexts: Sendable {
  private var above: [BlockContext]
  private var left = BlockContext()

  init(macroblockColumns: Int) {
    above = [BlockContext](repeating: BlockContext(), count: macroblockColumns)
  }

  mutating func beginRow() {
    left = BlockContext()
  }

  /// Reads the coefficients of a macroblock.
  ///
  /// - Parameter residuals: receives the coefficients, which must be zero before.
  /// - Returns: `false`, with the contexts unchanged, if the partition ends.
  @inline(__always)
  mutating func readResiduals(
    of macroblock: MacroblockHeader, column: Int, _ header: LossyHeader, _ reader: CoefficientReader,
    into residuals: inout Residuals, _ decoder: inout BoolDecoder, _ bytes: Span<UInt8>
  ) -> Bool {
    var above = above[column]
    var left = left
    if macroblock.isSkipped {
      above.blocks = 0
      left.blocks = 0
      if !macroblock.hasSubblocks {
        above.secondary = 0
        left.secondary = 0
      }
      residuals.luma = 0
      residuals.chroma = 0
    } else {
      decoder = reader.read(
        into: &residuals, hasSubblocks: macroblock.hasSubblocks,
        factors: header.quantization[Int(macroblock.segment)], above: &above, left: &left, decoder, bytes)
    }
    if decoder.isExhausted { return false }
    self.above[column] = above
    self.left = left
    return true
  }
}
