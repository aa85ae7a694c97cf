// The reduction of a high dynamic range to that of an ordinary display.

internal import ImageCore

/// Maps the light of PQ and HLG pictures to an ordinary display.
///
/// With ``ToneMapping/bt2408``, white is the reference white of BT.2408. The largest component is compressed by the EETF
/// of annex 5, and the others are scaled with it, which keeps the hue. Light up to about half of the white is unchanged.
struct ToneMap: Sendable {
  /// The luminance of white on the ordinary display, in cd/m² (BT.2408, section 2.2).
  static let referenceWhite = 203.0
  /// The peak of a picture that states none, in cd/m²; the nominal peak of HLG displays.
  static let defaultPeak = 1000.0

  /// Whether light is scene light, to which the system gamma of HLG is applied.
  private let isSceneLight: Bool
  /// The share of each component in luminance.
  private let weights: SIMD3<Double>
  /// The luminance of the brightest colour, in cd/m².
  private let peak: Double
  /// The factor of the display light by the largest component, as a multiple of the reference white.
  private let compression: SampledFunction
  /// The factor of scene light by its luminance.
  private let systemGamma: SampledFunction
  /// Maps display light by luma instead; `nil` for ``ToneMapping/bt2408``.
  private let lumaMap: LumaToneMap?

  /// The highest display light as a multiple of the reference white is 2 to this power.
  private static let exponent = 6
  static let byteCount =
    SampledFunction.byteCount(exponent: exponent) + SampledFunction.byteCount(exponent: 0) + LumaToneMap.byteCount

  /// - Parameters:
  ///   - isSceneLight: whether light is that of HLG rather than PQ.
  ///   - weights: the share of each component in luminance.
  ///   - peak: the luminance of the brightest colour in cd/m², if the picture states it.
  ///   - method: how light is reduced.
  init(isSceneLight: Bool, weights: SIMD3<Double>, peak: Double?, method: ToneMapping) {
    self.isSceneLight = isSceneLight
    self.weights = weights
    let stated = peak.map { $0.isFinite && $0 > 0 ? $0 : Self.defaultPeak } ?? Self.defaultPeak
    let limit = isSceneLight ? Self.defaultPeak : min(max(stated, Self.referenceWhite), 10000)
    self.peak = limit
    compression = SampledFunction(exponent: Self.exponent) { Self.factor($0, peak: limit) }
    systemGamma = SampledFunction(exponent: 0) { Self.sceneFactor($0) }
    lumaMap = method == .bt2446A ? LumaToneMap(weights: weights, peak: limit) : nil
  }

  /// The luminance of HLG's display light relative to its scene light: L^(1.2 - 1) for a peak of 1000 cd/m².
  private static func sceneFactor(_ luminance: Double) -> Double {
    luminance > 0 ? ElementaryFunctions.power(luminance, 0.2) : 0
  }

  /// The compressed light divided by the light; both are multiples of the reference white.
  private static func factor(_ light: Double, peak: Double) -> Double {
    guard light > 0 else { return 1 }
    let scale = PerceptualQuantizer.sample(peak / 10000)
    let maximum = PerceptualQuantizer.sample(referenceWhite / 10000) / scale
    let knee = 1.5 * maximum - 0.5
    let sample = min(PerceptualQuantizer.sample(light * referenceWhite / 10000) / scale, 1)
    guard sample > knee, knee < 1 else { return 1 }
    let t = (sample - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let compressed =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maximum
    return PerceptualQuantizer.light(compressed * scale) * 10000 / referenceWhite / light
  }

  /// Returns the light of the ordinary display.
  func map(_ light: SIMD3<Double>) -> SIMD3<Double> {
    var display = light * (isSceneLight ? Self.defaultPeak : 10000) / Self.referenceWhite
    if isSceneLight { display *= Self.sceneFactor((light * weights).sum()) }
    if let lumaMap { return lumaMap.map(display * Self.referenceWhite / peak) }
    return display * Self.factor(display.max(), peak: peak)
  }

  /// As ``map(_:)``, in single precision.
  func apply(to colors: inout MutableSpan<SIMD4<Float>>) {
    if let lumaMap { return apply(lumaMap, to: &colors) }
    let weights = SIMD4(SIMD3<Float>(self.weights), 0)
    let (compression, systemGamma) = (compression.span, systemGamma.span)
    let limit = self.compression.limit
    let scale = Float((isSceneLight ? Self.defaultPeak : 10000) / Self.referenceWhite)
    for index in 0..<colors.count {
      var color = colors[index] * scale
      if isSceneLight { color *= Self.sceneFactor(colors[index] * weights, systemGamma) }
      let largest = max(color.x, max(color.y, color.z))
      colors[index] = color * SampledFunction.value(largest > 0 ? min(largest, limit) : 0, in: compression)
    }
  }

  private func apply(_ lumaMap: LumaToneMap, to colors: inout MutableSpan<SIMD4<Float>>) {
    let weights = SIMD4(SIMD3<Float>(self.weights), 0)
    let systemGamma = systemGamma.span
    let tables = LumaToneMap.Tables(lumaMap)
    let scale = Float((isSceneLight ? Self.defaultPeak : 10000) / peak)
    for index in 0..<colors.count {
      var color = colors[index] * scale
      if isSceneLight { color *= Self.sceneFactor(colors[index] * weights, systemGamma) }
      lumaMap.apply(to: &color, tables)
      colors[index] = color
    }
  }

  /// As ``sceneFactor(_:)`` of the sum of the shares in luminance, in single precision.
  @inline(__always)
  private static func sceneFactor(_ shares: SIMD4<Float>, _ systemGamma: Span<SIMD2<Float>>) -> Float {
    let luminance = shares.x + shares.y + shares.z
    return SampledFunction.value(luminance > 0 ? min(luminance, 1) : 0, in: systemGamma)
  }
}
