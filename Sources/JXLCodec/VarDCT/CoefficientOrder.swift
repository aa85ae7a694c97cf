// The orders in which coefficients are coded (ISO/IEC 18181-1, I.2.6 and I.3.2).

internal import ImageCoding

/// The places of the coefficients of a varblock in the order in which they are coded.
package enum CoefficientOrder {
  /// Returns the natural order: the lowest frequencies, which the LF image contains, row by row; then the others along
  /// diagonals.
  package static func natural(_ order: Int) -> [Int32] {
    let size = TransformKind.storedSize(order: order)
    let width = 8 * size.columns
    var places: [Int32] = []
    places.reserveCapacity(64 * size.columns * size.rows)
    for y in 0..<size.rows { for x in 0..<size.columns { places.append(Int32(y * width + x)) } }
    // The diagonals are those of a square, of which only one row in `ratio` exists.
    let ratio = size.columns / size.rows
    for diagonal in 1..<2 * width {
      let range = max(0, diagonal - width)...min(diagonal - 1, width - 1)
      for step in range {
        let x = diagonal & 1 == 1 ? step : diagonal - 1 - step
        let y = diagonal - 1 - x
        guard y % ratio == 0, x >= size.columns || y >= size.columns else { continue }
        places.append(Int32(y / ratio * width + x))
      }
    }
    return places
  }

  /// Reads the permutations of one pass, whose orders replace natural ones.
  ///
  /// - Returns: for each order and channel the places; empty for natural orders.
  package static func readPermutations(
    _ bits: inout BitReader, budget: inout ResourceBudget
  ) throws(CodecError) -> [[Int32]] {
    var orders = [[Int32]](repeating: [], count: 3 * TransformKind.orderCount)
    let mask = try bits.readInt(.value(0x5F), .value(0x13), .value(0), .bits(13))
    guard mask != 0 else { return orders }
    let code = try EntropyCode(parsing: &bits, contextCount: 8, budget: &budget)
    var symbols = SymbolReader(&bits, code)
    for order in 0..<TransformKind.orderCount where mask >> order & 1 == 1 {
      let size = TransformKind.storedSize(order: order)
      let count = 64 * size.columns * size.rows
      try budget.chargeWork(count: count, unitsEach: 10)
      let natural = natural(order)
      for channel in 0..<3 {
        let permutation = try Permutation.read(
          &symbols, &bits, code, size: count, skip: size.columns * size.rows, budget: &budget)
        try budget.allocate(count: count, bytesEach: 4)
        orders[3 * order + channel] = permutation.map { natural[$0] }
        budget.release(count * 8)
      }
    }
    try symbols.finish(&bits, code)
    return orders
  }
}
