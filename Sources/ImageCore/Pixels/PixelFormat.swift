// How the samples of one pixel lie in memory.

/// The layout of a pixel: colour model, alpha and sample size. Alpha, where there is one, comes last.
///
/// Samples of 16 bits are native-endian `UInt16`. CMYK samples count ink: 0 is none, 255 is full.
public struct PixelFormat: Hashable, Sendable {
  /// The colour samples and their order.
  public enum ColorModel: String, Hashable, Sendable {
    /// One luminance sample.
    case gray
    /// Red, green, blue.
    case rgb
    /// Blue, green, red, as Windows and Core Graphics like it.
    case bgr
    /// Cyan, magenta, yellow, black; 0 is no ink.
    case cmyk

    /// The number of colour samples.
    public var sampleCount: Int {
      switch self {
      case .gray: 1
      case .rgb, .bgr: 3
      case .cmyk: 4
      }
    }
  }

  /// Whether a pixel has an alpha sample, and what that means for its colour samples.
  public enum Alpha: String, Hashable, Sendable {
    /// Every pixel is opaque.
    case none
    /// Colour samples are independent of alpha.
    case straight
    /// Colour samples are multiplied by alpha.
    case premultiplied
  }

  /// The colour samples and their order.
  public let colorModel: ColorModel
  /// Whether there is an alpha sample, and what it means.
  public let alpha: Alpha
  /// Bits of a sample: 8 or 16.
  public let bitsPerSample: Int

  init(_ colorModel: ColorModel, _ alpha: Alpha, _ bitsPerSample: Int) {
    self.colorModel = colorModel
    self.alpha = alpha
    self.bitsPerSample = bitsPerSample
  }

  /// Luminance, 8 bits.
  public static let gray8 = PixelFormat(.gray, .none, 8)
  /// Luminance and straight alpha, 8 bits each.
  public static let grayAlpha8 = PixelFormat(.gray, .straight, 8)
  /// Red, green, blue, 8 bits each.
  public static let rgb8 = PixelFormat(.rgb, .none, 8)
  /// Red, green, blue and straight alpha, 8 bits each.
  public static let rgba8 = PixelFormat(.rgb, .straight, 8)
  /// Blue, green, red and straight alpha, 8 bits each.
  public static let bgra8 = PixelFormat(.bgr, .straight, 8)
  /// Luminance, 16 bits.
  public static let gray16 = PixelFormat(.gray, .none, 16)
  /// Luminance and straight alpha, 16 bits each.
  public static let grayAlpha16 = PixelFormat(.gray, .straight, 16)
  /// Red, green, blue, 16 bits each.
  public static let rgb16 = PixelFormat(.rgb, .none, 16)
  /// Red, green, blue and straight alpha, 16 bits each.
  public static let rgba16 = PixelFormat(.rgb, .straight, 16)
  /// Blue, green, red and straight alpha, 16 bits each.
  public static let bgra16 = PixelFormat(.bgr, .straight, 16)
  /// Cyan, magenta, yellow, black, 8 bits each; 0 is no ink.
  public static let cmyk8 = PixelFormat(.cmyk, .none, 8)

  /// All formats, straight and premultiplied.
  public static let all: [PixelFormat] = {
    let straight: [PixelFormat] = [
      gray8, grayAlpha8, rgb8, rgba8, bgra8, gray16, grayAlpha16, rgb16, rgba16, bgra16, cmyk8,
    ]
    return straight + straight.filter(\.hasAlpha).map(\.premultiplied)
  }()

  /// The same layout with premultiplied alpha; unchanged where there is no alpha.
  public var premultiplied: PixelFormat {
    hasAlpha ? PixelFormat(colorModel, .premultiplied, bitsPerSample) : self
  }
  /// The same layout with straight alpha; unchanged where there is no alpha.
  public var straight: PixelFormat {
    hasAlpha ? PixelFormat(colorModel, .straight, bitsPerSample) : self
  }

  /// The same layout with samples of 8 bits.
  public var narrowed: PixelFormat { PixelFormat(colorModel, alpha, 8) }

  /// Whether a pixel has an alpha sample.
  public var hasAlpha: Bool { alpha != .none }
  /// Samples of a pixel, alpha included.
  public var samplesPerPixel: Int { colorModel.sampleCount + (hasAlpha ? 1 : 0) }
  /// Bytes of a sample: 1 or 2.
  public var bytesPerSample: Int { bitsPerSample / 8 }
  /// Bytes of a pixel.
  public var bytesPerPixel: Int { samplesPerPixel * bytesPerSample }
}

extension PixelFormat: CustomStringConvertible {
  /// The constant's name, such as `"rgba8"` or `"rgba8.premultiplied"`.
  public var description: String {
    let name =
      switch (colorModel, hasAlpha) {
      case (.gray, true): "grayAlpha"
      case (.rgb, true): "rgba"
      case (.bgr, true): "bgra"
      default: colorModel.rawValue
      }
    return "\(name)\(bitsPerSample)" + (alpha == .premultiplied ? ".premultiplied" : "")
  }
}
