// Quantizer matrices (section 9.5).

internal import ImageCoding

/// The quantizer matrices of all levels.
package struct QuantizerMatrices: Sendable {
  package static let shared = QuantizerMatrices()

  private static let triangleCount = 32 * 33 / 2
  private static let matrixCount = triangleCount + 32 * 16 + 32 * 8 + 16 * 4

  private let bytes: [UInt8]

  private init() {
    let encoded = Array(QuantizerMatrixData.encoded.utf8)
    bytes = Base64.decode(encoded.span) ?? []
  }

  /// The memory of the matrices of a frame: 32 × 32 weights for each size and plane are more than there are.
  static let byteCount = 3 * TransformSize.count * 32 * 32

  /// The weights of each transform size for Y, U and V; empty for planes without a matrix.
  func matrices(levels: InlineArray<3, Int>) -> [[UInt8]] {
    var matrices: [[UInt8]] = []
    for plane in 0..<3 {
      for number in 0..<TransformSize.count {
        let size = TransformSize(rawValue: UInt8(number))
        matrices.append(levels[plane] < 15 ? matrix(level: levels[plane], isChroma: plane > 0, size) : [])
      }
    }
    return matrices
  }

  /// The weights of a transform's coefficients, column by column, of at most 32 columns and rows.
  ///
  /// - Parameter level: 0…14.
  package func matrix(level: Int, isChroma: Bool, _ size: TransformSize) -> [UInt8] {
    let (columns, rows) = (min(size.width, 32), min(size.height, 32))
    let start = (level * 2 + (isChroma ? 1 : 0)) * Self.matrixCount
    var result: [UInt8] = []
    for column in 0..<columns {
      for row in 0..<rows {
        let index =
          columns >= rows
          ? Self.index(row: row, column: column, columns, rows)
          : Self.index(row: column, column: row, rows, columns)
        result.append(bytes[start + index])
      }
    }
    return result
  }

  /// The index of an element of a matrix with at least as many columns as rows.
  private static func index(row: Int, column: Int, _ columns: Int, _ rows: Int) -> Int {
    switch (columns, rows) {
    case (32, 32), (16, 16), (8, 8), (4, 4):
      // Every 2nd, 4th or 8th element of the largest matrix, the first one near the middle of its group.
      let step = 32 / columns
      let offset = step < 4 ? 0 : step / 2 - 1
      let (a, b) = (row * step + offset, column * step + offset)
      return max(a, b) * (max(a, b) + 1) / 2 + min(a, b)
    case (32, 16), (16, 8), (8, 4):
      let step = 32 / columns
      let offset = step < 4 ? 0 : step / 2 - 1
      return triangleCount + (row * step + offset) * 32 + column * step + offset
    case (32, 8): return triangleCount + 32 * 16 + row * 32 + column
    default: return triangleCount + 32 * 16 + 32 * 8 + row * 16 + column
    }
  }
}
