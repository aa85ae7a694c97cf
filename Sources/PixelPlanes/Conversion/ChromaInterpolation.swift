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
struct InterpolationTaps {
  /// The offset of the other sample for even and odd positions: −1, 0 or 1.
  var steps: (even: Int, odd: Int)
  /// The weight of the covering sample for even and odd positions. The two weights add up to 1.
  var weights: (even: Float, odd: Float)

  static let nearest = InterpolationTaps(steps: (0, 0), weights: (1, 1))
  static let centered = InterpolationTaps(steps: (-1, 1), weights: (0.75, 0.75))
  /// Samples at even positions.
  static let even = InterpolationTaps(steps: (0, 1), weights: (1, 0.5))
  /// Samples at odd positions.
  static let odd = InterpolationTaps(steps: (-1, 0), weights: (0.5, 1))

  static func columns(_ ratio: Int, _ interpolation: ChromaInterpolation, _ siting: ChromaSiting) -> InterpolationTaps {
    guard ratio == 2, interpolation != .nearest else { return .nearest }
    if interpolation == .centered { return .centered }
    switch siting {
    case .left, .topLeft, .bottomLeft: return .even
    case .center, .top, .bottom: return .centered
    }
  }

  static func rows(_ ratio: Int, _ interpolation: ChromaInterpolation, _ siting: ChromaSiting) -> InterpolationTaps {
    guard ratio == 2, interpolation != .nearest else { return .nearest }
    if interpolation == .centered { return .centered }
    switch siting {
    case .left, .center: return .centered
    case .topLeft, .top: return .even
    case .bottomLeft, .bottom: return .odd
    }
  }

  func step(_ position: Int) -> Int { position & 1 == 0 ? steps.even : steps.odd }
  func weight(_ position: Int) -> Float { position & 1 == 0 ? weights.even : weights.odd }
}

/// Interpolates a row of chroma.
///
/// A neighbour outside the picture is replaced by the covering sample.
/// - Parameters:
///   - near: values of the row that covers the luma row.
///   - far: values of the other row.
///   - nearWeight: the weight of `near`. That of `far` is 1 less this weight.
///   - output: receives `width` values.
func interpolateRow(
  near: Span<Float>, far: Span<Float>, nearWeight: Float, columns: InterpolationTaps, ratio: Int, width: Int,
  into output: inout MutableSpan<Float>
) {
  let last = (width - 1) / ratio
  for x in 0..<width {
    let own = x / ratio
    let other = min(max(own &+ columns.step(x), 0), last)
    let weight = columns.weight(x)
    output[x] =
      near[own] * (weight * nearWeight) + near[other] * ((1 - weight) * nearWeight)
      + far[own] * (weight * (1 - nearWeight)) + far[other] * ((1 - weight) * (1 - nearWeight))
  }
}
