// White points as chromaticities, and their adaptation.

/// The chromaticity of a white.
struct WhitePoint: Hashable {
  var x: Double
  var y: Double

  static let d50 = WhitePoint(x: 0.34567, y: 0.3585)
  static let d55 = WhitePoint(x: 0.33242, y: 0.34743)

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The chromaticity of a colour; that of D50 if it has none.
  init(xyz: [Double]) {
    let sum = xyz.reduce(0, +)
    let (x, y) = (xyz[0] / sum, xyz[1] / sum)
    self = x.isFinite && y.isFinite && x > 0.01 && y > 0.01 && x < 0.9 && y < 0.9 ? WhitePoint(x: x, y: y) : .d50
  }

  /// The colour, of luminance 1.
  var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }

  /// The correlated colour temperature in kelvin (McCamy).
  var temperature: Double {
    let n = (x - 0.3320) / (0.1858 - y)
    return ((449 * n + 3_525) * n + 6_823.3) * n + 5_520.33
  }

  /// The temperature of an illuminant of EXIF (CIPA DC-008, LightSource); `nil` if it has none.
  static func temperature(ofIlluminant code: Int) -> Double? {
    switch code {
    case 1, 4, 9, 20: 5_500
    case 2, 14: 4_150
    case 3, 17: 2_850
    case 10, 19, 21: 6_500
    case 11, 22: 7_500
    case 12: 6_400
    case 13: 5_050
    case 15: 3_450
    case 18: 4_874
    case 23: 5_000
    case 24: 3_200
    default: nil
    }
  }

  /// Returns the matrix that adapts colours from this white to another (Bradford).
  func adaptation(to other: WhitePoint) -> ColorMatrix {
    let cones = ColorMatrix([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
    guard let inverse = cones.inverse else { return .identity }
    let (source, target) = (cones * xyz, cones * other.xyz)
    return inverse * ColorMatrix.diagonal((0..<3).map { target[$0] / source[$0] }) * cones
  }
}
