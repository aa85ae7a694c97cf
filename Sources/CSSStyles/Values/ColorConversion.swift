// Conversion of the CSS Color 4 colour spaces to sRGB, with the transfer functions and matrices of section 10 and its
// sample code.

internal import ImageCoding

/// Conversions to sRGB.
enum ColorConversion {
  typealias Triple = (Double, Double, Double)
  private typealias Matrix = (Triple, Triple, Triple)

  /// Converts HSL to sRGB. Hue is in degrees; the other values are 0…1.
  static func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double) -> Triple {
    let turn = normalized(hue) / 30
    let amplitude = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      let k = (offset + turn).truncatingRemainder(dividingBy: 12)
      return lightness - amplitude * max(-1, min(k - 3, 9 - k, 1))
    }
    return (channel(0), channel(8), channel(4))
  }

  /// Converts HWB to sRGB. Hue is in degrees; the other values are 0…1.
  static func hwb(_ hue: Double, _ whiteness: Double, _ blackness: Double) -> Triple {
    let sum = whiteness + blackness
    if sum >= 1 {
      let gray = whiteness / sum
      return (gray, gray, gray)
    }
    let pure = hsl(hue, 1, 0.5)
    func channel(_ value: Double) -> Double { value * (1 - sum) + whiteness }
    return (channel(pure.0), channel(pure.1), channel(pure.2))
  }

  private static func normalized(_ hue: Double) -> Double {
    let rest = hue.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }

  static func rectangular(chroma: Double, hue: Double) -> (Double, Double) {
    let angle = normalized(hue) * .pi / 180
    let chroma = max(0, chroma)
    return (chroma * ElementaryFunctions.cosine(angle), chroma * ElementaryFunctions.sine(angle))
  }

  /// Converts CIE Lab (D50) to linear sRGB.
  static func lab(_ lightness: Double, _ a: Double, _ b: Double) -> Triple {
    let lightness = min(max(lightness, 0), 100)
    let kappa = 24389.0 / 27
    let epsilon = 216.0 / 24389
    let f1 = (lightness + 16) / 116
    let f0 = a / 500 + f1
    let f2 = f1 - b / 200
    func inverse(_ f: Double) -> Double { f * f * f > epsilon ? f * f * f : (116 * f - 16) / kappa }
    let y = lightness > kappa * epsilon ? f1 * f1 * f1 : lightness / kappa
    let white = (0.3457 / 0.3585, 1.0, (1 - 0.3457 - 0.3585) / 0.3585)
    return linearSRGB(xyzD50: (inverse(f0) * white.0, y * white.1, inverse(f2) * white.2))
  }

  /// Converts Oklab to linear sRGB.
  static func oklab(_ lightness: Double, _ a: Double, _ b: Double) -> Triple {
    let lightness = min(max(lightness, 0), 1)
    let l = lightness + 0.3963377773761749 * a + 0.2158037573099136 * b
    let m = lightness - 0.1055613458156586 * a - 0.0638541728258133 * b
    let s = lightness - 0.0894841775298119 * a - 1.2914855480194092 * b
    let cubes = (l * l * l, m * m * m, s * s * s)
    return linearSRGB(xyzD65: multiply(oklabToXYZ, cubes))
  }

  private static let oklabToXYZ: Matrix = (
    (1.2268798758459243, -0.5578149944602171, 0.2813910456659647),
    (-0.0405757452148008, 1.1122868032803170, -0.0717110580655164),
    (-0.0763729366746601, -0.4214933324022432, 1.5869240198367816)
  )

  /// Converts a colour in the space of a `color()` function to linear sRGB; `nil` if the space is unknown.
  static func linearSRGB(_ channels: Triple, from space: String) -> Triple? {
    switch space {
    case "srgb-linear": return channels
    case "xyz", "xyz-d65": return linearSRGB(xyzD65: channels)
    case "xyz-d50": return linearSRGB(xyzD50: channels)
    case "display-p3":
      let linear = map(channels, SRGBTransfer.linear)
      return linearSRGB(
        xyzD65: multiply(
          (
            (608311.0 / 1250200, 189793.0 / 714400, 198249.0 / 1000160),
            (35783.0 / 156275, 247089.0 / 357200, 198249.0 / 2500400),
            (0, 32229.0 / 714400, 5220557.0 / 5000800)
          ), linear))
    case "a98-rgb":
      let linear = map(channels) { signedPower($0, 563.0 / 256) }
      return linearSRGB(
        xyzD65: multiply(
          (
            (573536.0 / 994567, 263643.0 / 1420810, 187206.0 / 994567),
            (591459.0 / 1989134, 6239551.0 / 9945670, 374412.0 / 4972835),
            (53769.0 / 1989134, 351524.0 / 4972835, 4929758.0 / 4972835)
          ), linear))
    case "prophoto-rgb":
      let linear = map(channels) { abs($0) <= 16.0 / 512 ? $0 / 16 : signedPower($0, 1.8) }
      return linearSRGB(
        xyzD50: multiply(
          (
            (0.7977666449006423, 0.1351812974005331, 0.0313477341283922),
            (0.2880748288194013, 0.7118352342418731, 0.0000899369387256),
            (0, 0, 0.8251046025104602)
          ), linear))
    case "rec2020":
      let alpha = 1.09929682680944
      let beta = 0.018053968510807
      let linear = map(channels) { value in
        let magnitude = abs(value)
        if magnitude < beta * 4.5 { return value / 4.5 }
        let power = ElementaryFunctions.power((magnitude + alpha - 1) / alpha, 1 / 0.45)
        return value < 0 ? -power : power
      }
      return linearSRGB(
        xyzD65: multiply(
          (
            (63426534.0 / 99577255, 20160776.0 / 139408157, 47086771.0 / 278816314),
            (26158966.0 / 99577255, 472592308.0 / 697040785, 8267143.0 / 139408157),
            (0, 19567812.0 / 697040785, 295819943.0 / 278816314)
          ), linear))
    default: return nil
    }
  }

  private static func linearSRGB(xyzD65 xyz: Triple) -> Triple {
    multiply(
      (
        (12831.0 / 3959, -329.0 / 214, -1974.0 / 3959),
        (-851781.0 / 878810, 1648619.0 / 878810, 36519.0 / 878810),
        (705.0 / 12673, -2585.0 / 12673, 705.0 / 667)
      ), xyz)
  }

  /// Adapts the white point from D50 to D65 with the Bradford method.
  private static func linearSRGB(xyzD50 xyz: Triple) -> Triple {
    linearSRGB(
      xyzD65: multiply(
        (
          (0.9554734527042182, -0.0230985368742614, 0.0632593086610217),
          (-0.0283697069632081, 1.0099954580058226, 0.0210413989669430),
          (0.0123140016883199, -0.0205076964334779, 1.3303659366080753)
        ), xyz))
  }

  /// Encodes a linear sample, clipped to 0…1, with the sRGB transfer function.
  static func encoded(_ linear: Double) -> Double {
    SRGBTransfer.encoded(min(max(linear, 0), 1))
  }

  private static func signedPower(_ value: Double, _ exponent: Double) -> Double {
    let power = ElementaryFunctions.power(abs(value), exponent)
    return value < 0 ? -power : power
  }

  private static func map(_ channels: Triple, _ transform: (Double) -> Double) -> Triple {
    (transform(channels.0), transform(channels.1), transform(channels.2))
  }

  private static func multiply(_ matrix: Matrix, _ vector: Triple) -> Triple {
    func dot(_ row: Triple) -> Double { row.0 * vector.0 + row.1 * vector.1 + row.2 * vector.2 }
    return (dot(matrix.0), dot(matrix.1), dot(matrix.2))
  }
}

// MARK: From sRGB

extension ColorConversion {
  /// Returns hue in degrees, and saturation and lightness as percentages.
  static func hsl(ofRed red: Double, _ green: Double, _ blue: Double) -> Triple {
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    let lightness = (most + least) / 2
    let range = most - least
    guard range > 0 else { return (0, 0, lightness * 100) }
    let saturation = lightness == 0 || lightness == 1 ? 0 : (most - lightness) / min(lightness, 1 - lightness)
    let hue =
      most == red
      ? (green - blue) / range + (green < blue ? 6 : 0)
      : most == green ? (blue - red) / range + 2 : (red - green) / range + 4
    return (hue * 60, saturation * 100, lightness * 100)
  }

  /// Returns hue in degrees, and whiteness and blackness as percentages.
  static func hwb(ofRed red: Double, _ green: Double, _ blue: Double) -> Triple {
    (hsl(ofRed: red, green, blue).0, min(red, green, blue) * 100, (1 - max(red, green, blue)) * 100)
  }

  /// Returns chroma and hue in degrees.
  static func polar(_ a: Double, _ b: Double) -> (chroma: Double, hue: Double) {
    let angle = ElementaryFunctions.angle(x: a, y: b) * 180 / .pi
    return ((a * a + b * b).squareRoot(), angle < 0 ? angle + 360 : angle)
  }

  /// Returns CIE Lab (D50).
  static func lab(ofLinear rgb: Triple) -> Triple {
    let xyz = channels(ofLinear: rgb, in: "xyz-d50")
    let white = (0.3457 / 0.3585, 1.0, (1 - 0.3457 - 0.3585) / 0.3585)
    func f(_ value: Double) -> Double {
      value > 216.0 / 24389 ? ElementaryFunctions.power(value, 1.0 / 3) : (24389.0 / 27 * value + 16) / 116
    }
    let (x, y, z) = (f(xyz.0 / white.0), f(xyz.1 / white.1), f(xyz.2 / white.2))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Returns Oklab.
  static func oklab(ofLinear rgb: Triple) -> Triple {
    let cubes = inverse(oklabToXYZ, channels(ofLinear: rgb, in: "xyz"))
    let roots = map(cubes) { value in
      let root = ElementaryFunctions.power(abs(value), 1.0 / 3)
      return value < 0 ? -root : root
    }
    return inverse(
      (
        (1, 0.3963377773761749, 0.2158037573099136), (1, -0.1055613458156586, -0.0638541728258133),
        (1, -0.0894841775298119, -1.2914855480194092)
      ), roots)
  }

  /// Returns the channels of a linear sRGB colour in the space of a `color()` function.
  static func channels(ofLinear rgb: Triple, in space: String) -> Triple {
    switch space {
    case "srgb-linear": return rgb
    case "srgb": return map(rgb, encoded)
    default:
      // Those spaces whose channels are linear in sRGB's, from the images of the unit vectors.
      guard let first = linearSRGB((1, 0, 0), from: space), let second = linearSRGB((0, 1, 0), from: space),
        let third = linearSRGB((0, 0, 1), from: space)
      else { return rgb }
      let channels = inverse(
        ((first.0, second.0, third.0), (first.1, second.1, third.1), (first.2, second.2, third.2)), rgb)
      return map(channels) { encoded($0, in: space) }
    }
  }

  /// Encodes a linear sample with the transfer function of a space.
  private static func encoded(_ linear: Double, in space: String) -> Double {
    let magnitude = abs(linear)
    let result: Double
    switch space {
    case "display-p3": result = encoded(magnitude)
    case "a98-rgb": result = ElementaryFunctions.power(magnitude, 256.0 / 563)
    case "prophoto-rgb": result = magnitude < 1.0 / 512 ? magnitude * 16 : ElementaryFunctions.power(magnitude, 1 / 1.8)
    case "rec2020":
      let alpha = 1.09929682680944
      result =
        magnitude < 0.018053968510807
        ? magnitude * 4.5 : alpha * ElementaryFunctions.power(magnitude, 0.45) - (alpha - 1)
    default: result = magnitude
    }
    return linear < 0 ? -result : result
  }

  /// Returns the vector that a matrix maps to another one, by Cramer's rule.
  private static func inverse(_ m: Matrix, _ v: Triple) -> Triple {
    func determinant(_ a: Triple, _ b: Triple, _ c: Triple) -> Double {
      a.0 * (b.1 * c.2 - b.2 * c.1) - a.1 * (b.0 * c.2 - b.2 * c.0) + a.2 * (b.0 * c.1 - b.1 * c.0)
    }
    let whole = determinant(m.0, m.1, m.2)
    guard whole != 0 else { return (0, 0, 0) }
    return (
      determinant((v.0, m.0.1, m.0.2), (v.1, m.1.1, m.1.2), (v.2, m.2.1, m.2.2)) / whole,
      determinant((m.0.0, v.0, m.0.2), (m.1.0, v.1, m.1.2), (m.2.0, v.2, m.2.2)) / whole,
      determinant((m.0.0, m.0.1, v.0), (m.1.0, m.1.1, v.1), (m.2.0, m.2.1, v.2)) / whole
    )
  }
}
