// A linear map of straight colours and alpha (Filter Effects 1, section 9.6; independent of SVG).

package import ImageCore

/// A matrix of four rows and five columns, of which the last is added.
package struct ColorMatrix: Hashable, Sendable {
  /// The coefficients, row by row.
  package let coefficients: [Double]

  /// The identity map.
  package static let identity = ColorMatrix(
    [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0])

  /// - Parameter coefficients: 20 numbers, row by row; any other count yields the identity.
  package init(_ coefficients: [Double]) {
    self.coefficients = coefficients.count == 20 ? coefficients : Self.identity.coefficients
  }

  /// Changes the saturation by the factor `s`.
  package static func saturation(_ s: Double) -> ColorMatrix {
    ColorMatrix([
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0,
      0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0, 0,
      0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0, 0,
      0, 0, 0, 1, 0,
    ])
  }

  /// Replaces colours by one, whose alpha is multiplied by theirs.
  package static func replacingColor(with color: Color) -> ColorMatrix {
    ColorMatrix([
      0, 0, 0, 0, color.red, 0, 0, 0, 0, color.green, 0, 0, 0, 0, color.blue, 0, 0, 0, color.alpha, 0,
    ])
  }

  /// Rotates the hue about the gray axis, by an angle in degrees.
  package static func hueRotation(_ degrees: Double) -> ColorMatrix {
    let angle = degrees * .pi / 180
    let c = ElementaryFunctions.cosine(angle)
    let s = ElementaryFunctions.sine(angle)
    return ColorMatrix([
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0, 0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0,
      0, 0, 0, 1, 0,
    ])
  }

  /// Converts luminance to alpha, on black.
  package static let luminanceToAlpha = ColorMatrix(
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2125, 0.7154, 0.0721, 0, 0])

  /// Whether transparent pixels remain transparent.
  private var keepsTransparency: Bool { !(coefficients[19] * 255 >= 0.5) }

  /// Returns the mapped pixels of an area.
  package func apply(
    to layer: Layer, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let visible = keepsTransparency ? area.intersection(layer.bounds) : area
    guard !visible.isEmpty else { return Layer(bounds: .empty) }
    if dependsOnAlphaOnly { return try applyByAlpha(to: layer, visible, interruption) }
    var result = layer.extracting(visible)
    let (red, green, blue, alpha) = (column(0), column(1), column(2), column(3))
    let offset = column(4) * 255
    let factors = StraightColor.factors
    try result.updateRows(interruption) { row in
      let scales = factors.span
      for index in row.indices {
        let word = row[index]
        let color =
          red * Float(word & 255) + green * Float((word &>> 8) & 255) + blue * Float((word &>> 16) & 255)
        row[index] = premultipliedWord(
          color * scales[Int(word &>> 24)] + alpha * Float(word &>> 24) + offset)
      }
    }
    return result
  }

  /// The coefficients of an input channel. Larger ones have the same effect on every sample, and within these bounds no
  /// sum is NaN.
  private func column(_ index: Int) -> FloatPixel {
    func bounded(_ row: Int) -> Float { Float(min(max(coefficients[row &* 5 &+ index], -1e6), 1e6)) }
    return FloatPixel(bounded(0), bounded(1), bounded(2), bounded(3))
  }

  /// Whether the result depends on the alpha of a pixel, but not on its colour, as in shadows.
  package var dependsOnAlphaOnly: Bool {
    (0..<20).allSatisfy { $0 % 5 > 2 || coefficients[$0] == 0 }
  }

  /// Maps pixels by a table with an entry for each alpha.
  private func applyByAlpha(
    to layer: Layer, _ area: PixelRect, _ interruption: Interruption
  ) throws(CodecError) -> Layer {
    let (alpha, offset) = (column(3), column(4) * 255)
    let table = (0..<256).map { premultipliedWord(alpha * Float($0) + offset) }
    var result = layer.extracting(area)
    try result.updateRows(interruption) { row in
      let table = table.span
      for index in row.indices { row[index] = table[Int(row[index] &>> 24)] }
    }
    return result
  }
}

/// Converts straight samples in 0…255 to a premultiplied pixel, clamping values out of range.
@inline(__always)
func premultipliedWord(_ pixel: FloatPixel) -> UInt32 {
  let zero = FloatPixel(repeating: 0)
  let most = FloatPixel(repeating: 255)
  let positive = pixel.replacing(with: zero, where: pixel .< zero)
  let bounded = positive.replacing(with: most, where: positive .> most)
  let alpha = bounded.w
  let scaled = bounded * (alpha * (1 / 255))
  return UInt32(roundedSample(scaled.x)) | UInt32(roundedSample(scaled.y)) &<< 8
    | UInt32(roundedSample(scaled.z)) &<< 16 | UInt32(roundedSample(alpha)) &<< 24
}
