// The contexts of coding passes, by the states of neighbours (ITU-T T.800, tables D.1 to D.4).

/// The tables of the contexts of a sub-band.
struct ContextTables: Sendable {
  /// The context of zero coding, by the significance of a window of 3 × 3 samples, row by row; that of the sample itself
  /// is ignored.
  let zeroCoding: [UInt8]
  /// The context of sign coding, with the bit that flips the sign as the top bit. The index has the significance of the
  /// upper, left, right and lower neighbour, followed by whether they are negative.
  let signCoding: [UInt8]

  static let ll = ContextTables(.ll)
  static let hl = ContextTables(.hl)
  static let lh = ContextTables(.lh)
  static let hh = ContextTables(.hh)

  /// The tables of a band.
  static func tables(_ orientation: Subband.Orientation) -> ContextTables {
    switch orientation {
    case .ll: ll
    case .hl: hl
    case .lh: lh
    case .hh: hh
    }
  }

  private init(_ orientation: Subband.Orientation) {
    zeroCoding = (0..<512).map { window in
      func bit(_ index: Int) -> Int { window >> index & 1 }
      let horizontal = bit(3) + bit(5)
      let vertical = bit(1) + bit(7)
      let diagonal = bit(0) + bit(2) + bit(6) + bit(8)
      switch orientation {
      case .ll, .lh: return Self.zeroCoding(horizontal, vertical, diagonal)
      case .hl: return Self.zeroCoding(vertical, horizontal, diagonal)
      case .hh: return Self.diagonalZeroCoding(horizontal + vertical, diagonal)
      }
    }
    signCoding = (0..<256).map { index in
      func contribution(_ neighbor: Int) -> Int {
        guard index >> neighbor & 1 == 1 else { return 0 }
        return index >> (neighbor + 4) & 1 == 1 ? -1 : 1
      }
      let horizontal = min(1, max(-1, contribution(1) + contribution(2)))
      let vertical = min(1, max(-1, contribution(0) + contribution(3)))
      let flips = horizontal < 0 || (horizontal == 0 && vertical < 0)
      let magnitude = flips ? (-horizontal, -vertical) : (horizontal, vertical)
      // From (0, 0) and (0, 1) to (1, -1), (1, 0) and (1, 1).
      let context = magnitude.0 == 0 ? magnitude.1 : 3 + magnitude.1
      return UInt8(BlockContext.signCoding + context) | (flips ? 0x80 : 0)
    }
  }

  private static func zeroCoding(_ horizontal: Int, _ vertical: Int, _ diagonal: Int) -> UInt8 {
    switch (horizontal, vertical) {
    case (2, _): 8
    case (1, 1...): 7
    case (1, _): diagonal >= 1 ? 6 : 5
    case (_, 2): 4
    case (_, 1): 3
    default: UInt8(min(2, diagonal))
    }
  }

  private static func diagonalZeroCoding(_ others: Int, _ diagonal: Int) -> UInt8 {
    switch diagonal {
    case 3...: 8
    case 2: others >= 1 ? 7 : 6
    case 1: UInt8(3 + min(2, others))
    default: UInt8(min(2, others))
    }
  }
}
