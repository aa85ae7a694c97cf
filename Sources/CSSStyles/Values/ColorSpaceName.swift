// The colour spaces of CSS colour functions: the meaning of their channels, and conversion in both directions.

internal import ImageCoding
internal import VectorGraphics

/// A colour space or a function that specifies a colour in one.
enum ColorSpaceName: String, Hashable, Sendable {
  /// `rgb()`, whose channels are 0…255 in text and 0…1 here.
  case rgb
  case hsl, hwb, lab, lch, oklab, oklch, srgb
  case linearSRGB = "srgb-linear"
  case displayP3 = "display-p3"
  case a98 = "a98-rgb"
  case prophoto = "prophoto-rgb"
  case rec2020
  case xyz
  case xyzD50 = "xyz-d50"
  case xyzD65 = "xyz-d65"

  /// Creates a space from the name of a function other than `color()`.
  init?(function name: String) {
    switch name {
    case "rgb", "rgba": self = .rgb
    case "hsl", "hsla": self = .hsl
    case "hwb": self = .hwb
    case "lab": self = .lab
    case "lch": self = .lch
    case "oklab": self = .oklab
    case "oklch": self = .oklch
    default: return nil
    }
  }

  /// Creates a space from the argument of `color()`.
  init?(predefined name: String) {
    guard let space = ColorSpaceName(rawValue: name) else { return nil }
    switch space {
    case .rgb, .hsl, .hwb, .lab, .lch, .oklab, .oklch: return nil
    default: self = space
    }
  }

  /// The values that correspond to 100 %.
  var percentBases: [Double] {
    switch self {
    case .rgb: [255, 255, 255]
    case .hsl, .hwb: [360, 100, 100]
    case .lab: [100, 125, 125]
    case .lch: [100, 150, 360]
    case .oklab: [1, 0.4, 0.4]
    case .oklch: [1, 0.4, 360]
    default: [1, 1, 1]
    }
  }

  /// The names of the channels in relative colours.
  var channelNames: [String] {
    switch self {
    case .hsl: ["h", "s", "l", "alpha"]
    case .hwb: ["h", "w", "b", "alpha"]
    case .lab, .oklab: ["l", "a", "b", "alpha"]
    case .lch, .oklch: ["l", "c", "h", "alpha"]
    case .xyz, .xyzD50, .xyzD65: ["x", "y", "z", "alpha"]
    default: ["r", "g", "b", "alpha"]
    }
  }

  /// The index of the hue among the channels; `nil` if there is none.
  var hueIndex: Int? {
    switch self {
    case .hsl, .hwb: 0
    case .lch, .oklch: 2
    default: nil
    }
  }

  /// Returns whether the hue of some channels has no meaning.
  func isGray(_ channels: [Double]) -> Bool {
    switch self {
    case .hsl: channels[1] < 1e-3
    case .hwb: channels[1] + channels[2] >= 100 - 1e-3
    case .lch: channels[1] < 1.5e-2
    case .oklch: channels[1] < 4e-5
    default: false
    }
  }

  /// Returns the colour with some channels, clipped to sRGB.
  func color(_ channels: [Double], alpha: Double) -> Color {
    guard channels.count == 3 else { return .transparent }
    let (first, second, third) = (channels[0], channels[1], channels[2])
    func share(_ value: Double) -> Double { min(max(value / 100, 0), 1) }
    func clipped(_ rgb: (Double, Double, Double)) -> Color {
      Color(
        red: min(max(rgb.0, 0), 1), green: min(max(rgb.1, 0), 1), blue: min(max(rgb.2, 0), 1), alpha: alpha)
    }
    let linear: (Double, Double, Double)
    switch self {
    case .rgb, .srgb: return clipped((first, second, third))
    case .hsl: return clipped(ColorConversion.hsl(first, share(second), share(third)))
    case .hwb: return clipped(ColorConversion.hwb(first, share(second), share(third)))
    case .lab: linear = ColorConversion.lab(first, second, third)
    case .lch:
      let (a, b) = ColorConversion.rectangular(chroma: second, hue: third)
      linear = ColorConversion.lab(first, a, b)
    case .oklab: linear = ColorConversion.oklab(first, second, third)
    case .oklch:
      let (a, b) = ColorConversion.rectangular(chroma: second, hue: third)
      linear = ColorConversion.oklab(first, a, b)
    default: linear = ColorConversion.linearSRGB((first, second, third), from: rawValue) ?? (0, 0, 0)
    }
    return Color(
      red: ColorConversion.encoded(linear.0), green: ColorConversion.encoded(linear.1),
      blue: ColorConversion.encoded(linear.2), alpha: alpha)
  }

  /// Returns the channels of a colour.
  func channels(of color: Color) -> [Double] {
    let rgb = (color.red, color.green, color.blue)
    let linear = (SRGBTransfer.linear(rgb.0), SRGBTransfer.linear(rgb.1), SRGBTransfer.linear(rgb.2))
    func list(_ triple: (Double, Double, Double)) -> [Double] { [triple.0, triple.1, triple.2] }
    func polar(_ triple: (Double, Double, Double)) -> [Double] {
      let (chroma, hue) = ColorConversion.polar(triple.1, triple.2)
      return [triple.0, chroma, hue]
    }
    switch self {
    case .rgb, .srgb: return list(rgb)
    case .hsl: return list(ColorConversion.hsl(ofRed: rgb.0, rgb.1, rgb.2))
    case .hwb: return list(ColorConversion.hwb(ofRed: rgb.0, rgb.1, rgb.2))
    case .lab: return list(ColorConversion.lab(ofLinear: linear))
    case .lch: return polar(ColorConversion.lab(ofLinear: linear))
    case .oklab: return list(ColorConversion.oklab(ofLinear: linear))
    case .oklch: return polar(ColorConversion.oklab(ofLinear: linear))
    default: return list(ColorConversion.channels(ofLinear: linear, in: rawValue))
    }
  }
}
