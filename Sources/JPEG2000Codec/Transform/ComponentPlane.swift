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

  /// Charges and allocates zeros.
  init(_ area: GridArea, _ component: CodestreamSize.Component, budget: inout ResourceBudget) throws(CodecError) {
    self.area = area
    (width, height) = (Int(clamping: area.width), Int(clamping: area.height))
    (depth, isSigned) = (component.depth, component.isSigned)
    (dx, dy) = (Int(component.dx), Int(component.dy))
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 2)
    samples = [UInt16](repeating: 0, count: width * height)
  }

  /// Stores the part of a tile: adds half the range, rounds and clamps.
  ///
  /// - Parameter tile: the samples of the tile on the grid of the component.
  mutating func store(
    _ plane: CoefficientPlane, _ tile: GridArea, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let part = tile.intersection(area)
    guard !part.isEmpty else { return }
    let count = Int(part.width)
    let maximum = Int32(1) << Int32(depth) - 1
    let offset = Int32(1) << Int32(depth - 1)
    for y in part.y0..<part.y1 {
      try budget.chargeWork(count)
      let source = Int(y - tile.y0) * plane.width + Int(part.x0 - tile.x0)
      let start = Int(y - area.y0) * width + Int(part.x0 - area.x0)
      var target = samples.mutableSpan._consumingExtracting(start..<start + count)
      if plane.isReversible {
        let row = plane.integers.span.extracting(source..<source + count)
        for index in target.indices {
          let value = row[index] &+ offset
          let positive = value > 0 ? value : 0
          target[index] = UInt16(truncatingIfNeeded: positive < maximum ? positive : maximum)
        }
      } else {
        let row = plane.reals.span.extracting(source..<source + count)
        let limit = Float(maximum)
        for index in target.indices {
          let value = row[index] + Float(offset) + 0.5
          // Comparisons that are false for numbers that are none.
          let positive = value > 0 ? value : 0
          target[index] = UInt16(truncatingIfNeeded: Int32(positive < limit ? positive : limit))
        }
      }
    }
  }
}
