// The transfer functions of the decoded image (ISO/IEC 18181-1, L.3; ITU-T H.273).

internal import ImageCoding

/// Encodes linear light. Negative values mirror positive ones.
package struct TransferEncoder: Sendable {
  let transfer: ColorEncoding.Transfer
  private let intensityTarget: Double

  package init(_ transfer: ColorEncoding.Transfer, intensityTarget: Double) {
    (self.transfer, self.intensityTarget) = (transfer, intensityTarget)
  }

  package func encode(_ light: Float) -> Float {
    let magnitude = Double(abs(light))
    let sample = Float(encodeMagnitude(magnitude))
    return light < 0 ? -sample : sample
  }

  private func encodeMagnitude(_ light: Double) -> Double {
    switch transfer {
    case .gamma(let exponent): return ElementaryFunctions.power(light, exponent)
    case .codePoint(1): return light < 0.018 ? 4.5 * light : 1.099 * ElementaryFunctions.power(light, 0.45) - 0.099
    case .codePoint(13): return light <= 0.0031308 ? light * 12.92 : SRGBTransfer.encoded(light)
    case .codePoint(16):
      let base = ElementaryFunctions.power(light * intensityTarget / 10000, 0.1593017578125)
      return ElementaryFunctions.power((0.8359375 + 18.8515625 * base) / (1 + 18.6875 * base), 78.84375)
    case .codePoint(17): return ElementaryFunctions.power(light, 1 / 2.6)
    case .codePoint(18):
      guard light > 1.0 / 12 else { return ElementaryFunctions.power(3 * light, 0.5) }
      return 0.17883277 * ElementaryFunctions.logarithm(12 * light - 0.28466892) + 0.55991073
    case .codePoint: return light
    }
  }
}

/// The inverse of the system gamma of hybrid log-gamma (ITU-R BT.2100).
struct HLGOpticalTransfer: Sendable {
  private let exponent: Double
  private let luminance: SIMD3<Float>

  init(_ encoding: ColorEncoding, intensityTarget: Double) {
    let octaves = ElementaryFunctions.logarithm(intensityTarget / 1000) / ElementaryFunctions.logarithm(2)
    let gamma = 1.2 * ElementaryFunctions.power(1.111, octaves)
    exponent = (1 - gamma) / gamma
    let matrix = PrimariesConversion.toXYZ(
      encoding.primaries.count == 3 ? encoding.primaries : Chromaticities.Point.jxlSRGB,
      white: encoding.white ?? .jxlD65)
    luminance = SIMD3(Float(matrix[3]), Float(matrix[4]), Float(matrix[5]))
  }

  /// Returns the light of the scene that is displayed as the given light.
  func sceneLight(_ display: SIMD3<Float>) -> SIMD3<Float> {
    let weighted = display * luminance
    let y = Double(weighted[0] + weighted[1] + weighted[2])
    guard y > 0 else { return display }
    return display * Float(ElementaryFunctions.power(y, exponent))
  }
}
