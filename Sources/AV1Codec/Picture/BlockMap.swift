// The state of a frame's blocks that neighbours and in-loop filters read, by unit of 4 × 4 samples.

internal import ImageCoding

/// The blocks of a frame.
struct BlockMap {
  /// `MiCols` and `MiRows`.
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
  /// `SegmentIds`; empty without segmentation.
  var segments: [UInt8]
  /// `MiSizes`, or ``unknownSize`` for blocks that are not decoded; empty without intra block copy.
  var sizes: [UInt8]
  /// `Mvs`, rows first, of blocks that are copied; empty without intra block copy.
  var vectors: [SIMD2<Int16>]
  /// `IsInters`; empty without intra block copy.
  var isCopied: [Bool]

  static let unknownSize: UInt8 = 255

  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    (columns, rows) = (parameters.columns, parameters.rows)
    let count = columns * rows
    let isMonochrome = parameters.planeCount == 1
    chromaColumns = isMonochrome ? 0 : columns >> parameters.subsamplingX
    let chromaCount = isMonochrome ? 0 : chromaColumns * (rows >> parameters.subsamplingY)
    cdefColumns = (columns + 15) >> 4
    let cdefCount = cdefColumns * ((rows + 15) >> 4)
    let hasCopies = parameters.allowsIntraBlockCopy
    try budget.allocate(count: count, bytesEach: 2)
    try budget.allocate(chromaCount + cdefCount)
    if parameters.hasBlockLevels { try budget.allocate(count: count, bytesEach: 4) }
    if parameters.segmentation.isEnabled { try budget.allocate(count) }
    if hasCopies { try budget.allocate(count: count, bytesEach: 6) }
    try budget.chargeWorkInParts(count: count, unitsEach: hasCopies ? 4 : 1)
    lumaTransforms = [UInt8](repeating: 0, count: count)
    chromaTransforms = [UInt8](repeating: 0, count: chromaCount)
    isSkipped = [Bool](repeating: true, count: count / 4)
    cdefIndices = [Int8](repeating: -1, count: cdefCount)
    levels = parameters.hasBlockLevels ? [SIMD4<UInt8>](repeating: SIMD4(), count: count) : []
    segments = parameters.segmentation.isEnabled ? [UInt8](repeating: 0, count: count) : []
    sizes = hasCopies ? [UInt8](repeating: Self.unknownSize, count: count) : []
    vectors = hasCopies ? [SIMD2<Int16>](repeating: SIMD2(), count: count) : []
    isCopied = hasCopies ? [Bool](repeating: false, count: count) : []
  }

  /// Sets a value of all units of a block.
  @inline(__always)
  static func fill<Value>(
    _ values: inout [Value], _ value: Value, column: Int, row: Int, columns: Int, rows: Int, stride: Int
  ) {
    var span = values.mutableSpan
    var first = row &* stride &+ column
    for _ in 0..<rows {
      for index in first..<first &+ columns { span[index] = value }
      first &+= stride
    }
  }
}
