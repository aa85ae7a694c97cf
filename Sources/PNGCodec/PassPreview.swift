// What an interlaced image looks like before all of its passes are there: every pixel that came stands for the block
// up to the next one, as browsers show it.

internal import ImageCore

/// Fills the gaps of a partly decoded Adam7 image.
struct PassPreview {
  /// Complete passes, empty ones included, and the rows of the next one.
  let completedPassCount: Int
  let rowsOfNextPass: Int

  /// The blocks, in columns and rows, that a pixel stands for after so many of the seven passes.
  private static let blocks = [(8, 8), (8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]
  /// The first row and the row step of each pass.
  private static let rows = [(0, 8), (0, 8), (4, 8), (0, 4), (2, 4), (0, 2), (1, 2)]

  init(completedPassCount: Int, rowsOfNextPass: Int) {
    self.completedPassCount = completedPassCount
    self.rowsOfNextPass = rowsOfNextPass
  }

  /// The bitmap with every pixel that has not come yet replaced by the nearest one above and to the left that has.
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

  /// How wide the blocks of a row are, and which row its pixels come from; `nil` when none has come.
  private func source(ofRow y: Int) -> (blockWidth: Int, row: Int?) {
    if completedPassCount < 7, rowsOfNextPass > 0 {
      // Rows that the unfinished pass has reached are as fine as it makes them.
      let (first, step) = Self.rows[completedPassCount]
      let (width, height) = Self.blocks[completedPassCount + 1]
      let row = y / height * height
      // Within one row of blocks, the pass may supply this row or the one above.
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
