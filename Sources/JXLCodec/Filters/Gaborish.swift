// The smoothing filter that is the inverse of the encoder's sharpening (ISO/IEC 18181-1, J.2).

/// Smooths the colours of a tile with a kernel of 3 × 3.
struct Gaborish: Sendable {
  /// The weights of the sides and of the corners for each plane.
  let weights: [Float]

  /// The work for a sample, in the units of the budget.
  var unitsPerSample: Int { 1 }

  /// Calculates a row of a tile from three rows of another window.
  func filter(row y: Int, of source: FilterWindow, into target: inout FilterWindow) {
    let samples = source.samples.span
    let columns = target.calculatedColumns
    for plane in 0..<source.planeCount {
      let (side, corner) = (weights[2 * plane], weights[2 * plane + 1])
      let scale = 1 / (1 + 4 * side + 4 * corner)
      let (above, row, below) = (source.index(plane, y - 1), source.index(plane, y), source.index(plane, y + 1))
      let start = target.index(plane, y)
      var output = target.samples.mutableSpan
      var x = columns.lowerBound
      while x < columns.upperBound {
        func load(_ start: Int, _ offset: Int) -> FloatVector { loadVector(samples, at: start &+ x &+ offset) }
        let sides = load(row, -1) + load(row, 1) + load(above, 0) + load(below, 0)
        let corners = load(above, -1) + load(above, 1) + load(below, -1) + load(below, 1)
        storeVector((load(row, 0) + sides * side + corners * corner) * scale, into: &output, at: start &+ x)
        x &+= 8
      }
    }
  }
}
