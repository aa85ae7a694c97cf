// The steps of a conversion, applied to a row of staged colours.

internal import ImageCore

extension StagedRows.Pass {
  func apply(to colors: inout MutableSpan<SIMD4<Float>>) {
    switch self {
    case .matrix(let first, let second, let third, let offset):
      for index in 0..<colors.count {
        let color = colors[index]
        colors[index] = first * color.x + second * color.y + third * color.z + offset
      }
    case .functions(let functions):
      for (component, function) in functions.enumerated() { function.apply(to: &colors, component: component) }
    case .grid(let grid): grid.apply(to: &colors)
    case .neutralLab:
      for index in 0..<colors.count { colors[index] = SIMD4(colors[index].x, 128 / 255, 128 / 255, 0) }
    case .labToXYZ(let scale):
      for index in 0..<colors.count { colors[index] = Self.xyz(colors[index] * scale) }
    case .toneMap(let map): map.apply(to: &colors)
    case .inkToLight:
      for index in 0..<colors.count {
        let color = colors[index]
        colors[index] = (1 - color) * (1 - color.w)
      }
    case .lightness:
      for index in 0..<colors.count {
        colors[index].x = Float(Colorimetry.lightness(Double(colors[index].x)) / 100)
      }
    }
  }

  /// XYZ relative to D50 of encoded CIELAB.
  @inline(__always)
  private static func xyz(_ encoded: SIMD4<Float>) -> SIMD4<Float> {
    let y = (encoded.x * 100 + 16) * (1 / 116)
    let roots = SIMD4(y + (encoded.y * 255 - 128) * (1 / 500), y, y - (encoded.z * 255 - 128) * (1 / 200), 0)
    let cubes = roots * roots * roots
    let lines = (roots - 16 / 116) * (108 / 841)
    return lines.replacing(with: cubes, where: roots .> 24 / 116) * SIMD4(0.9642, 1, 0.8249, 0)
  }
}

extension ColorGrid {
  /// Replaces each colour by that of the grid. As ``color(_:)``, in single precision.
  func apply(to colors: inout MutableSpan<SIMD4<Float>>) {
    switch points.count {
    case 1: applyLinear(to: &colors)
    case 3: applyTetrahedral(to: &colors)
    default: applyTwice(to: &colors)
    }
  }

  /// The number of points less one, for each input.
  private var scale: SIMD4<Float> {
    var scale = SIMD4<Float>()
    for input in points.indices { scale[input] = Float(points[input] - 1) }
    return scale
  }

  /// Adding this rounds a number to nearest, so that its bits end with the integer.
  private static let rounder: Float = 12_582_912

  /// The input in units of the grid, clamped; NaN becomes 0.
  @inline(__always)
  private static func position(_ input: SIMD4<Float>, _ scale: SIMD4<Float>) -> SIMD4<Float> {
    let positive = SIMD4<Float>(repeating: 0).replacing(with: input, where: input .> 0)
    return positive.replacing(with: SIMD4(repeating: 1), where: positive .> 1) * scale
  }

  /// The lower of the two nodes around a position; either one at a node.
  @inline(__always)
  private static func lower(_ position: Float, _ count: Int) -> Int {
    let bits = (position - 0.5 + rounder).bitPattern &- rounder.bitPattern
    return min(Int(bits), count &- 2)
  }

  private func applyLinear(to colors: inout MutableSpan<SIMD4<Float>>) {
    let nodes = nodes.span
    let (scale, count) = (scale, points[0])
    for index in 0..<colors.count {
      let position = Self.position(colors[index], scale).x
      let low = Self.lower(position, count)
      let start = nodes[low]
      colors[index] = start + (nodes[low &+ 1] - start) * (position - Float(low))
    }
  }

  /// The weights of the four nodes of a tetrahedron, and the positions of the second and third relative to the first.
  private struct Tetrahedron {
    let weights: SIMD4<Float>
    let second: Int
    let third: Int

    /// - Parameters:
    ///   - x, y, z: the fractions of three inputs.
    ///   - strides: those of the inputs.
    @inline(__always)
    init(_ x: Float, _ y: Float, _ z: Float, _ strides: (Int, Int, Int)) {
      let (high, highStride) = x >= y ? (x, strides.0) : (y, strides.1)
      let (low, lowStride) = x >= y ? (y, strides.1) : (x, strides.0)
      let (largest, second) = z >= high ? (z, strides.2) : (high, highStride)
      let (smallest, lastStride) = z < low ? (z, strides.2) : (low, lowStride)
      let middle = z >= high ? high : (z < low ? low : z)
      weights = SIMD4(1 - largest, largest - middle, middle - smallest, smallest)
      self.second = second
      third = strides.0 &+ strides.1 &+ strides.2 &- lastStride
    }

    @inline(__always)
    func color(_ nodes: Span<SIMD4<Float>>, _ base: Int, _ opposite: Int) -> SIMD4<Float> {
      nodes[base] * weights.x + nodes[base &+ second] * weights.y + nodes[base &+ third] * weights.z
        + nodes[base &+ opposite] * weights.w
    }
  }

  private func applyTetrahedral(to colors: inout MutableSpan<SIMD4<Float>>) {
    let nodes = nodes.span
    let scale = scale
    let (xCount, yCount, zCount) = (points[0], points[1], points[2])
    let (xStride, yStride) = (strides[0], strides[1])
    let opposite = xStride &+ yStride &+ 1
    for index in 0..<colors.count {
      let position = Self.position(colors[index], scale)
      let (x, y, z) = (
        Self.lower(position.x, xCount), Self.lower(position.y, yCount), Self.lower(position.z, zCount)
      )
      let tetrahedron = Tetrahedron(
        position.x - Float(x), position.y - Float(y), position.z - Float(z), (xStride, yStride, 1))
      colors[index] = tetrahedron.color(nodes, x &* xStride &+ y &* yStride &+ z, opposite)
    }
  }

  /// Interpolates tetrahedrally at both nodes of the first of four inputs.
  private func applyTwice(to colors: inout MutableSpan<SIMD4<Float>>) {
    let nodes = nodes.span
    let scale = scale
    let (wCount, xCount, yCount, zCount) = (points[0], points[1], points[2], points[3])
    let (wStride, xStride, yStride) = (strides[0], strides[1], strides[2])
    let opposite = xStride &+ yStride &+ 1
    for index in 0..<colors.count {
      let position = Self.position(colors[index], scale)
      let (w, x) = (Self.lower(position.x, wCount), Self.lower(position.y, xCount))
      let (y, z) = (Self.lower(position.z, yCount), Self.lower(position.w, zCount))
      let tetrahedron = Tetrahedron(
        position.y - Float(x), position.z - Float(y), position.w - Float(z), (xStride, yStride, 1))
      let base = w &* wStride &+ x &* xStride &+ y &* yStride &+ z
      let low = tetrahedron.color(nodes, base, opposite)
      let high = tetrahedron.color(nodes, base &+ wStride, opposite)
      colors[index] = low + (high - low) * (position.x - Float(w))
    }
  }
}
