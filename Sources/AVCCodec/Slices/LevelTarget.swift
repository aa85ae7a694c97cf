// The places of the levels of a block in the order of coding.

/// All tables of residual blocks in one array, so that a place in it selects one.
enum ResidualTables {
  static let frame4x4 = 0
  static let field4x4 = 16
  static let frame8x8 = 32
  static let field8x8 = 96
  /// The places of DC coefficients of chroma.
  static let placesDC420 = 160
  static let placesDC422 = 168
  /// `ctxIdxInc` of the coefficients of chroma DC and of 8 × 8 blocks.
  static let dc420 = 176
  static let dc422 = 184
  static let significantInFrame = 192
  static let significantInField = 256
  static let last = 320

  static let all: [UInt8] = {
    func values(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }
    return values(CoefficientScan.frame4x4.span) + values(CoefficientScan.field4x4.span)
      + values(CoefficientScan.frame8x8.span) + values(CoefficientScan.field8x8.span)
      + [0, 1, 2, 3, 4, 5, 6, 7] + values(CoefficientScan.chromaDC422.span)
      + [0, 1, 2, 2, 2, 2, 2, 2] + [0, 0, 1, 1, 2, 2, 2, 2]
      + values(LargeBlockContexts.significantInFrame.span) + values(LargeBlockContexts.significantInField.span)
      + values(LargeBlockContexts.last.span)
  }()
}

/// The places of the levels of a block, of which positions in the order of coding select one.
struct LevelTarget {
  private let start: Int
  private let scan: Int
  /// The distance of positions in the scan, and the first one.
  private let step: Int
  private let first: Int
  private let mask: Int

  /// A 4 × 4 block.
  init(small start: Int, first: Int, isField: Bool) {
    (self.start, step, self.first, mask) = (start, 1, first, 15)
    scan = isField ? ResidualTables.field4x4 : ResidualTables.frame4x4
  }

  /// An 8 × 8 block, or one of the four parts in which variable-length codes carry it.
  init(large start: Int, step: Int, first: Int, isField: Bool) {
    (self.start, self.step, self.first, mask) = (start, step, first, 63)
    scan = isField ? ResidualTables.field8x8 : ResidualTables.frame8x8
  }

  /// Four or eight DC coefficients of chroma.
  init(chromaDC start: Int, count: Int) {
    (self.start, step, first, mask) = (start, 1, 0, 7)
    scan = count == 8 ? ResidualTables.placesDC422 : ResidualTables.placesDC420
  }

  @inline(__always)
  func place(ofPosition position: Int, _ tables: Span<UInt8>) -> Int {
    start &+ Int(tables[scan &+ (position &* step &+ first) & mask])
  }
}
