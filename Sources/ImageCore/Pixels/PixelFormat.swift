// The memory layout of a pixel's samples.

/// The layout of a pixel: colour model, alpha and sample type. Alpha, if present, is the last sample.
///
/// Multi-byte samples are native-endian. CMYK samples are amounts of ink: 0 is none, a full sample is full ink.
public struct PixelFormat: Hashable, Sendable, Codable {
  /// The colour samples and their order.
  public enum ColorModel: String, Hashable, Sendable, CaseIterable, Codable {
    /// One luminance sample.
    case gray
    /// Red, green, blue.
    case rgb
    /// Blue, green, red: the order preferred by Windows and Core Graphics.
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

  /// Whether a pixel has an alpha sample, and how its colour samples relate to it.
  public enum Alpha: String, Hashable, Sendable, CaseIterable, Codable {
    /// Every pixel is opaque.
    case none
    /// Unassociated alpha: colour samples are independent of alpha.
    case straight
    /// Associated alpha: colour samples are multiplied by alpha.
    case premultiplied
  }

  /// The colour samples and their order.
  public let colorModel: ColorModel
  /// Whether a pixel has an alpha sample, and how its colour samples relate to it.
  public let alpha: Alpha
  /// The numeric type of all samples.
  public let sampleType: SampleType

  /// Creates a format from a colour model, an alpha mode and a sample type.
  public init(_ colorModel: ColorModel, alpha: Alpha = .none, sampleType: SampleType = .uint8) {
    self.colorModel = colorModel
    self.alpha = alpha
    self.sampleType = sampleType
  }

  /// Luminance, 8 bits.
  public static let gray8 = PixelFormat(.gray)
  /// Luminance and straight alpha, 8 bits each.
  public static let grayAlpha8 = PixelFormat(.gray, alpha: .straight)
  /// Red, green, blue, 8 bits each.
  public static let rgb8 = PixelFormat(.rgb)
  /// Red, green, blue and straight alpha, 8 bits each.
  public static let rgba8 = PixelFormat(.rgb, alpha: .straight)
  /// Blue, green, red and straight alpha, 8 bits each.
  public static let bgra8 = PixelFormat(.bgr, alpha: .straight)
  /// Luminance, 16 bits.
  public static let gray16 = PixelFormat(.gray, sampleType: .uint16)
  /// Luminance and straight alpha, 16 bits each.
  public static let grayAlpha16 = PixelFormat(.gray, alpha: .straight, sampleType: .uint16)
  /// Red, green, blue, 16 bits each.
  public static let rgb16 = PixelFormat(.rgb, sampleType: .uint16)
  /// Red, green, blue and straight alpha, 16 bits each.
  public static let rgba16 = PixelFormat(.rgb, alpha: .straight, sampleType: .uint16)
  /// Blue, green, red and straight alpha, 16 bits each.
  public static let bgra16 = PixelFormat(.bgr, alpha: .straight, sampleType: .uint16)
  /// Red, green, blue and straight alpha, half-precision floating point.
  public static let rgbaFloat16 = PixelFormat(.rgb, alpha: .straight, sampleType: .float16)
  /// Red, green, blue and straight alpha, single-precision floating point.
  public static let rgbaFloat32 = PixelFormat(.rgb, alpha: .straight, sampleType: .float32)
  /// Cyan, magenta, yellow, black, 8 bits each; 0 is no ink.
  public static let cmyk8 = PixelFormat(.cmyk)

  /// Every combination of colour model, alpha and sample type: 48 formats.
  public static let all: [PixelFormat] = SampleType.allCases.flatMap { sampleType in
    ColorModel.allCases.flatMap { colorModel in
      Alpha.allCases.map { PixelFormat(colorModel, alpha: $0, sampleType: sampleType) }
    }
  }

  /// The same layout with premultiplied alpha; unchanged if there is no alpha.
  public var premultiplied: PixelFormat {
    hasAlpha ? PixelFormat(colorModel, alpha: .premultiplied, sampleType: sampleType) : self
  }
  /// The same layout with straight alpha; unchanged if there is no alpha.
  public var straight: PixelFormat {
    hasAlpha ? PixelFormat(colorModel, alpha: .straight, sampleType: sampleType) : self
  }

  /// The same layout with 8-bit samples.
  public var narrowed: PixelFormat { with(.uint8) }

  /// The same layout with samples of another type.
  public func with(_ sampleType: SampleType) -> PixelFormat {
    PixelFormat(colorModel, alpha: alpha, sampleType: sampleType)
  }

  /// Whether a pixel has an alpha sample.
  public var hasAlpha: Bool { alpha != .none }
  /// The number of samples per pixel, including alpha.
  public var samplesPerPixel: Int { colorModel.sampleCount + (hasAlpha ? 1 : 0) }
  /// The number of bits per sample: 8, 16 or 32.
  public var bitsPerSample: Int { sampleType.bitCount }
  /// The number of bytes per sample: 1, 2 or 4.
  public var bytesPerSample: Int { sampleType.byteCount }
  /// The number of bytes per pixel.
  public var bytesPerPixel: Int { samplesPerPixel * bytesPerSample }
}

extension PixelFormat: CustomStringConvertible {
  /// The name, such as `"rgba8"`, `"rgba8.premultiplied"` or `"rgbaFloat16"`.
  public var description: String {
    let name =
      switch (colorModel, hasAlpha) {
      case (.gray, true): "grayAlpha"
      case (.rgb, true): "rgba"
      case (.bgr, true): "bgra"
      case (.cmyk, true): "cmyka"
      default: colorModel.rawValue
      }
    let samples = sampleType.isFloatingPoint ? "Float\(bitsPerSample)" : "\(bitsPerSample)"
    return name + samples + (alpha == .premultiplied ? ".premultiplied" : "")
  }
}
