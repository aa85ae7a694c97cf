// The division of an image into strips or tiles (TIFF 6.0, sections 3 and 15). Both are blocks: a strip is as wide as
// the image.

internal import ImageCoding

/// The grid of blocks of one plane.
struct BlockGrid: Hashable {
  /// The size of the image in pixels.
  let imageSize: PixelSize
  /// The width of a block in pixels. Tiles may extend beyond the image.
  let blockWidth: Int
  /// The height of a block in pixels. Strips at the bottom are shorter; see ``rowCount(ofBlockRow:)``.
  let blockHeight: Int
  /// Whether blocks are tiles, which are stored with padding.
  let isTiled: Bool

  /// The number of blocks from left to right.
  var columnCount: Int { (imageSize.width - 1) / blockWidth + 1 }
  /// The number of blocks from top to bottom.
  var rowCount: Int { (imageSize.height - 1) / blockHeight + 1 }

  /// The number of pixel rows stored in a block.
  func storedRowCount(ofBlockRow row: Int) -> Int {
    isTiled ? blockHeight : rowCount(ofBlockRow: row)
  }

  /// The number of pixel rows of a block that are inside the image.
  func rowCount(ofBlockRow row: Int) -> Int { min(blockHeight, imageSize.height - row * blockHeight) }

  /// The index of a block among those of its plane.
  func index(column: Int, row: Int) -> Int { row * columnCount + column }

  /// The number of blocks of a plane; `nil` on overflow.
  var blockCount: Int? {
    let (count, overflow) = columnCount.multipliedReportingOverflow(by: rowCount)
    return overflow ? nil : count
  }
}
