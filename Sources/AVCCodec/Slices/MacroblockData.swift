// The syntax elements of one macroblock.

/// The values from which a macroblock is reconstructed, except its levels.
struct MacroblockData {
  var kind = MacroblockKind.intra4x4
  var isField = false
  var hasLargeTransform = false
  /// The prediction mode of 16 × 16 blocks.
  var mode16x16 = 0
  var chromaMode = 0
  var codedPattern = 0
  /// `QPY`.
  var qp = 0
  /// Whether there is no transform.
  var isLossless = false
  /// The prediction modes of 4 × 4 blocks in raster order; those of an 8 × 8 block are equal.
  var modes = InlineArray<16, Int8>(repeating: 2)
  /// Which blocks have coefficients other than DC, one bit for each: sixteen for each component.
  var codedBlocks: UInt64 = 0
  /// Which components have DC coefficients in a separate block.
  var codedDC = 0

  /// Column and row of a 4 × 4 block of luma in units of blocks.
  @inline(__always)
  static func place(_ block: Int) -> (x: Int, y: Int) {
    (block & 1 | (block &>> 1) & 2, (block &>> 1) & 1 | (block &>> 2) & 2)
  }

  mutating func markCoded(_ component: Int, _ block: Int) {
    codedBlocks |= 1 &<< UInt64(truncatingIfNeeded: (component &* 16) &+ block)
  }

  @inline(__always)
  func isCoded(_ component: Int, _ block: Int) -> Bool {
    (codedBlocks &>> UInt64(truncatingIfNeeded: (component &* 16) &+ block)) & 1 != 0
  }
}

/// The levels of a macroblock at their places; all 0 except between reading and reconstruction.
struct MacroblockLevels: Sendable {
  /// For each component, the levels of sixteen 4 × 4 blocks or four 8 × 8 blocks, each row by row. PCM samples row by
  /// row.
  var values = [Int32](repeating: 0, count: 3 * 256)
  /// For each component, the levels of its DC block.
  var dc = [Int32](repeating: 0, count: 3 * 16)

  static let byteCount = 3 * (256 + 16) * MemoryLayout<Int32>.stride
}
