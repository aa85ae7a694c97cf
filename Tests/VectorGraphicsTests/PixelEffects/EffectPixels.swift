// Random pictures and slow access to their samples, for the twins of effects.

import ImageCore
import TestSupport
import VectorGraphics

/// A picture with random premultiplied pixels: some transparent, some opaque. No alpha but 0 is even, so that
/// quotients by it are never halfway between two integers.
func randomLayer(_ bounds: PixelRect, _ random: inout TestRandom) -> Layer {
  var layer = Layer(bounds: bounds)
  for index in 0..<bounds.pixelCount {
    let alpha = [0, 255, Int.random(in: 0...255, using: &random) | 1].randomElement(using: &random) ?? 0
    for channel in 0..<3 { layer.pixels[index * 4 + channel] = UInt8(Int.random(in: 0...alpha, using: &random)) }
    layer.pixels[index * 4 + 3] = UInt8(alpha)
  }
  return layer
}

extension Layer {
  /// The four premultiplied samples of a pixel, 0…255; zero outside of the bounds.
  func samples(_ x: Int, _ y: Int) -> [Double] {
    let word = self[x, y]
    return [0, 8, 16, 24].map { Double((word >> UInt32($0)) & 255) }
  }

  /// The same with straight colours rounded to whole numbers.
  func straight(_ x: Int, _ y: Int) -> [Double] {
    let values = samples(x, y)
    guard values[3] > 0 else { return [0, 0, 0, 0] }
    return values[..<3].map { ($0 * 255 / values[3]).rounded() } + [values[3]]
  }
}

/// Straight samples 0…1 as premultiplied ones 0…255; what is out of range is cut.
func premultiplied(_ straight: [Double]) -> [Double] {
  let cut = straight.map { min(max($0, 0), 1) }
  return cut[..<3].map { $0 * cut[3] * 255 } + [cut[3] * 255]
}

/// The largest difference of a sample in an area from what a function says.
func largestDifference(
  _ layer: Layer, _ area: PixelRect, _ expected: (Int, Int) -> [Double]
) -> Double {
  var largest = 0.0
  for y in area.minY..<area.maxY {
    for x in area.minX..<area.maxX {
      for (value, other) in zip(layer.samples(x, y), expected(x, y)) { largest = max(largest, abs(value - other)) }
    }
  }
  return largest
}

extension PixelRect {
  /// Whether a pixel is inside.
  func contains(_ x: Int, _ y: Int) -> Bool { x >= minX && x < maxX && y >= minY && y < maxY }
}
