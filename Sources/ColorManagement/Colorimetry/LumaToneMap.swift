// The reduction of a high dynamic range by method A of BT.2446, which changes luma.

internal import ImageCore

/// Report ITU-R BT.2446, section 4: a curve for luma in a perceptually uniform space, and a correction of colours.
///
/// Light is a fraction of the peak on the way in, and of the ordinary display's white on the way out. Both are coded with
/// a gamma of 2.4. The weights of luma are those of the source's primaries; for BT.2020 they are those of the report.
struct LumaToneMap: Sendable {
  /// The luminance of white on the ordinary display, in cd/m².
  private static let displayPeak = 100.0
  private static let gamma = 2.4

  /// The share of each component in luma.
  private let weights: SIMD3<Double>
  /// The luminance of the brightest colour, in cd/m².
  private let peak: Double
  /// The functions in ``map(_:)`` as tables: gamma, luma, and the inverse of gamma.
  private let coding: SampledFunction
  private let compression: SampledFunction
  private let decoding: SampledFunction

  static let byteCount = 3 * SampledFunction.byteCount(exponent: 0)

  init(weights: SIMD3<Double>, peak: Double) {
    self.weights = weights / weights.sum()
    self.peak = peak
    coding = SampledFunction(exponent: 0) { Self.power($0, 1 / Self.gamma) }
    compression = SampledFunction(exponent: 0) { Self.compressed($0, peak: peak) }
    decoding = SampledFunction(exponent: 0) { Self.power($0, Self.gamma) }
  }

  private static func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? ElementaryFunctions.power(base, exponent) : 0
  }

  /// The base of the logarithm for a display of a luminance.
  private static func base(_ luminance: Double) -> Double { 1 + 32 * power(luminance / 10000, 1 / gamma) }

  /// The luma on the ordinary display for a luma of 0…1.
  private static func compressed(_ luma: Double, peak: Double) -> Double {
    let (source, target) = (base(peak), base(displayPeak))
    let lightness = ElementaryFunctions.logarithm(1 + (source - 1) * luma) / ElementaryFunctions.logarithm(source)
    let reduced =
      if lightness <= 0.7399 {
        1.0770 * lightness
      } else if lightness < 0.9909 {
        -1.1510 * lightness * lightness + 2.7811 * lightness - 0.6302
      } else {
        0.5 * lightness + 0.5
      }
    return (power(target, reduced) - 1) / (target - 1)
  }

  /// Returns the light of the ordinary display, 0…1.
  func map(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let bounded = light.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    let samples = SIMD3(
      Self.power(bounded.x, 1 / Self.gamma), Self.power(bounded.y, 1 / Self.gamma),
      Self.power(bounded.z, 1 / Self.gamma))
    let luma = (samples * weights).sum()
    guard luma > 0 else { return SIMD3() }
    let compressed = Self.compressed(luma, peak: peak)
    // Colour differences are scaled with luma, and luma is reduced where red exceeds it.
    let differences = (samples - luma) * (compressed / (1.1 * luma))
    let corrected = compressed - max(0.1 * differences.x / (2 * (1 - weights.x)), 0)
    let mapped = (differences + corrected).clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    return SIMD3(
      Self.power(mapped.x, Self.gamma), Self.power(mapped.y, Self.gamma), Self.power(mapped.z, Self.gamma))
  }

  /// As ``map(_:)``, in single precision.
  @inline(__always)
  func apply(to color: inout SIMD4<Float>, _ tables: borrowing Tables) {
    let samples = SIMD3(
      Self.value(color.x, tables.coding), Self.value(color.y, tables.coding), Self.value(color.z, tables.coding))
    let shares = samples * tables.weights
    let luma = shares.x + shares.y + shares.z
    guard luma > 0 else {
      color = SIMD4()
      return
    }
    let compressed = Self.value(luma, tables.compression)
    let differences = (samples - luma) * (compressed / (1.1 * luma))
    let mapped = differences + (compressed - max(differences.x * tables.redShare, 0))
    color = SIMD4(
      Self.value(mapped.x, tables.decoding), Self.value(mapped.y, tables.decoding),
      Self.value(mapped.z, tables.decoding), 0)
  }

  /// The value for an argument, which is clamped to 0…1; NaN is 0.
  @inline(__always)
  private static func value(_ argument: Float, _ nodes: Span<SIMD2<Float>>) -> Float {
    SampledFunction.value(argument > 0 ? min(argument, 1) : 0, in: nodes)
  }

  /// The tables, for a row of colours.
  struct Tables: ~Escapable {
    let coding: Span<SIMD2<Float>>
    let compression: Span<SIMD2<Float>>
    let decoding: Span<SIMD2<Float>>
    let weights: SIMD3<Float>
    /// The factor of the red difference that reduces luma.
    let redShare: Float

    @_lifetime(borrow map)
    init(_ map: borrowing LumaToneMap) {
      coding = map.coding.span
      compression = map.compression.span
      decoding = map.decoding.span
      weights = SIMD3<Float>(map.weights)
      redShare = Float(0.1 / (2 * (1 - map.weights.x)))
    }
  }
}
