// The superblocks of a tile (section 5.11.2).

internal import ImageCoding

/// Decodes the blocks of one tile: their syntax, and with it their samples.
///
/// It is large, so that methods which only read it are mutating, too: others would copy it. It owns all state that
/// blocks of the tile share. The parameters of filters go to the picture, in the tile's units only.
struct TileDecoder: ~Copyable {
  let parameters: FrameParameters
  /// `MiColStart` to `MiColEnd`, and `MiRowStart` to `MiRowEnd`.
  let columns: Range<Int>
  let rows: Range<Int>
  /// The bytes of the tile.
  let byteCount: Int

  var symbols: SymbolDecoder
  let contexts: CDFContexts
  var above: EdgeContexts
  var left: EdgeContexts
  var segments: SegmentMap
  var decoded = DecodedUnits()
  var block = CodingBlock()
  /// The reason for which the tile cannot be decoded further.
  var damage: StaticString?

  /// `CurrentQIndex`.
  var quantizerIndex: Int
  /// `DeltaLF`.
  var loopFilterDeltas: InlineArray<4, Int> = [0, 0, 0, 0]
  /// `ReadDeltas`.
  var readsDeltas = false
  /// `RefSgrXqd` and `RefLrWiener` of each plane.
  var referenceUnits: InlineArray<3, RestorationUnit>

  /// `TxTypes` and `InterTxSizes` of the current block, by unit, 32 in a row.
  var transformTypes = InlineArray<1024, UInt8>(repeating: 0)
  var copiedTransforms = InlineArray<1024, UInt8>(repeating: 0)
  /// The colours of the current block's palettes: 8 of Y, of U and of V.
  var paletteColors = InlineArray<24, UInt16>(repeating: 0)
  /// `ColorMapY` and `ColorMapUV`, with 64 samples in a row.
  var colorMap: [UInt8] = []
  var chromaColorMap: [UInt8] = []

  var reconstruction: BlockReconstruction
  var coefficients: CoefficientReader

  init(_ parameters: FrameParameters, columns: Range<Int>, rows: Range<Int>, _ bytes: Span<UInt8>) {
    self.parameters = parameters
    (self.columns, self.rows) = (columns, rows)
    byteCount = bytes.count
    symbols = SymbolDecoder(bytes, adapts: parameters.adaptsDistributions)
    contexts = CDFContexts(baseIndex: parameters.quantization.baseIndex)
    let hasPalettes = parameters.allowsScreenContentTools
    above = EdgeContexts(
      first: columns.lowerBound, count: columns.count + Self.edgePadding, shift: parameters.subsamplingX,
      hasPalettes: hasPalettes)
    left = EdgeContexts(first: 0, count: Self.leftCount, shift: parameters.subsamplingY, hasPalettes: hasPalettes)
    segments = SegmentMap(columns: columns, isUsed: parameters.segmentation.isEnabled)
    quantizerIndex = parameters.quantization.baseIndex
    var reference = RestorationUnit()
    reference.taps = [3, -7, 15, 3, -7, 15]
    reference.weights = SIMD2(-32, 31)
    referenceUnits = InlineArray(repeating: reference)
    if hasPalettes {
      colorMap = [UInt8](repeating: 0, count: 64 * 64)
      chromaColorMap = [UInt8](repeating: 0, count: 64 * 64)
    }
    reconstruction = BlockReconstruction(parameters)
    coefficients = CoefficientReader(parameters)
  }

  /// Units of rows in ``left``: those of the largest superblock.
  static let leftCount = 32
  /// Units in ``above`` after the last column of the tile, which blocks may reach.
  private static let edgePadding = 32

  /// The memory of the decoder of a tile with some columns.
  static func byteCount(_ parameters: FrameParameters, columnCount: Int) -> Int {
    let hasPalettes = parameters.allowsScreenContentTools
    return MemoryLayout<TileDecoder>.size + CDFContexts.byteCount
      + EdgeContexts.byteCount(count: columnCount + edgePadding + leftCount, hasPalettes: hasPalettes)
      + (parameters.segmentation.isEnabled ? SegmentMap.byteCount(columnCount: columnCount) : 0)
      + (hasPalettes ? 2 * 64 * 64 : 0) + BlockReconstruction.byteCount + CoefficientReader.byteCount
  }

  /// Decodes the row of superblocks that starts with a unit. Stops at damage.
  mutating func decodeSuperblockRow(_ row: Int, _ picture: inout Picture, _ bytes: Span<UInt8>) {
    left.reset()
    let units = parameters.superblockUnits
    let size = units == 32 ? BlockSize.block128x128 : BlockSize.block64x64
    var column = columns.lowerBound
    while column < columns.upperBound, damage == nil {
      readsDeltas = parameters.deltas.hasQuantizer
      for plane in 0..<parameters.planeCount {
        let shifts = parameters.shifts(plane)
        decoded.start(
          plane, columnCount: units >> shifts.x, rowCount: units >> shifts.y,
          columns: (columns.upperBound - column) >> shifts.x, rows: (rows.upperBound - row) >> shifts.y)
      }
      readRestorationUnits(row: row, column: column, &picture.restoration, bytes)
      decodePartition(row: row, column: column, size, &picture, bytes)
      column += units
    }
  }

  /// Whether more bits were read than the tile has. As in dav1d, zeros follow them.
  var isExhausted: Bool { symbols.isExhausted(byteCount: byteCount) }
}
