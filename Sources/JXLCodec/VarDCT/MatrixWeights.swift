// The calculation of quantisation matrices from their parameters (ISO/IEC 18181-1, I.2.4).

internal import ImageCoding

/// Calculates the multipliers of the coefficients of a channel, as they are stored: rows of the longer side.
package struct MatrixWeights {
  private let width: Int
  private let height: Int
  /// The reciprocals of the multipliers.
  private var weights: [Float]

  /// - Parameter size: the size in blocks.
  private init(_ size: (columns: Int, rows: Int)) {
    (width, height) = (8 * size.columns, 8 * size.rows)
    weights = [Float](repeating: 1, count: width * height)
  }

  /// Returns the multipliers of a channel; `nil` if one is not positive or too large.
  package static func multipliers(
    _ encoding: MatrixEncoding, channel: Int, size: (columns: Int, rows: Int)
  ) -> [Float]? {
    var matrix = MatrixWeights(size)
    switch encoding {
    case .bands(let bands):
      matrix.weights = Self.interpolated(bands[channel], width: matrix.width, height: matrix.height)
    case .hornuss(let parameters): matrix.setHornuss(parameters[channel])
    case .dct2(let parameters): matrix.setDCT2(parameters[channel])
    case .dct4(let parameters, let bands): matrix.setDCT4(parameters[channel], bands[channel])
    case .dct4x8(let parameters, let bands): matrix.setDCT4x8(parameters[channel], bands[channel])
    case .corner(let parameters, let bands, let cornerBands):
      matrix.setCorner(parameters[channel], bands[channel], cornerBands[channel])
    case .raw(let integers, let denominator):
      let multipliers = integers[channel].map { Float($0) * denominator }
      return multipliers.allSatisfy { isValid($0) } ? multipliers : nil
    }
    var multipliers: [Float] = []
    multipliers.reserveCapacity(matrix.weights.count)
    for weight in matrix.weights {
      let multiplier = 1 / weight
      guard isValid(multiplier) else { return nil }
      multipliers.append(multiplier)
    }
    return multipliers
  }

  private static func isValid(_ multiplier: Float) -> Bool { multiplier > 0 && multiplier < 1e8 }

  // MARK: Bands

  /// The weight of each band, from a first one and relative changes.
  private static func bandWeights(_ bands: [Float]) -> [Float] {
    var weights = [bands[0]]
    for change in bands.dropFirst() {
      weights.append((weights.last ?? 0) * (change > 0 ? 1 + change : 1 / (1 - change)))
    }
    return weights
  }

  /// Returns weights by the distance from the lowest frequency, in which the bands are equidistant.
  private static func interpolated(_ bands: [Float], width: Int, height: Int) -> [Float] {
    let weights = bandWeights(bands)
    guard weights.count > 1 else { return [Float](repeating: weights[0], count: width * height) }
    let scale = Float(weights.count - 1) / (Float(2).squareRoot() + 1e-6)
    let (columnScale, rowScale) = (scale / Float(width - 1), scale / Float(height - 1))
    let ratios = logarithmicRatios(weights)
    var result: [Float] = []
    result.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (Float(x) * columnScale, Float(y) * rowScale)
        result.append(interpolate(weights, ratios, (dx * dx + dy * dy).squareRoot()))
      }
    }
    return result
  }

  private static func logarithmicRatios(_ weights: [Float]) -> [Double] {
    zip(weights, weights.dropFirst()).map { ElementaryFunctions.logarithm(Double($1 / $0)) }
  }

  /// Interpolates geometrically between weights.
  private static func interpolate(_ weights: [Float], _ ratios: [Double], _ position: Float) -> Float {
    let index = min(Int(position), weights.count - 2)
    return weights[index] * Float(ElementaryFunctions.exponential(ratios[index] * Double(position - Float(index))))
  }

  // MARK: Transforms of one block

  private mutating func setHornuss(_ parameters: [Float]) {
    for index in weights.indices { weights[index] = parameters[0] }
    (weights[1], weights[8], weights[9]) = (parameters[1], parameters[1], parameters[2])
  }

  private mutating func setDCT2(_ parameters: [Float]) {
    (weights[1], weights[8], weights[9]) = (parameters[0], parameters[0], parameters[1])
    for (level, size) in [2, 4].enumerated() {
      for y in 0..<size {
        for x in 0..<size {
          weights[y * 8 + x + size] = parameters[2 + 2 * level]
          weights[(y + size) * 8 + x] = parameters[2 + 2 * level]
          weights[(y + size) * 8 + x + size] = parameters[3 + 2 * level]
        }
      }
    }
  }

  private mutating func setDCT4(_ parameters: [Float], _ bands: [Float]) {
    let quarter = Self.interpolated(bands, width: 4, height: 4)
    for y in 0..<8 { for x in 0..<8 { weights[y * 8 + x] = quarter[y / 2 * 4 + x / 2] } }
    weights[1] /= parameters[0]
    weights[8] /= parameters[0]
    weights[9] /= parameters[1]
  }

  private mutating func setDCT4x8(_ parameters: [Float], _ bands: [Float]) {
    let half = Self.interpolated(bands, width: 8, height: 4)
    for y in 0..<8 { for x in 0..<8 { weights[y * 8 + x] = half[y / 2 * 8 + x] } }
    weights[8] /= parameters[0]
  }

  private mutating func setCorner(_ parameters: [Float], _ bands: [Float], _ cornerBands: [Float]) {
    let corner = Self.bandWeights(Array(parameters[5...8]))
    let ratios = Self.logarithmicRatios(corner)
    let frequencies = CornerBasis.frequencies
    let (low, range) = (frequencies[2], frequencies[15] - frequencies[2] + 1e-6)
    let half = Self.interpolated(bands, width: 8, height: 4)
    let quarter = Self.interpolated(cornerBands, width: 4, height: 4)
    for y in 0..<4 {
      for x in 0..<4 {
        if x > 1 || y > 1 {
          let position = (frequencies[4 * y + x] - low) * 3 / range
          weights[16 * y + 2 * x] = Self.interpolate(corner, ratios, position)
        }
        weights[16 * y + 2 * x + 1] = quarter[4 * y + x]
      }
      for x in 0..<8 { weights[16 * y + 8 + x] = half[8 * y + x] }
    }
    (weights[8], weights[1]) = (parameters[0], parameters[1])
    (weights[16], weights[2], weights[18]) = (parameters[2], parameters[3], parameters[4])
    weights[0] = 1
  }
}
