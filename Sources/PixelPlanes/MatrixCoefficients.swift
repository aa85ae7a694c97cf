// The matrix and range by which Y, Cb and Cr were made from R, G and B. Rec. ITU-T H.273, section 8.3 and table 4.

/// The `MatrixCoefficients` code point of H.273.
public struct MatrixCoefficients: Hashable, Sendable, RawRepresentable {
  /// The code point.
  public var rawValue: UInt8

  /// Wraps a code point. Values that H.273 does not define are kept and have no ``lumaWeights``.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No matrix: the planes are G, B and R in this order.
  public static let identity = MatrixCoefficients(rawValue: 0)
  /// BT.709.
  public static let bt709 = MatrixCoefficients(rawValue: 1)
  /// Unknown. Converted as ``bt601``.
  public static let unspecified = MatrixCoefficients(rawValue: 2)
  /// US FCC Title 47.
  public static let fcc = MatrixCoefficients(rawValue: 4)
  /// BT.601 with 625 lines; the same weights as ``bt601``.
  public static let bt470BG = MatrixCoefficients(rawValue: 5)
  /// BT.601: JPEG, WebP and standard definition.
  public static let bt601 = MatrixCoefficients(rawValue: 6)
  /// SMPTE ST 240.
  public static let smpte240 = MatrixCoefficients(rawValue: 7)
  /// YCgCo.
  public static let yCgCo = MatrixCoefficients(rawValue: 8)
  /// BT.2020 and BT.2100, non-constant luminance.
  public static let bt2020 = MatrixCoefficients(rawValue: 9)

  /// The weights of red and blue in luma (KR and KB); `nil` for code points that are not of this form.
  ///
  /// ``unspecified`` has those of ``bt601``.
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

/// The weights of red and blue in luma; that of green is the rest to 1.
public struct LumaWeights: Hashable, Sendable {
  /// KR.
  public var red: Float
  /// KB.
  public var blue: Float
  /// 1 − KR − KB.
  public var green: Float { 1 - red - blue }

  /// Creates weights.
  public init(red: Float, blue: Float) {
    self.red = red
    self.blue = blue
  }
}

/// Which values samples take (`VideoFullRangeFlag` of H.273).
public enum SampleRange: String, Hashable, Sendable {
  /// 0…2ⁿ − 1.
  case full
  /// Luma 16…235 and chroma 16…240, times 2ⁿ⁻⁸.
  case limited
}
