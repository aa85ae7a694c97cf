// The quantisation matrices of a frame (ISO/IEC 18181-1, I.2.4).

internal import ImageCoding

/// The encodings of the seventeen matrices, and the multipliers of those that a frame uses.
struct QuantizerMatrices: Sendable {
  /// The encodings that differ from the defaults.
  private var encodings = [MatrixEncoding?](repeating: nil, count: TransformKind.matrixCount)
  /// The multipliers of the matrices that occur: those of X, Y and B, one after the other.
  private(set) var multipliers: [Float] = []
  /// The index of the first multiplier of each matrix that occurs.
  private(set) var starts = [Int](repeating: 0, count: TransformKind.matrixCount)

  /// Default matrices.
  init() {}

  /// - Parameter firstStream: the index of the Modular stream of the first matrix.
  init(
    parsing bits: inout BitReader, firstStream: Int, _ tree: DecisionTree?, budget: inout ResourceBudget
  ) throws(CodecError) {
    if try bits.readFlag() { return }
    for matrix in encodings.indices {
      try budget.chargeWork(1000)
      encodings[matrix] = try MatrixEncoding(
        parsing: &bits, matrix: matrix, stream: firstStream + matrix, tree, budget: &budget)
    }
  }

  /// The integers of the matrices of X, Y and B for blocks of 8 × 8 samples; `nil` if the matrices are not those of a
  /// JPEG file.
  var jpegTables: [[Int32]]? {
    guard case .raw(let tables, let denominator) = encodings[0], abs(denominator - Self.jpegDenominator) <= 1e-8 else {
      return nil
    }
    return tables
  }

  /// The denominator of the matrices of JPEG files, in half precision.
  private static let jpegDenominator: Float = 1.0 / 2040

  /// Calculates the multipliers for the transforms that occur.
  mutating func prepare(for transforms: [TransformKind], budget: inout ResourceBudget) throws(CodecError) {
    for matrix in Set(transforms.map({ $0.matrix })).sorted() {
      let size = TransformKind.storedSize(matrix: matrix)
      let count = 3 * 64 * size.columns * size.rows
      try budget.allocate(count: count, bytesEach: 8)
      try budget.chargeWork(count: count, unitsEach: 30)
      starts[matrix] = multipliers.count
      let encoding = encodings[matrix] ?? DefaultMatrices.encoding(matrix)
      for channel in 0..<3 {
        guard let values = MatrixWeights.multipliers(encoding, channel: channel, size: size) else {
          throw CodecError(
            .malformed, "a weight of a quantisation matrix is out of range", format: JXLDecoder.type)
        }
        multipliers += values
      }
    }
  }
}
