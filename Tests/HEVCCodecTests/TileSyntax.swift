// Tiles, and the parts of slice headers that follow from them.

import TestSupport

/// Returns the raster addresses of tree blocks in decoding order, and the tile of each.
///
/// - Parameters:
///   - tileColumns: the first columns of tiles after the first.
///   - tileRows: the first rows of tiles after the first.
func tileOrder(
  columns: Int, rows: Int, tileColumns: [Int], tileRows: [Int]
) -> [(address: Int, tile: Int)] {
  let (xs, ys) = ([0] + tileColumns + [columns], [0] + tileRows + [rows])
  var order: [(address: Int, tile: Int)] = []
  for row in 0..<ys.count - 1 {
    for column in 0..<xs.count - 1 {
      for y in ys[row]..<ys[row + 1] {
        for x in xs[column]..<xs[column + 1] { order.append((y * columns + x, row * (xs.count - 1) + column)) }
      }
    }
  }
  return order
}

extension BitWriter {
  /// Writes the division of a picture into tiles, by the first columns and rows after the first.
  mutating func tiles(columns: [Int], rows: [Int], filtersAcross: Bool) {
    unsigned(columns.count)
    unsigned(rows.count)
    write(0, 1)
    for (bound, before) in zip(columns, [0] + columns) { unsigned(bound - before - 1) }
    for (bound, before) in zip(rows, [0] + rows) { unsigned(bound - before - 1) }
    write(filtersAcross ? 1 : 0, 1)
  }

  /// Writes the address of the first tree block of a segment.
  ///
  /// - Parameter count: the number of tree blocks of the picture.
  mutating func address(_ address: Int, of count: Int) {
    var width = 0
    while 1 << width < count { width += 1 }
    write(address, width)
  }

  /// Writes the entry points of substreams by the sizes of all but the last one.
  mutating func substreams(_ sizes: [Int]) {
    unsigned(sizes.count)
    guard !sizes.isEmpty else { return }
    unsigned(23)
    for size in sizes { write(size - 1, 24) }
  }
}
