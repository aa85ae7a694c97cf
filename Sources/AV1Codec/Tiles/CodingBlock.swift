// One block and what its syntax elements state (section 5.11.5).

/// A block in decoding.
struct CodingBlock {
  /// `MiRow` and `MiCol`: in units of 4 × 4 luma samples.
  var row = 0
  var column = 0
  var size = BlockSize.block8x8
  /// `HasChroma`.
  var hasChroma = false
  /// `AvailU` and `AvailL`.
  var hasAbove = false
  var hasLeft = false
  /// `AvailUChroma` and `AvailLChroma`.
  var hasAboveChroma = false
  var hasLeftChroma = false
  /// `skip`.
  var isSkipped = false
  var segment = 0
  /// `Lossless`.
  var isLossless = false
  var mode = IntraMode.dc
  var chromaMode = IntraMode.dc
  /// `AngleDeltaY` and `AngleDeltaUV`.
  var angleDelta = 0
  var chromaAngleDelta = 0
  /// `filter_intra_mode`; `nil` unless `use_filter_intra`.
  var filterMode: Int?
  /// `CflAlphaU` and `CflAlphaV`.
  var alphaU = 0
  var alphaV = 0
  /// `PaletteSizeY` and `PaletteSizeUV`.
  var paletteSize = 0
  var chromaPaletteSize = 0
  /// `use_intrabc`, which is the same as `is_inter` in the frames that are decoded.
  var isCopied = false
  /// `Mv`, rows first, in eighths of luma samples.
  var vector = SIMD2<Int16>(0, 0)
  /// `TxSize`.
  var transform = TransformSize.size4x4
  /// Whether the block above or to the left has a smooth mode, in luma and in chroma.
  var hasSmoothNeighbour = false
  var hasSmoothChromaNeighbour = false
  /// The quantizers of DC and other coefficients of each plane.
  var dcSteps: InlineArray<3, Int> = [0, 0, 0]
  var acSteps: InlineArray<3, Int> = [0, 0, 0]

  /// The units of a block that are within a frame of some columns and rows.
  @inline(__always)
  func visibleColumns(_ frameColumns: Int) -> Int { min(size.columns, frameColumns &- column) }
  @inline(__always)
  func visibleRows(_ frameRows: Int) -> Int { min(size.rows, frameRows &- row) }
}
