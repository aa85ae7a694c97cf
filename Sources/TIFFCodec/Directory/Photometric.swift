// The meaning of an image's samples.

/// The colour model of an image, as stated by PhotometricInterpretation.
enum Photometric: Hashable {
  /// Gray; 0 is white.
  case whiteIsZero
  /// Gray; 0 is black. Transparency masks are shown likewise.
  case blackIsZero
  case rgb
  case palette
  case cmyk
  case yCbCr
  /// CIE L*a*b*, with signed a* and b*.
  case cieLab
  /// CIE L*a*b* as in ICC profiles, with a* and b* shifted to be positive.
  case iccLab
  /// The logarithm of luminance.
  case logLuminance
  /// The logarithm of luminance, and chromaticity.
  case logLuv

  /// The colour model of a code; `nil` if it is not supported.
  init?(code: Int) {
    switch code {
    case 0: self = .whiteIsZero
    case 1, 4: self = .blackIsZero
    case 2: self = .rgb
    case 3: self = .palette
    case 5: self = .cmyk
    case 6: self = .yCbCr
    case 8: self = .cieLab
    case 9: self = .iccLab
    case 32844: self = .logLuminance
    case 32845: self = .logLuv
    default: return nil
    }
  }

  /// The number of colour samples of a pixel.
  var colorSampleCount: Int {
    switch self {
    case .whiteIsZero, .blackIsZero, .palette, .logLuminance: 1
    case .rgb, .yCbCr, .cieLab, .iccLab, .logLuv: 3
    case .cmyk: 4
    }
  }

  /// Whether samples are logarithms, which become floating-point numbers.
  var isLogarithmic: Bool { self == .logLuminance || self == .logLuv }
}

/// The numeric type of stored samples.
enum StoredSampleFormat: Hashable {
  /// Integers. Signed ones are taken as their bits, as by libtiff's RGBA interface.
  case integer
  /// IEEE 754 numbers of 16, 32 or 64 bits, or of 24 bits with seven bits of exponent.
  case floatingPoint
}
