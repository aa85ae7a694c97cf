// Multidimensional tables of colours, and interpolation in them.

/// A grid of colours with 1…4 inputs and up to 4 outputs (the CLUT of ICC profiles). The last input varies fastest.
struct ColorGrid: Sendable {
  /// The number of grid points for each input, at least 2.
  let points: [Int]
  /// The number of outputs, at most 4.
  let outputCount: Int
  /// The colours; unused outputs are 0.
  let nodes: [SIMD4<Float>]
  /// The distance of neighbouring nodes for each input.
  let strides: [Int]

  init(points: [Int], outputCount: Int, nodes: [SIMD4<Float>]) {
    self.points = points
    self.outputCount = outputCount
    self.nodes = nodes
    var strides = Array(repeating: 1, count: points.count)
    for index in stride(from: points.count - 2, through: 0, by: -1) {
      strides[index] = strides[index + 1] * points[index + 1]
    }
    self.strides = strides
  }

  /// Returns the colour of inputs 0…1, which are clamped: tetrahedral in the last three inputs, linear in the first of
  /// four.
  func color(_ inputs: SIMD4<Double>) -> SIMD4<Double> {
    var indices = SIMD4<Int>()
    var fractions = SIMD4<Double>()
    for input in points.indices {
      let scaled = Self.clamp(inputs[input]) * Double(points[input] - 1)
      indices[input] = min(Int(scaled), points[input] - 2)
      fractions[input] = scaled - Double(indices[input])
    }
    var base = 0
    for input in points.indices { base += indices[input] * strides[input] }
    if points.count < 4 { return interpolate(base, fractions, firstInput: 0) }
    let low = interpolate(base, fractions, firstInput: 1)
    let high = interpolate(base + strides[0], fractions, firstInput: 1)
    return low + (high - low) * fractions.x
  }

  /// Moves from the base node to the opposite one along the inputs in the order of decreasing fractions.
  private func interpolate(_ base: Int, _ fractions: SIMD4<Double>, firstInput: Int) -> SIMD4<Double> {
    let order = (firstInput..<points.count).sorted { fractions[$0] > fractions[$1] }
    var index = base
    var color = SIMD4<Double>(nodes[index])
    for input in order {
      let start = SIMD4<Double>(nodes[index])
      index += strides[input]
      color += (SIMD4<Double>(nodes[index]) - start) * fractions[input]
    }
    return color
  }

  /// Returns the colour by multilinear interpolation, as it is usual for inputs in CIELAB.
  func multilinearColor(_ inputs: SIMD4<Double>) -> SIMD4<Double> {
    var color = SIMD4<Double>()
    for corner in 0..<(1 << points.count) {
      var weight = 1.0
      var index = 0
      for input in points.indices {
        let scaled = Self.clamp(inputs[input]) * Double(points[input] - 1)
        let low = min(Int(scaled), points[input] - 2)
        let fraction = scaled - Double(low)
        let isHigh = corner >> input & 1 == 1
        weight *= isHigh ? fraction : 1 - fraction
        index += (low + (isHigh ? 1 : 0)) * strides[input]
      }
      if weight > 0 { color += SIMD4<Double>(nodes[index]) * weight }
    }
    return color
  }

  private static func clamp(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}
