// Finds the nearest colour in a table, cached for cells of 4 × 4 × 4 colours.

internal import ImageCoding

/// Finds nearest colours.
struct ColorMatcher {
  private static let unknown: Int16 = -1

  private let reds: [Int32]
  private let greens: [Int32]
  private let blues: [Int32]
  /// The index cached for the centre of each cell.
  private var cells: [Int16]
  private var searchCount = 0

  private static let cellCount = 1 << 18

  /// Charges the cells.
  init(_ colors: [UInt32], _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(count: Self.cellCount, bytesEach: 2)
    try budget.chargeWork(Self.cellCount / 4)
    cells = [Int16](repeating: Self.unknown, count: Self.cellCount)
    reds = colors.map { Int32($0 & 255) }
    greens = colors.map { Int32($0 >> 8 & 255) }
    blues = colors.map { Int32($0 >> 16 & 255) }
  }

  /// Returns the index of the colour nearest to a pixel, or to another pixel in the same cell.
  mutating func index(of pixel: UInt32) -> UInt8 {
    index(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255))
  }

  /// Returns the index for red, green and blue values of 0…255.
  mutating func index(_ red: Int32, _ green: Int32, _ blue: Int32) -> UInt8 {
    let cell = Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2)
    if cells[cell] == Self.unknown {
      searchCount &+= 1
      cells[cell] = search(red & ~3 | 2, green & ~3 | 2, blue & ~3 | 2)
    }
    return UInt8(truncatingIfNeeded: cells[cell])
  }

  /// Returns how often a colour was compared with the whole table since the last call.
  mutating func takeSearchCount() -> Int {
    defer { searchCount = 0 }
    return searchCount
  }

  private func search(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int16 {
    var best = (distance: Int32.max, index: 0)
    for index in reds.indices {
      let (r, g, b) = (reds[index] - red, greens[index] - green, blues[index] - blue)
      let distance = r * r + g * g + b * b
      if distance < best.distance { best = (distance, index) }
    }
    return Int16(truncatingIfNeeded: best.index)
  }
}
