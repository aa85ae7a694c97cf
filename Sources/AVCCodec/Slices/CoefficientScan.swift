// The order of transform coefficients (section 8.5.6), and the contexts of those of 8 × 8 blocks (table 9-43).

/// The levels of a block that are not 0.
struct BlockLevels {
  var count = 0
  /// Levels and their positions in the scan, from the highest position to the lowest.
  var levels = InlineArray<64, Int32>(repeating: 0)
  var positions = InlineArray<64, UInt8>(repeating: 0)

  /// Stores the levels at their places. It changes nothing: what is passed as `inout` is not copied.
  mutating func store(to target: inout [Int32], _ place: LevelTarget, _ tables: [UInt8]) {
    let tables = tables.span
    var target = target.mutableSpan
    for index in 0..<count { target[place.place(ofPosition: Int(positions[index]), tables)] = levels[index] }
  }
}

/// Places in a block, row by row, in the order of coding: the zigzag scan of frames and the scan of fields.
package enum CoefficientScan {
  package static let frame4x4: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]
  package static let field4x4: InlineArray<16, UInt8> = [0, 4, 1, 8, 12, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
  package static let frame8x8: InlineArray<64, UInt8> = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61,
    54, 47, 55, 62, 63,
  ]
  package static let field8x8: InlineArray<64, UInt8> = [
    0, 8, 16, 1, 9, 24, 32, 17, 2, 25, 40, 48, 56, 33, 10, 3, 18, 41, 49, 57, 26, 11, 4, 19, 34, 42, 50, 58, 27, 12,
    5, 20, 35, 43, 51, 59, 28, 13, 6, 21, 36, 44, 52, 60, 29, 14, 22, 37, 45, 53, 61, 30, 7, 15, 38, 46, 54, 62, 23,
    31, 39, 47, 55, 63,
  ]
  /// The places of DC coefficients of chroma in 4:2:2, in two columns.
  package static let chromaDC422: InlineArray<8, UInt8> = [0, 2, 1, 4, 6, 3, 5, 7]
}

/// `ctxIdxInc` of the coefficients of 8 × 8 blocks.
enum LargeBlockContexts {
  static let significantInFrame: InlineArray<64, UInt8> = [
    0, 1, 2, 3, 4, 5, 5, 4, 4, 3, 3, 4, 4, 4, 5, 5, 4, 4, 4, 4, 3, 3, 6, 7, 7, 7, 8, 9, 10, 9, 8, 7, 7, 6, 11, 12,
    13, 11, 6, 7, 8, 9, 14, 10, 9, 8, 6, 11, 12, 13, 11, 6, 9, 14, 10, 9, 11, 12, 13, 11, 14, 10, 12, 0,
  ]
  static let significantInField: InlineArray<64, UInt8> = [
    0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7, 8, 4, 5, 6, 9, 10, 10, 8, 11, 12, 11, 9, 9, 10, 10, 8, 11, 12, 11, 9, 9,
    10, 10, 8, 11, 12, 11, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10, 10, 14, 14, 14, 14, 14, 0,
  ]
  static let last: InlineArray<64, UInt8> = [
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
    3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8,
  ]
}
