// The transforms of varblocks (ISO/IEC 18181-1, I.2.1 and I.9).

/// The transform of a rectangle of blocks. Numbers in names are rows × columns of samples.
package enum TransformKind: UInt8, CaseIterable, Sendable {
  case dct8, hornuss, dct2, dct4, dct16, dct32, dct16x8, dct8x16, dct32x8, dct8x32, dct32x16, dct16x32, dct4x8, dct8x4
  case corner0, corner1, corner2, corner3
  case dct64, dct64x32, dct32x64, dct128, dct128x64, dct64x128, dct256, dct256x128, dct128x256

  /// The size in blocks of 8 × 8 samples.
  var shape: Shape { Self.shapes[Int(rawValue)] }
  package var columns: Int { Int(Self.shapes[Int(rawValue)].columns) }
  package var rows: Int { Int(Self.shapes[Int(rawValue)].rows) }
  /// The number of the order of coefficients, which transforms of equal shape share.
  package var order: Int { Int(Self.shapes[Int(rawValue)].order) }
  /// The number of the quantisation matrix.
  package var matrix: Int { Int(Self.shapes[Int(rawValue)].matrix) }
  package var blockCount: Int { columns * rows }
  /// The binary logarithm of ``blockCount``.
  package var blockCountShift: Int { blockCount.trailingZeroBitCount }
  /// Whether the transform is a cosine transform of the whole rectangle.
  package var isFullCosine: Bool { blockCount > 1 || self == .dct8 }

  /// The transforms of more than one block, one bit for each.
  package static let largeMask: UInt32 = allCases.reduce(0) { $0 | ($1.blockCount > 1 ? 1 << UInt32($1.rawValue) : 0) }
  package static let orderCount = 13
  package static let matrixCount = 17

  /// The size in blocks and the numbers of the tables that a transform uses.
  struct Shape: Sendable {
    var columns: UInt8
    var rows: UInt8
    var order: UInt8
    var matrix: UInt8

    var blockCount: Int { Int(columns) &* Int(rows) }

    init(_ rows: UInt8, _ columns: UInt8, _ order: UInt8, _ matrix: UInt8) {
      (self.columns, self.rows, self.order, self.matrix) = (columns, rows, order, matrix)
    }
  }

  private static let shapes: [Shape] = [
    Shape(1, 1, 0, 0), Shape(1, 1, 1, 1), Shape(1, 1, 1, 2), Shape(1, 1, 1, 3), Shape(2, 2, 2, 4), Shape(4, 4, 3, 5),
    Shape(2, 1, 4, 6), Shape(1, 2, 4, 6), Shape(4, 1, 5, 7), Shape(1, 4, 5, 7), Shape(4, 2, 6, 8), Shape(2, 4, 6, 8),
    Shape(1, 1, 1, 9), Shape(1, 1, 1, 9), Shape(1, 1, 1, 10), Shape(1, 1, 1, 10), Shape(1, 1, 1, 10),
    Shape(1, 1, 1, 10), Shape(8, 8, 7, 11), Shape(8, 4, 8, 12), Shape(4, 8, 8, 12), Shape(16, 16, 9, 13),
    Shape(16, 8, 10, 14), Shape(8, 16, 10, 14), Shape(32, 32, 11, 15), Shape(32, 16, 12, 16), Shape(16, 32, 12, 16),
  ]

  /// The size in blocks of the coefficients that an order or a matrix covers: the columns are not fewer than the rows.
  package static func storedSize(order: Int) -> (columns: Int, rows: Int) { storedSizes[order] }
  package static func storedSize(matrix: Int) -> (columns: Int, rows: Int) { storedSize(order: matrixOrders[matrix]) }

  private static let storedSizes = [
    (1, 1), (1, 1), (2, 2), (4, 4), (2, 1), (4, 1), (4, 2), (8, 8), (8, 4), (16, 16), (16, 8), (32, 32), (32, 16),
  ]
  private static let matrixOrders = [0, 1, 1, 1, 2, 3, 4, 5, 6, 1, 1, 7, 8, 9, 10, 11, 12]
}
