// The matrix and the range of the conversion from R, G and B to Y, Cb and Cr (Rec. ITU-T H.273, section 8.3 and table
// 4).

internal import ImageCoding

/// The `MatrixCoefficients` code point of H.273.
///
/// Pictures with constant luminance (10 and 13), SMPTE ST 2085 (11) and ICtCp (14) are not converted: their planes are
/// not linear combinations of red, green and blue as displayed.
public struct MatrixCoefficients: Hashable, Sendable, RawRepresentable {
  /// The code point of H.273, table 4.
  public var rawValue: UInt8

  /// Creates a value from a code point. Values that H.273 does not define are preserved and have no ``lumaWeights``.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No matrix: the planes are G, B and R, in this order.
  public static let identity = MatrixCoefficients(rawValue: 0)
  /// BT.709.
  public static let bt709 = MatrixCoefficients(rawValue: 1)
  /// Unspecified. Converted like ``bt601``.
  public static let unspecified = MatrixCoefficients(rawValue: 2)
  /// US FCC Title 47.
  public static let fcc = MatrixCoefficients(rawValue: 4)
  /// BT.601 with 625 lines. Has the same weights as ``bt601``.
  public static let bt470BG = MatrixCoefficients(rawValue: 5)
  /// BT.601. Used by JPEG, WebP and standard-definition video.
  public static let bt601 = MatrixCoefficients(rawValue: 6)
  /// SMPTE ST 240.
  public static let smpte240 = MatrixCoefficients(rawValue: 7)
  /// YCgCo.
  public static let yCgCo = MatrixCoefficients(rawValue: 8)
  /// BT.2020 and BT.2100 with non-constant luminance.
  public static let bt2020 = MatrixCoefficients(rawValue: 9)
  /// Non-constant luminance with the weights that follow from the colour primaries.
  public static let chromaticityDerived = MatrixCoefficients(rawValue: 12)

  /// The weights of red and blue in luma (KR and KB); `nil` for code points that are not defined by such weights, and
  /// for ``chromaticityDerived``, whose weights depend on the primaries.
  ///
  /// ``unspecified`` has the weights of ``bt601``.
  public var lumaWeights: LumaWeights? {
    switch rawValue {
    case 1: LumaWeights(red: 0.2126, blue: 0.0722)
    case 4: LumaWeights(red: 0.30, blue: 0.11)
    case 2, 5, 6: LumaWeights(red: 0.299, blue: 0.114)
    case 7: LumaWeights(red: 0.212, blue: 0.087)
    case 9: LumaWeights(red: 0.2627, blue: 0.0593)
    default: nil
    }
  }

  /// Returns the weights of red and blue in luma of pictures with the given primaries; `nil` for code points that are
  /// not defined by such weights.
  ///
  /// - Parameter codePoint: the `ColourPrimaries` code point of H.273. If it is unspecified, derived weights are those of
  ///   BT.709's primaries; if it is reserved, there are none.
  public func lumaWeights(colorPrimaries codePoint: UInt8) -> LumaWeights? {
    guard self == .chromaticityDerived else { return lumaWeights }
    return Chromaticities(colorPrimaries: codePoint).map(LumaWeights.init(derivedFrom:))
  }
}

/// The weights of red and blue in luma. The three weights add up to 1.
public struct LumaWeights: Hashable, Sendable {
  /// The weight of red, KR.
  public var red: Float
  /// The weight of blue, KB.
  public var blue: Float
  /// The weight of green, 1 − KR − KB.
  public var green: Float { 1 - red - blue }

  /// Creates weights from KR and KB.
  public init(red: Float, blue: Float) {
    self.red = red
    self.blue = blue
  }

  /// Creates the luminances of the red and blue primaries in a white of luminance 1 (H.273, equations 32 to 37).
  ///
  /// - Parameter chromaticities: those of primaries that are not collinear.
  init(derivedFrom chromaticities: Chromaticities) {
    func vector(_ point: Chromaticities.Point) -> SIMD3<Double> { SIMD3(point.x, point.y, 1 - (point.x + point.y)) }
    let (red, green) = (vector(chromaticities.red), vector(chromaticities.green))
    let (blue, white) = (vector(chromaticities.blue), vector(chromaticities.white))
    // By Cramer's rule: the shares of the primaries in white.
    let scale = white.y * determinant(red, green, blue)
    self.init(
      red: Float(red.y * determinant(white, green, blue) / scale),
      blue: Float(blue.y * determinant(red, green, white) / scale))
  }
}

/// Returns the determinant of a matrix with these columns.
private func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
  a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
}

/// The range of sample values (`VideoFullRangeFlag` of H.273).
public enum SampleRange: String, Hashable, Sendable {
  /// 0…2ⁿ − 1.
  case full
  /// Luma 16…235 and chroma 16…240, multiplied by 2ⁿ⁻⁸.
  case limited
}
