// Blend modes and Porter–Duff operators on single pixels: W3C Compositing and Blending Level 1, sections 9 and 10, on
// premultiplied samples in single precision.

/// The samples of a pixel as numbers in 0…1: red, green, blue, alpha; premultiplied.
typealias FloatPixel = SIMD4<Float>

@inline(__always)
func floatPixel(_ word: UInt32) -> FloatPixel {
  FloatPixel(
    Float(word & 255), Float((word &>> 8) & 255), Float((word &>> 16) & 255), Float(word &>> 24)) * (1 / 255)
}

/// Rounds to nearest, clamping to the range from 0 to full alpha.
@inline(__always)
func pixelWord(_ pixel: FloatPixel) -> UInt32 {
  // Written with comparisons, so that NaN becomes 0.
  let zero = FloatPixel(repeating: 0)
  let positive = zero.replacing(with: pixel, where: pixel .> zero)
  let alpha = FloatPixel(repeating: positive.w < 1 ? positive.w : 1)
  let bounded = positive.replacing(with: alpha, where: positive .> alpha)
  // Adding 1.5 · 2^23 puts the nearest integer into the lowest bits.
  let samples = bounded * 255 + 0x1.8p23
  func sample(_ value: Float) -> UInt32 { value.bitPattern & 255 }
  return sample(samples.x) | sample(samples.y) &<< 8 | sample(samples.z) &<< 16 | sample(samples.w) &<< 24
}

extension CompositeOperator {
  /// Composites the source onto the backdrop.
  func composite(_ source: FloatPixel, _ backdrop: FloatPixel) -> FloatPixel {
    let sourceAlpha = source.w
    let backdropAlpha = backdrop.w
    switch self {
    case .clear: return FloatPixel(repeating: 0)
    case .source: return source
    case .destination: return backdrop
    case .over: return source + backdrop * (1 - sourceAlpha)
    case .destinationOver: return source * (1 - backdropAlpha) + backdrop
    case .sourceIn: return source * backdropAlpha
    case .destinationIn: return backdrop * sourceAlpha
    case .out: return source * (1 - backdropAlpha)
    case .destinationOut: return backdrop * (1 - sourceAlpha)
    case .atop: return source * backdropAlpha + backdrop * (1 - sourceAlpha)
    case .destinationAtop: return source * (1 - backdropAlpha) + backdrop * sourceAlpha
    case .xor: return source * (1 - backdropAlpha) + backdrop * (1 - sourceAlpha)
    case .lighter:
      let sum = source + backdrop
      return sum.replacing(with: FloatPixel(repeating: 1), where: sum .> FloatPixel(repeating: 1))
    }
  }
}

extension BlendMode {
  /// Composites the source over the backdrop, blending the colours where both overlap.
  func blend(_ s: FloatPixel, _ b: FloatPixel) -> FloatPixel {
    // Each mixture is αs·αb·B(cb, cs); the parts covered by only one of them are added.
    let mixed = mixture(s, b)
    var result = mixed + s * (1 - b.w) + b * (1 - s.w)
    result.w = s.w + b.w - s.w * b.w
    return result
  }

  @inline(__always)
  private func mixture(_ s: FloatPixel, _ b: FloatPixel) -> FloatPixel {
    switch self {
    case .normal: return s * b.w
    case .multiply: return s * b
    case .screen: return s * b.w + b * s.w - s * b
    case .overlay: return perChannel(s, b) { s, b, sa, ba in hardLightMixture(b, s, ba, sa) }
    case .hardLight: return perChannel(s, b, hardLightMixture)
    case .darken:
      let x = s * b.w
      let y = b * s.w
      return x.replacing(with: y, where: y .< x)
    case .lighten:
      let x = s * b.w
      let y = b * s.w
      return x.replacing(with: y, where: y .> x)
    case .colorDodge:
      return perChannel(s, b) { s, b, sa, ba in
        if b <= 0 { return 0 }
        return s >= sa ? sa * ba : sa * ba * min(1, b * sa / (ba * (sa - s)))
      }
    case .colorBurn:
      return perChannel(s, b) { s, b, sa, ba in
        if b >= ba { return sa * ba }
        return s <= 0 ? 0 : sa * ba * (1 - min(1, (ba - b) * sa / (ba * s)))
      }
    case .softLight: return perChannel(s, b, softLightMixture)
    case .difference:
      let x = s * b.w - b * s.w
      return x.replacing(with: -x, where: x .< FloatPixel(repeating: 0))
    case .exclusion: return s * b.w + b * s.w - 2 * (s * b)
    case .hue, .saturation, .color, .luminosity: return nonSeparable(s, b)
    }
  }

  @inline(__always)
  private func perChannel(
    _ s: FloatPixel, _ b: FloatPixel, _ body: (Float, Float, Float, Float) -> Float
  ) -> FloatPixel {
    FloatPixel(body(s.x, b.x, s.w, b.w), body(s.y, b.y, s.w, b.w), body(s.z, b.z, s.w, b.w), 0)
  }

  private func nonSeparable(_ s: FloatPixel, _ b: FloatPixel) -> FloatPixel {
    guard s.w > 0, b.w > 0 else { return FloatPixel(repeating: 0) }
    let source = s / s.w
    let backdrop = b / b.w
    let color: FloatPixel
    switch self {
    case .hue:
      color = withLuminosity(withSaturation(source, sat(backdrop)), lum(backdrop))
    case .saturation:
      color = withLuminosity(withSaturation(backdrop, sat(source)), lum(backdrop))
    case .color: color = withLuminosity(source, lum(backdrop))
    default: color = withLuminosity(backdrop, lum(source))
    }
    return color * (s.w * b.w)
  }
}

@inline(__always)
private func hardLightMixture(_ s: Float, _ b: Float, _ sa: Float, _ ba: Float) -> Float {
  2 * s <= sa ? 2 * s * b : sa * ba - 2 * (ba - b) * (sa - s)
}

private func softLightMixture(_ s: Float, _ b: Float, _ sa: Float, _ ba: Float) -> Float {
  guard sa > 0, ba > 0 else { return 0 }
  let source = s / sa
  let backdrop = b / ba
  if source <= 0.5 {
    return sa * ba * (backdrop - (1 - 2 * source) * backdrop * (1 - backdrop))
  }
  let curve =
    backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : backdrop.squareRoot()
  return sa * ba * (backdrop + (2 * source - 1) * (curve - backdrop))
}

/// The luminosity (Lum).
private func lum(_ c: FloatPixel) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

/// The saturation (Sat).
private func sat(_ c: FloatPixel) -> Float { max(c.x, c.y, c.z) - min(c.x, c.y, c.z) }

/// Sets the luminosity (SetLum and ClipColor).
private func withLuminosity(_ c: FloatPixel, _ target: Float) -> FloatPixel {
  var color = c + (target - lum(c))
  let l = lum(color)
  let low = min(color.x, color.y, color.z)
  let high = max(color.x, color.y, color.z)
  if low < 0, l > low { color = FloatPixel(repeating: l) + (color - l) * (l / (l - low)) }
  if high > 1, high > l { color = FloatPixel(repeating: l) + (color - l) * ((1 - l) / (high - l)) }
  return color
}

/// Sets the saturation (SetSat): the lowest sample becomes 0, the highest `target`, and the middle one is scaled in
/// proportion.
private func withSaturation(_ c: FloatPixel, _ target: Float) -> FloatPixel {
  let low = min(c.x, c.y, c.z)
  let range = max(c.x, c.y, c.z) - low
  return range > 0 ? (c - low) * (target / range) : FloatPixel(repeating: 0)
}
