// The order of coding tree blocks in a picture with tiles (section 6.5.1).

internal import ImageCoding

/// The tiles of a picture, and the conversion between raster and tile order.
struct TileLayout {
  /// Coding tree blocks in a row and rows of them.
  let columnCount: Int
  let rowCount: Int
  /// The first columns of the tiles, then the number of columns.
  let columnBounds: [Int]
  let rowBounds: [Int]
  /// The raster address of each block in decoding order: `CtbAddrTsToRs`.
  let rasterAddresses: [Int32]
  /// The place in decoding order of each raster address: `CtbAddrRsToTs`.
  let decodingOrder: [Int32]
  /// The tile of each raster address.
  let tiles: [Int32]
  /// The distance of each column from the first one of its tile.
  private let columnsInTile: [Int32]

  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.limitExceeded`.
  init(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    (columnCount, rowCount) = (sequence.codingTreeBlockColumns, sequence.codingTreeBlockRows)
    let count = columnCount * rowCount
    try budget.allocate(count: count, bytesEach: 12)
    let columnBounds = try Self.bounds(picture.tiles.columnCount, picture.tiles.columnWidths, of: columnCount)
    let rowBounds = try Self.bounds(picture.tiles.rowCount, picture.tiles.rowHeights, of: rowCount)
    var columnsInTile: [Int32] = []
    for (start, end) in zip(columnBounds, columnBounds.dropFirst()) {
      columnsInTile += (0..<end - start).map(Int32.init)
    }
    (self.columnBounds, self.rowBounds, self.columnsInTile) = (columnBounds, rowBounds, columnsInTile)
    var rasterAddresses = [Int32](repeating: 0, count: count)
    var decodingOrder = rasterAddresses
    var tiles = rasterAddresses
    var place = 0
    for tileRow in 0..<rowBounds.count - 1 {
      for tileColumn in 0..<columnBounds.count - 1 {
        for y in rowBounds[tileRow]..<rowBounds[tileRow + 1] {
          for x in columnBounds[tileColumn]..<columnBounds[tileColumn + 1] {
            let address = y * columnCount + x
            rasterAddresses[place] = Int32(address)
            decodingOrder[address] = Int32(place)
            tiles[address] = Int32(tileRow * (columnBounds.count - 1) + tileColumn)
            place += 1
          }
        }
      }
    }
    (self.rasterAddresses, self.decodingOrder, self.tiles) = (rasterAddresses, decodingOrder, tiles)
  }

  /// Whether rows of CTBs are decoded one after the other.
  var isRowByRow: Bool { columnBounds.count == 2 }

  /// The column of a CTB in its tile.
  func columnInTile(_ address: Int) -> Int { Int(columnsInTile[address % columnCount]) }

  func isFirstInTile(_ address: Int) -> Bool {
    let place = Int(decodingOrder[address])
    return place == 0 || tiles[address] != tiles[Int(rasterAddresses[place - 1])]
  }

  private static func bounds(_ count: Int, _ sizes: [Int]?, of length: Int) throws(CodecError) -> [Int] {
    guard count <= length else { throw CodecError(.malformed, "there are more tiles than coding tree blocks") }
    guard let sizes else { return (0...count).map { $0 * length / count } }
    var bounds = [0]
    for size in sizes { bounds.append((bounds.last ?? 0) + size) }
    guard let last = bounds.last, last < length else {
      throw CodecError(.malformed, "the tiles exceed the picture")
    }
    return bounds + [length]
  }
}
