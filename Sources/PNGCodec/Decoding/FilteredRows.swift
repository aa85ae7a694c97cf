// Reverses the row filters, PNG section 9: selects the kernel for each row.

/// A run of filtered rows in a strip. Each row is a filter byte followed by `byteCount` bytes.
package struct FilteredRows {
  /// The number of bytes in a row, without its filter byte.
  package let byteCount: Int
  /// The distance in bytes to the left neighbour used by filters.
  package let distance: Int

  package init(byteCount: Int, distance: Int) {
    self.byteCount = byteCount
    self.distance = distance
  }

  /// Reverses the filters in place, for rows whose filter bytes are at `start`, `start + byteCount + 1` ….
  ///
  /// - Parameters:
  ///   - prior: the offset of the (unfiltered) row above the first one.
  ///   - rowCount: the number of rows.
  /// - Returns: the number of valid rows: less than `rowCount` if a row has an unknown filter type.
  package func unfilter(_ strip: inout MutableSpan<UInt8>, start: Int, prior: Int, rowCount: Int) -> Int {
    var above = prior
    var done = 0
    while done < rowCount {
      let filterOffset = start + done * (byteCount + 1)
      guard let filter = RowFilter(rawValue: strip[filterOffset]) else { return done }
      let row = filterOffset + 1
      let next = row + byteCount + 1
      if filter == .paeth, canPairRows, done + 1 < rowCount, strip[next - 1] == filter.rawValue {
        unfilterPaethPair(&strip, row: row, next: next, prior: above, count: byteCount, distance: distance)
        above = next
        done += 2
      } else {
        undo(filter, &strip, row: row, prior: above)
        above = row
        done += 1
      }
    }
    return done
  }

  /// Whether there is a kernel for two rows at a time.
  private var canPairRows: Bool { distance == 1 || distance == 3 || distance == 4 }

  private func undo(_ filter: RowFilter, _ strip: inout MutableSpan<UInt8>, row: Int, prior: Int) {
    switch filter {
    case .none: break
    case .sub: unfilterSub(&strip, row: row, prior: prior, count: byteCount, distance: distance)
    case .up: unfilterUp(&strip, row: row, prior: prior, count: byteCount)
    case .average: unfilterAverage(&strip, row: row, prior: prior, count: byteCount, distance: distance)
    case .paeth: unfilterPaeth(&strip, row: row, prior: prior, count: byteCount, distance: distance)
    }
  }
}
