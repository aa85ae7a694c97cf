// The samples of a component of the image.

internal import ImageCoding

/// The samples of a component at its own size, after the component transform and before palettes and colours.
package struct ComponentPlane: Sendable {
  /// The samples on the grid of the component.
  let area: GridArea
  /// The number of columns.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The number of bits per sample, 1…16.
  package let depth: Int
  /// Whether samples are signed.
  package let isSigned: Bool
  /// The distance of samples on the reference grid.
  package let dx: Int
  package let dy: Int
  /// Rows of samples that follow one another. Signed samples are offset by half their range, so that none is negative.
  private var strips: [Strip] = []

  private struct Strip: Sendable {
    let firstRow: Int
    var samples: [UInt16]
  }

  /// Charges the samples. Rows are added as they are stored.
  init(_ area: GridArea, _ component: CodestreamSize.Component, budget: inout ResourceBudget) throws(CodecError) {
    self.area = area
    (width, height) = (Int(clamping: area.width), Int(clamping: area.height))
    (depth, isSigned) = (component.depth, component.isSigned)
    (dx, dy) = (Int(component.dx), Int(component.dy))
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 2)
  }

  /// The samples, row by row. Signed ones are offset by half their range, so that none is negative.
  package var samples: [UInt16] { strips.flatMap { $0.samples } }

  /// Returns the strip that contains a row, and the range of the row in it.
  func row(_ y: Int) -> (samples: [UInt16], range: Range<Int>) {
    let strip = strips[index(ofRow: y)]
    let start = (y - strip.firstRow) * width
    return (strip.samples, start..<start + width)
  }

  /// Stores the samples of some rows of a tile. Whole rows that follow those stored so far are not copied.
  ///
  /// - Parameter part: their area on the grid of the component.
  mutating func store(
    _ part: [UInt16], _ partArea: GridArea, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let common = partArea.intersection(area)
    guard !common.isEmpty else { return }
    let first = Int(common.y0 - area.y0)
    if common == partArea, common.width == area.width, first == rowCount {
      return try append(part, &budget)
    }
    try addRows(to: Int(common.y1 - area.y0), &budget)
    for y in common.y0..<common.y1 {
      try budget.chargeWork(Int(common.width))
      let source = Int(y - partArea.y0) * Int(partArea.width) + Int(common.x0 - partArea.x0)
      let row = part.span.extracting(source..<source + Int(common.width))
      let index = index(ofRow: Int(y - area.y0))
      let place = (Int(y - area.y0) - strips[index].firstRow) * width + Int(common.x0 - area.x0)
      var target = strips[index].samples.mutableSpan._consumingExtracting(place..<place + row.count)
      for index in row.indices { target[index] = row[index] }
    }
  }

  /// Adds the rows that are missing, as zeros.
  mutating func complete(_ budget: inout ResourceBudget) throws(CodecError) {
    try addRows(to: height, &budget)
  }

  /// The number of rows that have been stored.
  private var rowCount: Int {
    guard let last = strips.last, width > 0 else { return 0 }
    return last.firstRow + last.samples.count / width
  }

  private mutating func addRows(to count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let missing = (count - rowCount) * width
    if missing > 0 { try append([UInt16](repeating: 0, count: missing), &budget) }
  }

  private mutating func append(_ samples: [UInt16], _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(2 * MemoryLayout<Strip>.stride)
    strips.append(Strip(firstRow: rowCount, samples: samples))
  }

  /// Returns the strip that contains a row.
  private func index(ofRow y: Int) -> Int {
    var (low, high) = (0, strips.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if strips[middle].firstRow <= y { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
