// The matrix and the range of the conversion from R, G and B to Y, Cb and Cr (Rec. ITU-T H.273, section 8.3 and table
// 4).

/// The `MatrixCoefficients` code point of H.273.
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

  /// The weights of red and blue in luma (KR and KB); `nil` for code points that are not defined by such weights.
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
}

/// The range of sample values (`VideoFullRangeFlag` of H.273).
public enum SampleRange: String, Hashable, Sendable {
  /// 0…2ⁿ − 1.
  case full
  /// Luma 16…235 and chroma 16…240, multiplied by 2ⁿ⁻⁸.
  case limited
}
