// The filter of random numbers (ISO/IEC 18181-1, K.5.2).

internal import ImageCoding

/// Filters the random numbers of a tile row by row: subtracts the average of 5 × 5 numbers, times four.
struct NoiseRows {
  private var window: FilterWindow
  /// No plane is reduced.
  private var chroma = ChromaRows(width: 0)
  /// The next row of numbers to copy to the window.
  private var nextRow: Int?
  /// The filtered rows of the three planes, one after the other.
  private(set) var filtered: [Float]
  /// The filtered rows in whole vectors.
  private var padded: [Float]

  /// The number of rows on each side that the filter reads.
  static let reach = 2

  /// Creates rows of a tile, whose memory is charged.
  ///
  /// - Parameters:
  ///   - size: that of the frame.
  ///   - columns: the columns of the tile.
  init(_ size: PixelSize, columns: Range<Int>, budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(Self.byteCount(width: columns.count))
    window = FilterWindow(size, columns: columns, planeCount: 3)
    filtered = [Float](repeating: 0, count: 3 * columns.count)
    padded = [Float](repeating: 0, count: (columns.count + 7) & ~7)
  }

  static func byteCount(width: Int) -> Int { FilterWindow.byteCount(width: width, planeCount: 3) + 4 * (width + 2) * 4 }

  /// Filters a row. Rows follow one another.
  mutating func advance(to y: Int, _ numbers: SampleGroups) {
    var next = nextRow ?? max(0, y - Self.reach)
    while next <= min(y + Self.reach, window.size.height - 1) {
      numbers.copy(row: next, into: &window, &chroma)
      next += 1
    }
    nextRow = next
    let width = window.width
    for plane in 0..<3 {
      // Moved out while in use, so that nothing is copied.
      var row = padded
      padded = []
      Self.filter(window, plane, y, into: &row)
      var target = filtered.mutableSpan
      copySamples(row.span, from: 0, to: &target, at: plane * width, count: width)
      padded = row
    }
  }

  /// Filters a row of a plane, in whole vectors.
  private static func filter(_ window: FilterWindow, _ plane: Int, _ y: Int, into row: inout [Float]) {
    let samples = window.samples.span
    let (first, second) = (window.index(plane, y - 2), window.index(plane, y - 1))
    let middle = window.index(plane, y)
    let (fourth, fifth) = (window.index(plane, y + 1), window.index(plane, y + 2))
    var output = row.mutableSpan
    @inline(__always)
    func load(_ start: Int, _ offset: Int) -> FloatVector { loadVector(samples, at: start &+ offset) }
    var x = 0
    while x < window.width {
      var sum = FloatVector()
      for offset in -2...2 { sum += load(first &+ x, offset) }
      for offset in -2...2 { sum += load(second &+ x, offset) }
      // The number itself is not part of the sum.
      sum += load(middle &+ x, -2)
      sum += load(middle &+ x, -1)
      sum += load(middle &+ x, 1)
      sum += load(middle &+ x, 2)
      for offset in -2...2 { sum += load(fourth &+ x, offset) }
      for offset in -2...2 { sum += load(fifth &+ x, offset) }
      storeVector(sum * 0.16 + load(middle &+ x, 0) * (0.16 - 4), into: &output, at: x)
      x &+= 8
    }
  }
}
