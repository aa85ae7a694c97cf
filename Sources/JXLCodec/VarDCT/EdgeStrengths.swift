// The strength of the edge-preserving filter (ISO/IEC 18181-1, J.3.3).

internal import ImageCoding

/// Sigma of the blocks of a frame.
package struct EdgeStrengths: Sendable {
  package let columns: Int
  /// The strengths of the blocks, row by row; a single one if all are equal.
  package let values: [Float]

  package init(columns: Int, values: [Float]) {
    (self.columns, self.values) = (columns, values)
  }

  /// The strength of a Modular frame.
  package init(_ filter: RestorationFilter) {
    columns = 0
    values = [filter.modularSigma]
  }

  /// The strengths of a VarDCT frame, which follow from the quantisation and the sharpness of blocks.
  package init(
    _ filter: RestorationFilter, _ blocks: BlockMap, _ quantizer: Quantizer, budget: inout ResourceBudget
  ) throws(CodecError) {
    columns = blocks.columns
    try budget.allocate(count: blocks.multipliers.count, bytesEach: 4)
    try budget.chargeWork(count: blocks.multipliers.count, unitsEach: 3)
    let factors = filter.sharpness.map { $0 * filter.quantizationFactor * quantizer.highFrequencyScale }
    values = zip(blocks.multipliers, blocks.sharpness).map { max(factors[Int($1)] / Float($0), 1e-4) }
  }

  package var byteCount: Int { columns == 0 ? 0 : values.count * 4 }

  /// The strength of a block.
  @inline(__always)
  package subscript(x: Int, y: Int) -> Float { values[columns == 0 ? 0 : y &* columns &+ x] }
}
