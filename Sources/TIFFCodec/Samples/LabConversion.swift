// CIE L*a*b* to RGB (TIFF 6.0, section 23), by libtiff's model of an sRGB display: XYZ relative to the white point of the
// file is shown unadapted, primaries are sRGB's, the gamma is 2.4, and a black pixel emits one hundredth of the light of
// a white one.

internal import ImageCoding

/// The conversion of L*a*b* samples to RGB.
struct LabConversion {
  /// Whether a* and b* are signed; otherwise they are shifted by half of their range.
  private let isSigned: Bool
  /// The tristimulus values of white; Y is 100.
  private let white: SIMD3<Float>
  /// The encoded value, 0…1, of equidistant amounts of light, 0…1.
  private let gamma: [Float]

  private static let stepCount = 4096

  /// Creates a conversion.
  ///
  /// - Parameter whitePoint: the chromaticities x and y of white; D50 unless there are two.
  init(isSigned: Bool, whitePoint: [Float]) {
    self.isSigned = isSigned
    let isValid = whitePoint.count == 2 && whitePoint[1] > 0.001
    let (x, y): (Float, Float) = isValid ? (whitePoint[0], whitePoint[1]) : (0.345702915, 0.358538597)
    white = SIMD3(x / y * 100, 100, (1 - x - y) / y * 100)
    gamma = (0...Self.stepCount + 1).map {
      Float(ElementaryFunctions.power(min(1, Double($0) / Double(Self.stepCount)), 1 / 2.4))
    }
  }

  /// Returns the light of the three primaries, 0…1, for 8-bit samples.
  func rgb8(_ lightness: UInt8, _ a: UInt8, _ b: UInt8) -> SIMD3<Float> {
    rgb(
      Float(lightness) * (100 / 255),
      isSigned ? Float(Int8(bitPattern: a)) : Float(a) - 128, isSigned ? Float(Int8(bitPattern: b)) : Float(b) - 128)
  }

  /// Returns the light of the three primaries, 0…1, for 16-bit samples.
  func rgb16(_ lightness: UInt16, _ a: UInt16, _ b: UInt16) -> SIMD3<Float> {
    func chroma(_ value: UInt16) -> Float {
      (isSigned ? Float(Int16(bitPattern: value)) : Float(value) - 32768) / 256
    }
    return rgb(Float(lightness) * (100 / 65535), chroma(a), chroma(b))
  }

  private func rgb(_ lightness: Float, _ a: Float, _ b: Float) -> SIMD3<Float> {
    let y: Float
    let root: Float
    if lightness < 8.856 {
      y = lightness * white.y / 903.292
      root = 7.787 * (y / white.y) + 16 / 116
    } else {
      root = (lightness + 16) / 116
      y = white.y * root * root * root
    }
    let x = white.x * Self.cube(a / 500 + root)
    let z = white.z * Self.cube(root - b / 200)
    let light = SIMD3(
      3.2410 * x - 1.5374 * y - 0.4986 * z, -0.9692 * x + 1.8760 * y + 0.0416 * z,
      0.0556 * x - 0.2040 * y + 1.0570 * z)
    return (light - 1) / 99
  }

  private static func cube(_ root: Float) -> Float {
    root < 0.2069 ? (root - 0.13793) / 7.787 : root * root * root
  }

  /// Encodes an amount of light, 0…1, as a sample of 0…`maximum`.
  func encoded(_ light: Float, _ maximum: Float) -> Int {
    let scaled = max(0, min(1, light)) * Float(Self.stepCount)
    let index = Int(scaled)
    let value = gamma[index] + (gamma[index + 1] - gamma[index]) * (scaled - Float(index))
    return Int(value * maximum + 0.5)
  }
}
