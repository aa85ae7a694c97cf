// Previews of interlaced images with missing passes: as in browsers, each decoded pixel is enlarged to the block that
// extends to the next one.

internal import ImageCoding

/// Fills the gaps of a partly decoded Adam7 image.
struct PassPreview {
  /// The number of complete passes, including empty ones, and the number of rows of the next pass.
  let completedPassCount: Int
  let rowsOfNextPass: Int

  /// The size of the block, in columns and rows, that a pixel fills after each number of complete passes.
  private static let blocks = [(8, 8), (8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]
  /// The first row and the row increment of each pass.
  private static let rows = [(0, 8), (0, 8), (4, 8), (0, 4), (2, 4), (0, 2), (1, 2)]

  init(completedPassCount: Int, rowsOfNextPass: Int) {
    self.completedPassCount = completedPassCount
    self.rowsOfNextPass = rowsOfNextPass
  }

  /// Returns the bitmap with every missing pixel replaced by the nearest decoded one above and to the left.
  func fill(_ sparse: Bitmap) -> Bitmap {
    var result = sparse
    for y in 0..<sparse.height {
      let (blockWidth, sourceRow) = source(ofRow: y)
      if let sourceRow {
        copyBlocks(of: sparse.row(sourceRow), width: blockWidth, in: &result, row: y)
      }
    }
    return result
  }

  /// The block width of a row, and the row that supplies its pixels; `nil` if no pixels are decoded.
  private func source(ofRow y: Int) -> (blockWidth: Int, row: Int?) {
    if completedPassCount < 7, rowsOfNextPass > 0 {
      // Rows already reached by the unfinished pass have its resolution.
      let (first, step) = Self.rows[completedPassCount]
      let (width, height) = Self.blocks[completedPassCount + 1]
      let row = y / height * height
      // Within a row of blocks, the pass may have supplied this row or the one above.
      let reached = first + (rowsOfNextPass - 1) * step
      if row <= reached { return (width, row) }
    }
    guard completedPassCount > 0 else { return (8, nil) }
    let (width, height) = Self.blocks[completedPassCount]
    return (width, y / height * height)
  }

  private func copyBlocks(of source: Span<UInt8>, width: Int, in bitmap: inout Bitmap, row: Int) {
    let bytesPerPixel = bitmap.format.bytesPerPixel
    let columnCount = bitmap.width
    var line = bitmap.mutableRow(row)
    for column in 0..<columnCount {
      let from = column / width * width * bytesPerPixel
      let to = column * bytesPerPixel
      for byte in 0..<bytesPerPixel { line[to + byte] = source[from + byte] }
    }
  }
}
