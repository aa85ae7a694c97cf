// The values of blocks that select the contexts of their neighbours below and to the right.

internal import ImageCoding

/// The state of one unit of 4 luma columns at the bottom of blocks, or of 4 rows at their right.
struct EdgeUnit {
  /// `YModes`.
  var mode = IntraMode.dc
  /// `UVModes` of the last block with chroma.
  var chromaMode = IntraMode.dc
  /// `Skips`: 0 or 1.
  var skip: UInt8 = 0
  /// The logarithm of the block's columns above, or of its rows to the left; more than any if there is no block.
  var log2Size: UInt8 = 7
  /// The columns or rows of transforms for the context of `tx_depth`; 0 if there is no block.
  var transform: UInt8 = 0
  /// The columns or rows of transforms for the context of `txfm_split`.
  var splitTransform: UInt8 = 64
  /// `PaletteSizes` of luma and of chroma.
  var paletteSize: UInt8 = 0
  var chromaPaletteSize: UInt8 = 0
}

/// The units along the bottom of the blocks above, or along the right of those to the left.
struct EdgeContexts {
  private var units: [EdgeUnit]
  /// For each plane, the level contexts of units of 4 samples: the cumulative level, 0…63, and in bits 6 and 7 the sign
  /// of the DC coefficient, 1 for negative and 2 for positive.
  private(set) var levels: [UInt8]
  /// For each plane, the difference between a unit's index in ``levels`` and its number.
  private let levelOffsets: InlineArray<3, Int>
  /// The number of the first unit.
  private let first: Int
  /// Eight colours of luma, then of U, of each unit; empty if palettes are not allowed.
  private var paletteColors: [UInt16]

  static let paletteStride = 16

  /// - Parameters:
  ///   - first: the number of the first unit.
  ///   - shift: the logarithm of the units of luma for each of chroma.
  init(first: Int, count: Int, shift: Int, hasPalettes: Bool) {
    self.first = first
    units = [EdgeUnit](repeating: EdgeUnit(), count: count)
    levels = [UInt8](repeating: 0, count: 3 * count)
    levelOffsets = [0 - first, count - first >> shift, 2 * count - first >> shift]
    paletteColors = hasPalettes ? [UInt16](repeating: 0, count: count * Self.paletteStride) : []
  }

  /// A unit by its number.
  @inline(__always)
  subscript(unit: Int) -> EdgeUnit {
    get { units[unit &- first] }
    set { units[unit &- first] = newValue }
  }

  /// The index of a plane's unit in ``levels``.
  @inline(__always)
  func levelIndex(_ plane: Int, _ unit: Int) -> Int { levelOffsets[plane] &+ unit }

  /// The colours of a unit's palette of luma, or of U.
  func colors(_ plane: Int, of unit: Int, count: UInt8) -> [Int] {
    let start = (unit - first) * Self.paletteStride + plane * Self.paletteStride / 2
    return (start..<start + Int(count)).map { Int(paletteColors[$0]) }
  }

  /// Sets one of the colours of a unit.
  mutating func setColor(_ index: Int, of unit: Int, _ color: UInt16) {
    paletteColors[(unit - first) * Self.paletteStride + index] = color
  }

  /// The memory of contexts.
  static func byteCount(count: Int, hasPalettes: Bool) -> Int {
    count * (MemoryLayout<EdgeUnit>.stride + 3 + (hasPalettes ? paletteStride * 2 : 0))
  }

  /// Forgets all blocks.
  mutating func reset() {
    for index in units.indices { units[index] = EdgeUnit() }
    for index in levels.indices { levels[index] = 0 }
  }

  /// Sets the state of a block's units. Blocks without chroma leave the mode of chroma as it was.
  @inline(__always)
  mutating func set(_ unit: EdgeUnit, at number: Int, count: Int, hasChroma: Bool) {
    let first = number &- first
    var span = units.mutableSpan
    guard !hasChroma else {
      for index in first..<first &+ count { span[index] = unit }
      return
    }
    for index in first..<first &+ count {
      var changed = unit
      changed.chromaMode = span[index].chromaMode
      span[index] = changed
    }
  }

  /// Sets level contexts of a plane.
  @inline(__always)
  mutating func setLevels(_ plane: Int, at first: Int, count: Int, _ value: UInt8) {
    let start = levelIndex(plane, first)
    var span = levels.mutableSpan
    for index in start..<start &+ max(0, count) { span[index] = value }
  }
}
