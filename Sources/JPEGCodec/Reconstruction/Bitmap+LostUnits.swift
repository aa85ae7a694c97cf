// Clears the pixels that damaged data left undefined.

internal import ImageCoding

extension Bitmap {
  /// Zeroes the pixels of MCUs that were not decoded, in a range of rows.
  mutating func clear(_ lost: LostUnits, in frame: FrameHeader, rows: Range<Int>) {
    clear(lost, columnsPerUnit: frame.mcuWidth, rowsPerUnit: frame.mcuHeight, in: frame, rows: rows)
  }

  /// Zeroes the pixels of units that were not decoded, in a range of rows that this bitmap holds.
  ///
  /// - Parameters:
  ///   - columnsPerUnit: the width of a unit (an MCU or block) in pixels of `frame`.
  ///   - rowsPerUnit: the height of a unit.
  mutating func clear(
    _ lost: LostUnits, columnsPerUnit: Int, rowsPerUnit: Int, in frame: FrameHeader, rows: Range<Int>
  ) {
    let rows = rows.clamped(to: heldRows)
    let unitsPerRow = (frame.width + columnsPerUnit - 1) / columnsPerUnit
    let firstUnit = rows.lowerBound / rowsPerUnit * unitsPerRow
    // The ranges ascend; those of earlier rows need not be visited.
    for range in lost.ranges.reversed() {
      guard range.upperBound > firstUnit else { return }
      var unit = max(range.lowerBound, firstUnit)
      while unit < range.upperBound {
        let column = unit % unitsPerRow
        let count = min(unitsPerRow - column, range.upperBound - unit)
        let top = max(unit / unitsPerRow * rowsPerUnit, rows.lowerBound)
        let bottom = min((unit / unitsPerRow + 1) * rowsPerUnit, rows.upperBound)
        guard top < rows.upperBound else { break }
        let left = column * columnsPerUnit
        let right = min(left + count * columnsPerUnit, frame.width)
        clear(PixelRegion(x: left, y: top, width: right - left, height: max(0, bottom - top)))
        unit += count
      }
    }
  }
}
