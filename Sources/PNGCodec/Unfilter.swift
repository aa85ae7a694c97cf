// Undoing the row filters, PNG section 9: chooses the kernel for a row.

/// The filter types of section 9.2; raw values are those of the file.
enum RowFilter: UInt8, CaseIterable, Sendable {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4
}

/// A run of filtered rows in a strip: each one a filter byte and `byteCount` bytes.
package struct FilteredRows {
  /// Bytes of a row without its filter byte.
  package let byteCount: Int
  /// The distance of a filter's left neighbour.
  package let distance: Int

  package init(byteCount: Int, distance: Int) {
    self.byteCount = byteCount
    self.distance = distance
  }

  /// Undoes the filters of rows whose filter bytes stand at `start`, `start + byteCount + 1` …, in place.
  ///
  /// - Parameters:
  ///   - prior: the offset of the (unfiltered) row above the first one.
  ///   - rowCount: how many rows there are.
  /// - Returns: how many rows are sound: fewer than `rowCount` when one has an unknown filter type.
  package func unfilter(_ strip: inout MutableSpan<UInt8>, start: Int, prior: Int, rowCount: Int) -> Int {
    var above = prior
    var done = 0
    while done < rowCount {
      let filterOffset = start + done * (byteCount + 1)
      guard let filter = RowFilter(rawValue: strip[filterOffset]) else { return done }
      let row = filterOffset + 1
      let next = row + byteCount + 1
      if filter == .paeth, distance == 3 || distance == 4, done + 1 < rowCount, strip[next - 1] == filter.rawValue {
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
