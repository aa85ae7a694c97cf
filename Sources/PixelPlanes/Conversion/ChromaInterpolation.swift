// Upsampling of chroma to the resolution of luma in exact arithmetic: the neighbours and their weights.

/// The method by which chroma is upsampled.
public enum ChromaInterpolation: String, Hashable, Sendable {
  /// The chroma sample that covers the pixel.
  case nearest
  /// Linear interpolation between samples that are assumed to be centred, regardless of the siting. The rule of
  /// libavif, libheif and JPEG.
  case centered
  /// Linear interpolation between samples at the positions that ``ChromaSiting`` states.
  case sited
}

/// The two samples from which a column or a row is interpolated.
package struct InterpolationTaps {
  /// The offset of the other sample for even and odd positions: −1, 0 or 1.
  package var steps: (even: Int, odd: Int)
  /// The weight of the covering sample for even and odd positions. The two weights add up to 1.
  package var weights: (even: Float, odd: Float)

  package static let nearest = InterpolationTaps(steps: (0, 0), weights: (1, 1))
  package static let centered = InterpolationTaps(steps: (-1, 1), weights: (0.75, 0.75))
  /// Samples at even positions.
  package static let even = InterpolationTaps(steps: (0, 1), weights: (1, 0.5))
  /// Samples at odd positions.
  package static let odd = InterpolationTaps(steps: (-1, 0), weights: (0.5, 1))
  /// Rows at the resolution of luma, each as the sum of two equal neighbours. Equal to ``nearest`` except for rounding,
  /// which is that of libavif's 4:2:2.
  package static let repeated = InterpolationTaps(steps: (0, 0), weights: (0.75, 0.75))

  package static func columns(
    of format: ChromaFormat, _ interpolation: ChromaInterpolation, _ siting: ChromaSiting
  ) -> InterpolationTaps {
    guard format.horizontalRatio == 2, interpolation != .nearest else { return .nearest }
    if interpolation == .centered { return .centered }
    switch siting {
    case .left, .topLeft, .bottomLeft: return .even
    case .center, .top, .bottom: return .centered
    }
  }

  package static func rows(
    of format: ChromaFormat, _ interpolation: ChromaInterpolation, _ siting: ChromaSiting
  ) -> InterpolationTaps {
    if format == .yuv422, interpolation == .centered { return .repeated }
    guard format.verticalRatio == 2, interpolation != .nearest else { return .nearest }
    if interpolation == .centered { return .centered }
    switch siting {
    case .left, .center: return .centered
    case .topLeft, .top: return .even
    case .bottomLeft, .bottom: return .odd
    }
  }

  package func step(_ position: Int) -> Int { position & 1 == 0 ? steps.even : steps.odd }
  package func weight(_ position: Int) -> Float { position & 1 == 0 ? weights.even : weights.odd }
}

/// Interpolates a row of chroma.
///
/// A neighbour outside the picture is replaced by the covering sample.
/// - Parameters:
///   - near: values of the row that covers the luma row.
///   - far: values of the other row.
///   - nearWeight: the weight of `near`. That of `far` is 1 less this weight.
///   - output: receives `width` values.
package func interpolateRow(
  near: Span<Float>, far: Span<Float>, nearWeight: Float, columns: InterpolationTaps, ratio: Int, width: Int,
  into output: inout MutableSpan<Float>
) {
  if ratio == 2 {
    func neighbours(_ parity: Int) -> ChromaNeighbours {
      let weight = columns.weight(parity)
      return ChromaNeighbours(
        nearOwn: weight * nearWeight, nearOther: (1 - weight) * nearWeight, farOwn: weight * (1 - nearWeight),
        farOther: (1 - weight) * (1 - nearWeight), step: columns.step(parity))
    }
    let end = interpolateColumnPairs(
      near: near, far: far, even: neighbours(0), odd: neighbours(1), count: width / 2, into: &output)
    interpolateColumns(
      0..<min(2, width), near: near, far: far, nearWeight: nearWeight, columns, ratio: 2, width: width, into: &output)
    interpolateColumns(
      min(2 * end, width)..<width, near: near, far: far, nearWeight: nearWeight, columns, ratio: 2, width: width,
      into: &output)
  } else {
    interpolateColumns(
      0..<width, near: near, far: far, nearWeight: nearWeight, columns, ratio: ratio, width: width, into: &output)
  }
}

/// Interpolates single columns.
package func interpolateColumns(
  _ range: Range<Int>, near: Span<Float>, far: Span<Float>, nearWeight: Float, _ columns: InterpolationTaps, ratio: Int,
  width: Int, into output: inout MutableSpan<Float>
) {
  let last = (width - 1) / ratio
  for x in range {
    let own = x / ratio
    let other = min(max(own &+ columns.step(x), 0), last)
    let weight = columns.weight(x)
    output[x] =
      near[own] * (weight * nearWeight) + near[other] * ((1 - weight) * nearWeight)
      + far[own] * (weight * (1 - nearWeight)) + far[other] * ((1 - weight) * (1 - nearWeight))
  }
}
