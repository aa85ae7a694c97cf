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
  /// The samples, row by row. Signed ones are offset by half their range, so that none is negative.
  package private(set) var samples: [UInt16]

  /// Charges the samples. Rows are added as they are stored.
  init(_ area: GridArea, _ component: CodestreamSize.Component, budget: inout ResourceBudget) throws(CodecError) {
    self.area = area
    (width, height) = (Int(clamping: area.width), Int(clamping: area.height))
    (depth, isSigned) = (component.depth, component.isSigned)
    (dx, dy) = (Int(component.dx), Int(component.dy))
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 2)
    samples = []
    samples.reserveCapacity(width * height)
  }

  /// Stores the samples of some rows of a tile.
  ///
  /// - Parameter part: their area on the grid of the component.
  mutating func store(
    _ part: [UInt16], _ partArea: GridArea, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let common = partArea.intersection(area)
    guard !common.isEmpty else { return }
    for _ in common.y0..<common.y1 { try budget.chargeWork(Int(common.width)) }
    let start = Int(common.y0 - area.y0) * width
    if common == partArea, common.width == area.width, start == samples.count {
      return samples.append(contentsOf: part)
    }
    addRows(to: Int(common.y1 - area.y0))
    for y in common.y0..<common.y1 {
      let source = Int(y - partArea.y0) * Int(partArea.width) + Int(common.x0 - partArea.x0)
      let place = Int(y - area.y0) * width + Int(common.x0 - area.x0)
      let row = part.span.extracting(source..<source + Int(common.width))
      var target = samples.mutableSpan._consumingExtracting(place..<place + row.count)
      for index in row.indices { target[index] = row[index] }
    }
  }

  /// Adds the rows that are missing, as zeros.
  mutating func complete() {
    addRows(to: height)
  }

  private mutating func addRows(to count: Int) {
    let missing = count * width - samples.count
    if missing > 0 { samples.append(contentsOf: repeatElement(0, count: missing)) }
  }
}
