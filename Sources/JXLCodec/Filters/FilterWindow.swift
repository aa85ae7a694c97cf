// The rows between two steps of the chain of filters.

internal import ImageCoding

/// The latest rows of the colours of a tile, with samples on both sides of it.
///
/// Columns count from the first one of the tile. Steps calculate all columns of a window; those too far from the tile
/// for the steps that follow have arbitrary values, which no sample of the tile depends on.
struct FilterWindow: Sendable {
  /// The size of the frame.
  let size: PixelSize
  /// The column of the frame at which the tile starts.
  let left: Int
  /// The number of columns of the tile.
  let width: Int
  let planeCount: Int
  /// The distance between rows.
  let stride: Int
  /// The rows of one plane after the other.
  var samples: [Float]

  /// The number of columns on each side that are calculated.
  static let margin = 8
  /// The number of rows: the greatest reach of a filter on both sides, and the row itself.
  private static let rowCount = 8
  /// The number of samples before the first column: the margin, and what filters read before it.
  static let start = 16
  /// The room after the last vector.
  private static let slack = 16

  init(_ size: PixelSize, columns: Range<Int>, planeCount: Int) {
    (self.size, self.planeCount) = (size, planeCount)
    (left, width) = (columns.lowerBound, columns.count)
    stride = Self.stride(columns.count)
    samples = [Float](repeating: 0, count: stride * planeCount * Self.rowCount)
  }

  static func stride(_ width: Int) -> Int { start + (width + 7) & ~7 + margin + slack }

  /// The memory of a window.
  static func byteCount(width: Int, planeCount: Int) -> Int { stride(width) * planeCount * rowCount * 4 }

  /// The columns that steps calculate, in whole vectors.
  @inline(__always)
  var calculatedColumns: Range<Int> { -Self.margin..<(width &+ 7) & ~7 &+ Self.margin }

  /// The index of the first column of a row of the frame. Rows beyond the frame are mirrored.
  @inline(__always)
  func index(_ plane: Int, _ y: Int) -> Int {
    let row = y >= 0 && y < size.height ? y : mirrored(y, size.height)
    return (plane &* Self.rowCount &+ row & (Self.rowCount &- 1)) &* stride &+ Self.start
  }

  /// The part of a row that is in the frame, with the margins.
  var frameColumns: Range<Int> { max(0, left - Self.margin)..<min(size.width, left + width + Self.margin) }

  /// Sets the columns beyond the frame to mirrored ones.
  mutating func mirrorSides(row y: Int) {
    let right = size.width - left
    guard left < Self.margin || right < width + Self.margin else { return }
    // Moved out while in use, so that nothing is copied.
    var rows = samples
    samples = []
    var output = rows.mutableSpan
    for plane in 0..<planeCount {
      let start = index(plane, y)
      if left == 0 {
        for x in 1...Self.margin { output[start - x] = output[start + mirrored(-x, size.width)] }
      }
      for x in min(right, width + Self.margin)..<width + Self.margin {
        output[start + x] = output[start + mirrored(left + x, size.width) - left]
      }
    }
    samples = rows
  }
}
