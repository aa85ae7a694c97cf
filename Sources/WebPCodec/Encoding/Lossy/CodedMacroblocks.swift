// The result of the mode decision, kept until probabilities are known: headers and levels of all macroblocks.

internal import ImageCoding

/// The headers and levels of a picture's macroblocks.
struct CodedMacroblocks: Sendable {
  var headers: [MacroblockHeader]
  /// For each macroblock, the levels of sixteen luma blocks, eight chroma blocks and the Y2 block, in raster order.
  var levels: [Int16]

  static let levelsPerMacroblock = 25 * 16
  /// The index of the Y2 block's levels.
  static let secondary = 24 * 16
  /// The number of bytes of a macroblock.
  static let bytesPerMacroblock = levelsPerMacroblock * 2 + 32
}

/// The contexts of tokens: the neighbouring blocks that have coefficients.
struct TokenContexts: Sendable {
  /// Nine flags for each column: four of luma, two of U, two of V, one of Y2.
  private var above: [UInt8]
  private var left = InlineArray<9, UInt8>(repeating: 0)

  static let flagCount = 9
  static let secondary = 8

  init(columns: Int) {
    above = [UInt8](repeating: 0, count: columns * Self.flagCount)
  }

  mutating func beginRow() {
    left = InlineArray(repeating: 0)
  }

  /// Calls a closure for each block of a macroblock in the order of the stream, and keeps whether it had coefficients.
  ///
  /// - Parameter body: receives the block and its context.
  @inline(__always)
  mutating func forEachBlock(
    of header: MacroblockHeader, _ levels: Span<Int16>, column: Int, _ body: (TokenBlock, Int) -> Void
  ) {
    let base = column &* Self.flagCount
    @inline(__always)
    func visit(_ block: TokenBlock, _ above: inout UInt8, _ left: inout UInt8) {
      body(block, Int(above &+ left))
      above = block.hasCoefficients ? 1 : 0
      left = above
    }
    if !header.hasSubblocks {
      visit(
        TokenBlock(kind: 1, base: CodedMacroblocks.secondary, levels), &above[base &+ Self.secondary],
        &left[Self.secondary])
    }
    let kind = header.hasSubblocks ? 3 : 0
    for block in 0..<16 {
      visit(
        TokenBlock(kind: kind, base: block &* 16, levels), &above[base &+ (block & 3)], &left[block &>> 2])
    }
    for block in 0..<8 {
      let plane = 4 &+ (block &>> 2) &* 2
      visit(
        TokenBlock(kind: 2, base: 256 &+ block &* 16, levels), &above[base &+ plane &+ (block & 1)],
        &left[plane &+ ((block &>> 1) & 1)])
    }
  }

  /// Clears the flags as a macroblock without coefficients does; Y2 keeps its flag if there is none.
  mutating func skip(_ header: MacroblockHeader, column: Int) {
    let count = header.hasSubblocks ? Self.secondary : Self.flagCount
    for index in 0..<count {
      above[column * Self.flagCount + index] = 0
      left[index] = 0
    }
  }

  /// The flags of a macroblock's neighbours: those above, followed by those to the left.
  @inline(__always)
  func flags(column: Int) -> InlineArray<18, UInt8> {
    var flags = InlineArray<18, UInt8>(repeating: 0)
    for index in 0..<Self.flagCount {
      flags[index] = above[column &* Self.flagCount &+ index]
      flags[Self.flagCount &+ index] = left[index]
    }
    return flags
  }
}
