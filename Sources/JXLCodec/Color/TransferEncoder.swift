// The transfer functions of the decoded image (ISO/IEC 18181-1, L.3; ITU-T H.273).

internal import ImageCoding

/// Encodes linear light. Negative values mirror positive ones.
package struct TransferEncoder: Sendable {
  private let transfer: ColorEncoding.Transfer
  private let intensityTarget: Double

  package init(_ transfer: ColorEncoding.Transfer, intensityTarget: Double) {
    (self.transfer, self.intensityTarget) = (transfer, intensityTarget)
  }

  /// Whether the function is close to a straight line in the square root of the light, so that ``TransferTable`` is exact.
  fileprivate var isSmooth: Bool {
    switch transfer {
    case .gamma(let exponent): exponent >= 0.3 && exponent <= 1
    case .codePoint(let code): code == 1 || code == 13 || code == 17
    }
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

/// A transfer function as a table over the square root of the light, for images of many samples.
///
/// Between entries, lines deviate from the curves of the smooth functions by less than 10⁻⁶. Other functions, and light
/// outside of the table, are calculated.
package struct TransferTable: Sendable {
  private let encoder: TransferEncoder
  private let entries: [Float]

  private static let intervalCount: Float = 4096
  /// The range of light of the table.
  private static let range: Range<Float> = 0.004..<1

  /// - Parameter sampleCount: the number of samples that will be encoded.
  package init(_ encoder: TransferEncoder, sampleCount: Int) {
    self.encoder = encoder
    guard encoder.isSmooth, sampleCount > 4 * Int(Self.intervalCount) else {
      entries = []
      return
    }
    entries = (0...Int(Self.intervalCount) + 1).map { index in
      let root = Float(index) / Self.intervalCount
      return encoder.encode(root * root)
    }
  }

  /// Encodes a row of linear light.
  package func encode(_ row: inout MutableSpan<Float>) {
    let table = entries.span
    for x in 0..<row.count {
      let light = row[x]
      let magnitude = abs(light)
      guard Self.range.contains(magnitude), !table.isEmpty else {
        row[x] = encoder.encode(light)
        continue
      }
      let position = magnitude.squareRoot() * Self.intervalCount
      let index = Int(truncatingIfNeeded: Int32(position))
      let low = table[index]
      let value = low + (table[index &+ 1] - low) * (position - Float(index))
      row[x] = light < 0 ? -value : value
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
