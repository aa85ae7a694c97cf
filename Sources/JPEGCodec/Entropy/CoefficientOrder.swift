// The orders of the 64 coefficients of a block: zigzag in the file, natural (row by row) in the specification, and
// paired in memory, as the inverse DCT requires.

/// Converts between the orders of coefficients.
package enum CoefficientOrder {
  /// The natural index of each zigzag index. ITU-T T.81, figure A.6.
  package static let natural: [UInt8] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]

  /// The zigzag index of each natural index.
  static let zigzag: [UInt8] = {
    var result = natural
    for (zigzag, natural) in natural.enumerated() { result[Int(natural)] = UInt8(zigzag) }
    return result
  }()

  /// For each row of a block and bit mask of its columns: the bit mask of their zigzag indices.
  private static let zigzagMasks: [UInt64] = (0..<8 * 256).map { index in
    (0..<8).reduce(0) { mask, column in
      index >> column & 1 == 0 ? mask : mask | 1 << UInt64(zigzag[index >> 8 * 8 + column])
    }
  }

  /// Converts bit masks of coefficients from natural order to zigzag indices.
  struct MaskConversion {
    private let masks = CoefficientOrder.zigzagMasks

    @inline(__always)
    func zigzagMask(natural: UInt64) -> UInt64 {
      let masks = masks.span
      @inline(__always) func row(_ index: Int) -> UInt64 {
        masks[index &* 256 &+ Int(UInt8(truncatingIfNeeded: natural &>> UInt64(truncatingIfNeeded: index &* 8)))]
      }
      let upper = row(0) | row(1) | row(2) | row(3)
      return natural &>> 32 == 0 ? upper : upper | row(4) | row(5) | row(6) | row(7)
    }
  }

  /// The identity mapping, for blocks stored in zigzag order.
  static let identity: [UInt8] = (0..<64).map { UInt8($0) }

  /// The paired index of each zigzag index, followed by 16 entries for the last coefficient, which absorb runs past the
  /// end of a damaged block.
  package static let paired: [UInt8] = natural.map { pairedIndex(natural: $0) } + [UInt8](repeating: 63, count: 16)

  /// Returns the paired index of a natural index.
  ///
  /// Coefficients form vectors of eight: rows (0, 4), (2, 6), (1, 5), (3, 7), each pair first with columns 0, 2, 1, 3,
  /// then with 4, 6, 5, 7. Within a vector the two rows alternate.
  package static func pairedIndex(natural index: UInt8) -> UInt8 {
    let row = index >> 3
    let column = index & 7
    // Rows 0…3 begin pairs 0, 2, 1, 3: the two bits are swapped. Columns likewise.
    let pair = (row & 1) << 1 | (row >> 1) & 1
    let lane = (column & 1) << 1 | (column >> 1) & 1
    return (pair * 2 + column >> 2) * 8 + lane * 2 + row >> 2
  }
}
