// The state of a frame's blocks that neighbours and in-loop filters read, by unit of 4 × 4 samples.

internal import ImageCoding

/// The blocks of a frame, or of a part of one. Units are addressed by their position in the frame.
struct BlockMap {
  /// The units that are stored: `MiCols` and `MiRows` for a frame.
  let columns: Int
  let rows: Int
  /// `LoopfilterTxSizes` of luma.
  var lumaTransforms: [UInt8]
  /// `LoopfilterTxSizes` of chroma, by unit of chroma.
  var chromaTransforms: [UInt8]
  /// Units of chroma in a row.
  let chromaColumns: Int
  /// Whether all blocks of a square of 8 × 8 luma samples are skipped.
  var isSkipped: [Bool]
  /// `cdef_idx` of each square of 64 × 64 luma samples.
  var cdefIndices: [Int8]
  /// Squares of 64 × 64 in a row.
  let cdefColumns: Int
  /// The levels of the loop filter: of vertical and horizontal edges of luma, of U and of V. Empty if all blocks have
  /// the same.
  var levels: [SIMD4<UInt8>]
  /// `MiSizes`, or ``unknownSize`` for blocks that are not decoded; empty without intra block copy.
  var sizes: [UInt8]
  /// `Mvs`, rows first, of blocks that are copied; empty without intra block copy.
  var vectors: [SIMD2<Int16>]
  /// `IsInters`; empty without intra block copy.
  var isCopied: [Bool]
  /// The differences between the index of a unit, a unit of chroma, a square of 8 × 8 and one of 64 × 64 in the frame
  /// and that in the map.
  private var offsets = (units: 0, chroma: 0, squares: 0, cdef: 0)

  static let unknownSize: UInt8 = 255

  /// The map of a frame.
  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    let (columns, rows) = (parameters.columns, parameters.rows)
    try budget.allocate(Int(clamping: Self.byteCount(columns: columns, rows: rows, parameters)))
    try budget.chargeWorkInParts(count: columns * rows, unitsEach: parameters.allowsIntraBlockCopy ? 4 : 1)
    self.init(columns: columns, rows: rows, parameters)
  }

  /// A map whose memory has been charged.
  init(columns: Int, rows: Int, _ parameters: FrameParameters) {
    (self.columns, self.rows) = (columns, rows)
    let count = columns * rows
    let isMonochrome = parameters.planeCount == 1
    chromaColumns = isMonochrome ? 0 : columns >> parameters.subsamplingX
    cdefColumns = (columns + 15) >> 4
    let hasCopies = parameters.allowsIntraBlockCopy
    lumaTransforms = [UInt8](repeating: 0, count: count)
    chromaTransforms = [UInt8](repeating: 0, count: chromaColumns * (rows >> parameters.subsamplingY))
    isSkipped = [Bool](repeating: true, count: count / 4)
    cdefIndices = [Int8](repeating: -1, count: cdefColumns * ((rows + 15) >> 4))
    levels = parameters.hasBlockLevels ? [SIMD4<UInt8>](repeating: SIMD4(), count: count) : []
    sizes = hasCopies ? [UInt8](repeating: Self.unknownSize, count: count) : []
    vectors = hasCopies ? [SIMD2<Int16>](repeating: SIMD2(), count: count) : []
    isCopied = hasCopies ? [Bool](repeating: false, count: count) : []
  }

  /// The memory of a map.
  static func byteCount(columns: Int, rows: Int, _ parameters: FrameParameters) -> Int64 {
    // Transforms of luma, and squares.
    let perUnit = 2 + (parameters.hasBlockLevels ? 4 : 0) + (parameters.allowsIntraBlockCopy ? 6 : 0)
    let chromaColumns = parameters.planeCount == 1 ? 0 : columns >> parameters.subsamplingX
    return Int64(columns) * Int64(rows) * Int64(perUnit)
      + Int64(chromaColumns) * Int64(rows >> parameters.subsamplingY)
      + Int64((columns + 15) >> 4) * Int64((rows + 15) >> 4)
  }

  /// The index of a unit of luma.
  @inline(__always)
  func index(column: Int, row: Int) -> Int { row &* columns &+ column &- offsets.units }
  /// The index of a unit of chroma.
  @inline(__always)
  func chromaIndex(column: Int, row: Int) -> Int { row &* chromaColumns &+ column &- offsets.chroma }
  /// The index of a square of 8 × 8 luma samples.
  @inline(__always)
  func squareIndex(column: Int, row: Int) -> Int { row &* (columns &>> 1) &+ column &- offsets.squares }
  /// The index of a square of 64 × 64 luma samples.
  @inline(__always)
  func cdefIndex(column: Int, row: Int) -> Int { row &* cdefColumns &+ column &- offsets.cdef }

  /// Sets a value of all units of a block.
  ///
  /// - Parameters:
  ///   - first: the index of the first unit.
  ///   - stride: the units of a row.
  @inline(__always)
  static func fill<Value>(
    _ values: inout [Value], _ value: Value, at first: Int, columns: Int, rows: Int, stride: Int
  ) {
    var span = values.mutableSpan
    var first = first
    for _ in 0..<rows {
      for index in first..<first &+ columns { span[index] = value }
      first &+= stride
    }
  }
}

extension BlockMap {
  /// Makes the first unit of a map that of a column and a row, both multiples of 16, and forgets all blocks. Maps with
  /// copied blocks are not moved.
  mutating func start(column: Int, row: Int, _ parameters: FrameParameters) {
    offsets.units = row * columns + column
    offsets.chroma = row >> parameters.subsamplingY * chromaColumns + column >> parameters.subsamplingX
    offsets.squares = row / 2 * (columns / 2) + column / 2
    offsets.cdef = row / 16 * cdefColumns + column / 16
    Self.reset(&lumaTransforms, to: 0)
    Self.reset(&chromaTransforms, to: 0)
    Self.reset(&isSkipped, to: true)
    Self.reset(&cdefIndices, to: -1)
    Self.reset(&levels, to: SIMD4())
  }

  private static func reset<Value>(_ values: inout [Value], to value: Value) {
    var span = values.mutableSpan
    for index in 0..<span.count { span[index] = value }
  }

  /// Copies units from the map of a part.
  mutating func copy(
    columns: Range<Int>, rows: Range<Int>, from part: borrowing BlockMap, _ parameters: FrameParameters
  ) {
    for row in rows {
      let (from, to) = (part.index(column: columns.lowerBound, row: row), index(column: columns.lowerBound, row: row))
      Self.copy(part.lumaTransforms, from: from, to: &lumaTransforms, at: to, count: columns.count)
      if parameters.hasBlockLevels { Self.copy(part.levels, from: from, to: &levels, at: to, count: columns.count) }
    }
    if chromaColumns > 0 {
      let (shiftX, shiftY) = (parameters.subsamplingX, parameters.subsamplingY)
      let column = columns.lowerBound >> shiftX
      for row in rows.lowerBound >> shiftY..<rows.upperBound >> shiftY {
        Self.copy(
          part.chromaTransforms, from: part.chromaIndex(column: column, row: row), to: &chromaTransforms,
          at: chromaIndex(column: column, row: row), count: columns.count >> shiftX)
      }
    }
    for row in rows.lowerBound / 2..<rows.upperBound / 2 {
      Self.copy(
        part.isSkipped, from: part.squareIndex(column: columns.lowerBound / 2, row: row), to: &isSkipped,
        at: squareIndex(column: columns.lowerBound / 2, row: row), count: columns.count / 2)
    }
    for row in rows.lowerBound / 16..<(rows.upperBound + 15) / 16 {
      Self.copy(
        part.cdefIndices, from: part.cdefIndex(column: columns.lowerBound / 16, row: row), to: &cdefIndices,
        at: cdefIndex(column: columns.lowerBound / 16, row: row), count: (columns.count + 15) / 16)
    }
  }

  private static func copy<Value>(
    _ source: borrowing [Value], from first: Int, to target: inout [Value], at index: Int, count: Int
  ) {
    let values = source.span.extracting(first..<first + count)
    var copies = target.mutableSpan
    for offset in 0..<count { copies[index &+ offset] = values[offset] }
  }
}
