// The order of rows in an interlaced image, GIF89a appendix E.

/// Maps stored rows to rows of the image.
struct Interlacing: Hashable, Sendable {
  /// The rows of one of the four passes.
  struct Pass: Hashable, Sendable {
    let firstRow: Int
    let step: Int
    /// The number of stored rows before the pass.
    let start: Int
    let rowCount: Int
  }

  let passes: [Pass]

  init(height: Int, isInterlaced: Bool) {
    var start = 0
    passes = (isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]).map { first, step in
      let count = first < height ? (height - first + step - 1) / step : 0
      defer { start += count }
      return Pass(firstRow: first, step: step, start: start, rowCount: count)
    }
  }

  /// The number of complete passes once the given number of rows is stored.
  func completedPassCount(storedRowCount: Int) -> Int {
    passes.prefix { storedRowCount >= $0.start + $0.rowCount }.count
  }

  /// The number of complete rows from the top once the given number of rows is stored.
  func completedRowCount(storedRowCount: Int) -> Int {
    // The first missing row of the image is the first missing row of one of the passes.
    passes.filter { storedRowCount < $0.start + $0.rowCount }
      .map { $0.firstRow + max(0, storedRowCount - $0.start) * $0.step }.min() ?? passes.reduce(0) { $0 + $1.rowCount }
  }
}
