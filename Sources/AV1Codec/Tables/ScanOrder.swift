// The order of coefficients and what the contexts of each depend on (sections 5.11.41, 8.3.2 and 9.2).

/// The coefficients of all transform sizes in coding order.
package struct ScanOrders: Sendable {
  package static let shared = ScanOrders()

  /// Rows of the levels of one column, in addition to those of the transform: neighbours outside it are zero.
  static let levelPadding = 4

  /// By transform size and class. Of each coefficient: its index column by column in bits 0…9; its index in an array of
  /// levels, whose columns have ``levelPadding`` additional rows, in bits 10…20; what its position adds to the context
  /// of `coeff_base` in bits 21…26, and to that of `coeff_br` in bits 27…31.
  private let orders: [[UInt32]]

  private init() {
    var orders: [[UInt32]] = []
    for number in 0..<19 {
      let size = TransformSize(rawValue: UInt8(number))
      for coefficientClass in 0..<3 { orders.append(Self.order(size, coefficientClass)) }
    }
    self.orders = orders
  }

  /// The coefficients of a transform of a class (``TransformType/coefficientClass``).
  package func order(_ size: TransformSize, _ coefficientClass: Int) -> [UInt32] {
    orders[size.number * 3 + coefficientClass]
  }

  private static func order(_ size: TransformSize, _ coefficientClass: Int) -> [UInt32] {
    let (columns, rows) = (min(size.width, 32), min(size.height, 32))
    return positions(columns: columns, rows: rows, coefficientClass).map { row, column in
      let (index, level) = (column * rows + row, column * (rows + levelPadding) + row)
      let (base, range) =
        coefficientClass == 0
        ? contextOffsets(size, row, column)
        : lineContextOffsets(coefficientClass == 1 ? column : row, isFirst: row == 0 && column == 0)
      return UInt32(index | level << 10 | base << 21 | range << 27)
    }
  }

  /// The scans of section 9.2: diagonals, whose direction alternates in squares; rows; or columns.
  private static func positions(columns: Int, rows: Int, _ coefficientClass: Int) -> [(row: Int, column: Int)] {
    var result: [(row: Int, column: Int)] = []
    switch coefficientClass {
    case 1:
      for column in 0..<columns { for row in 0..<rows { result.append((row, column)) } }
    case 2:
      for row in 0..<rows { for column in 0..<columns { result.append((row, column)) } }
    default:
      for diagonal in 0..<columns + rows - 1 {
        let range = max(0, diagonal - columns + 1)...min(diagonal, rows - 1)
        let goesUp = columns == rows ? diagonal % 2 == 0 : columns > rows
        for row in goesUp ? Array(range.reversed()) : Array(range) { result.append((row, diagonal - row)) }
      }
    }
    return result
  }

  /// `Coeff_Base_Ctx_Offset`, and the offset of `coeff_br`, of two-dimensional transforms.
  private static func contextOffsets(_ size: TransformSize, _ row: Int, _ column: Int) -> (base: Int, range: Int) {
    if row == 0, column == 0 { return (0, 0) }
    let range = row < 2 && column < 2 ? 7 : 14
    if size.width > size.height, column < 2 { return (16, range) }
    if size.width < size.height, row < 2 { return (11, range) }
    if size.width == size.height, row + column < 2 { return (1, range) }
    return (row + column < 4 ? 6 : 21, range)
  }

  /// `Coeff_Base_Pos_Ctx_Offset`, and the offset of `coeff_br`, of one-dimensional transforms.
  private static func lineContextOffsets(_ position: Int, isFirst: Bool) -> (base: Int, range: Int) {
    (26 + 5 * min(position, 2), isFirst ? 0 : position == 0 ? 7 : 14)
  }
}
