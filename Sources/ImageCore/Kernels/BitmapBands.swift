// Bands of rows of one bitmap that several threads write at the same time, each in memory of the bitmap itself.

internal import Threading

/// The bands of a bitmap, for threads to take.
@safe package final class BitmapBands: @unchecked Sendable {
  // SAFETY: each band is another part of the memory, is taken once, and exists only until `withBands` ends.
  private let memory: UnsafeMutableRawBufferPointer
  private let bytesPerRow: Int
  /// The row at the start of the memory.
  private let firstRow: Int
  private let rows: [Range<Int>]
  private let isTaken: Mutex<[Bool]>

  fileprivate init(memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int, firstRow: Int, rows: [Range<Int>]) {
    unsafe self.memory = memory
    self.bytesPerRow = bytesPerRow
    self.firstRow = firstRow
    self.rows = rows
    isTaken = Mutex([Bool](repeating: false, count: rows.count))
  }

  /// Returns a band. Each can be taken once, by any thread.
  package func take(_ index: Int) -> BitmapBand {
    let wasTaken = isTaken.withLock { taken in
      defer { taken[index] = true }
      return taken[index]
    }
    precondition(!wasTaken, "a band is taken twice")
    let (start, end) = (rows[index].lowerBound - firstRow, rows[index].upperBound - firstRow)
    let bytes = start * bytesPerRow..<end * bytesPerRow
    // SAFETY: the range is checked, and no other band has these bytes.
    return unsafe BitmapBand(
      memory: UnsafeMutableRawBufferPointer(rebasing: memory[bytes]), rows: rows[index], bytesPerRow: bytesPerRow,
      owner: self)
  }
}

/// Adjacent rows of a bitmap, which nothing else reads or writes. Their pixels are arbitrary until they are written.
@safe package struct BitmapBand: ~Copyable, @unchecked Sendable {
  // SAFETY: the memory belongs to this band alone and exists as long as it does: see `withBands`.
  private let memory: UnsafeMutableRawBufferPointer
  /// The rows of the bitmap.
  package let rows: Range<Int>
  private let bytesPerRow: Int
  private let owner: BitmapBands

  fileprivate init(
    memory: UnsafeMutableRawBufferPointer, rows: Range<Int>, bytesPerRow: Int, owner: BitmapBands
  ) {
    unsafe self.memory = memory
    self.rows = rows
    self.bytesPerRow = bytesPerRow
    self.owner = owner
  }

  /// Calls `body` with the bytes of a row of the bitmap, which must be one of ``rows``.
  package mutating func withRow(_ y: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    precondition(rows.contains(y), "the row is not in the band")
    let start = (y - rows.lowerBound) * bytesPerRow
    // SAFETY: the range is checked, access is exclusive during the call, and the span does not escape it.
    let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytesPerRow])
    var row = unsafe MutableSpan<UInt8>(_unsafeBytes: bytes)
    body(&row)
  }
}

extension Bitmap {
  /// Divides the memory of the bitmap into bands.
  ///
  /// - Parameters:
  ///   - bands: the rows of each band, in ascending order; of a window, those that it holds. Rows that are in none are
  ///     unchanged.
  ///   - body: receives the bands. None may exist when it returns.
  package mutating func withBands<Result>(_ bands: [Range<Int>], _ body: (BitmapBands) -> Result) -> Result {
    let (firstRow, bytesPerRow) = (heldRows.lowerBound, bytesPerRow)
    var end = firstRow
    for rows in bands {
      precondition(
        rows.lowerBound >= end && rows.upperBound <= heldRows.upperBound, "the bands are not ascending rows")
      end = rows.upperBound
    }
    return unsafe storage.withUnsafeMutableBytes { memory in
      var picture = unsafe BitmapBands(memory: memory, bytesPerRow: bytesPerRow, firstRow: firstRow, rows: bands)
      let result = body(picture)
      // SAFETY: every band refers to the picture, so none can be left that outlives the memory.
      precondition(isKnownUniquelyReferenced(&picture), "a band outlives its bitmap")
      return result
    }
  }
}
