// The colours of a camera (DNG 1.7, chapter 6): white balance, and the conversion to the colour space of
// the result.

internal import ImageCoding

/// The white balance of a picture and the matrix to the colour space of the result.
struct CameraColor {
  /// The factors of the camera's colours, the smallest of which is 1. All colours then saturate at the same value.
  let whiteBalance: [Float]
  /// From balanced colours of the camera to linear ones of the result; white is (1, 1, 1) in both. Row by row.
  let matrix: [Float]

  /// Reads the tags of the first directory.
  init(_ fields: borrowing RawFields, _ space: RawColorSpace) {
    let profile = CameraProfile(fields)
    let (white, neutral) = profile.white(fields)
    let highest = neutral.max() ?? 1
    whiteBalance = neutral.map { Float(highest / $0) }
    let toXYZ = profile.toXYZ(white: white, neutral: neutral)
    matrix = (space.fromXYZ * toXYZ).elements.map { Float($0) }
  }
}

extension RawColorSpace {
  /// From XYZ with the white D50 to linear colours. The white of all spaces, D65, is adapted by Bradford's transform.
  fileprivate var fromXYZ: ColorMatrix {
    switch self {
    case .sRGB:
      ColorMatrix([
        3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914, 1.4052427,
      ])
    case .displayP3:
      ColorMatrix([
        2.4039840, -0.9899069, -0.3976415, -0.8422229, 1.7988437, 0.0160354, 0.0482059, -0.0974068, 1.2740049,
      ])
    case .bt2020:
      ColorMatrix([
        1.6472324, -0.3936125, -0.2359668, -0.6826173, 1.6476124, 0.0128103, 0.0296815, -0.0629493, 1.2538858,
      ])
    }
  }
}

/// The matrices of a camera for one or two illuminants.
private struct CameraProfile {
  /// From XYZ to the camera, for each illuminant.
  private let colors: [ColorMatrix]
  /// From balanced colours to XYZ, for each illuminant; empty if there are none.
  private let forward: [ColorMatrix]
  /// The differences of this camera from others of its model, for each illuminant.
  private let calibrations: [ColorMatrix]
  private let analogBalance: ColorMatrix
  /// The temperature of each illuminant.
  private let temperatures: [Double]

  init(_ fields: borrowing RawFields) {
    func matrix(_ tag: RawTag) -> ColorMatrix? { fields.numbers(tag, count: 9).map { ColorMatrix($0) } }
    // Without matrices, the camera's colours are taken for those of sRGB.
    let first = matrix(.colorMatrix1) ?? CameraProfile.sRGB
    let secondTemperature = WhitePoint.temperature(ofIlluminant: fields.integer(.calibrationIlluminant2) ?? 0)
    let firstTemperature = WhitePoint.temperature(ofIlluminant: fields.integer(.calibrationIlluminant1) ?? 0)
    let calibration = matrix(.cameraCalibration1) ?? .identity
    if let second = matrix(.colorMatrix2), let firstTemperature, let secondTemperature,
      firstTemperature != secondTemperature
    {
      colors = [first, second]
      calibrations = [calibration, matrix(.cameraCalibration2) ?? .identity]
      temperatures = [firstTemperature, secondTemperature]
      if let forward1 = matrix(.forwardMatrix1) {
        forward = [forward1, matrix(.forwardMatrix2) ?? forward1]
      } else {
        forward = []
      }
    } else {
      colors = [first]
      calibrations = [calibration]
      temperatures = [5_000]
      forward = matrix(.forwardMatrix1).map { [$0] } ?? []
    }
    let balance = fields.numbers(.analogBalance, count: 3) ?? [1, 1, 1]
    analogBalance = balance.allSatisfy { $0 > 0 } ? .diagonal(balance) : .identity
  }

  /// From XYZ to linear sRGB with the white D65.
  private static let sRGB = ColorMatrix([
    3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252,
  ])

  /// Interpolates between the illuminants by the inverse of the temperature.
  private func matrix(_ matrices: [ColorMatrix], at white: WhitePoint) -> ColorMatrix {
    guard matrices.count == 2 else { return matrices[0] }
    let inverse = 1 / min(max(white.temperature, 1_000), 50_000)
    let weight = (inverse - 1 / temperatures[1]) / (1 / temperatures[0] - 1 / temperatures[1])
    return matrices[0].interpolated(with: matrices[1], weight: min(max(weight, 0), 1))
  }

  /// From XYZ to this camera.
  private func toCamera(at white: WhitePoint) -> ColorMatrix {
    analogBalance * matrix(calibrations, at: white) * matrix(colors, at: white)
  }

  /// Returns the white and the camera's values of it, which are positive.
  func white(_ fields: borrowing RawFields) -> (WhitePoint, neutral: [Double]) {
    if let stated = fields.numbers(.asShotNeutral, count: 3), stated.allSatisfy({ $0 > 1e-4 && $0 < 1e4 }) {
      return (white(ofNeutral: stated), stated)
    }
    let stated = fields.numbers(.asShotWhiteXY, count: 2).map { WhitePoint(x: $0[0], y: $0[1]) }
    let white = stated.flatMap { $0.x > 0.01 && $0.y > 0.01 && $0.x + $0.y < 1 ? $0 : nil } ?? .d55
    let neutral = toCamera(at: white) * white.xyz
    return (white, neutral.allSatisfy { $0 > 1e-4 && $0 < 1e4 } ? neutral : [1, 1, 1])
  }

  /// Finds the white of neutral values: the matrix depends on it.
  private func white(ofNeutral neutral: [Double]) -> WhitePoint {
    var white = WhitePoint.d50
    for _ in 0..<30 {
      guard let inverse = toCamera(at: white).inverse else { return white }
      let next = WhitePoint(xyz: inverse * neutral)
      let change = abs(next.x - white.x) + abs(next.y - white.y)
      white = next
      if change < 1e-7 { break }
    }
    return white
  }

  /// Returns the matrix from balanced colours to XYZ with the white D50.
  func toXYZ(white: WhitePoint, neutral: [Double]) -> ColorMatrix {
    let unbalanced = ColorMatrix.diagonal(neutral)
    if !forward.isEmpty, let individual = (analogBalance * matrix(calibrations, at: white)).inverse {
      let reference = individual * neutral
      if reference.allSatisfy({ $0 > 1e-6 }) {
        return matrix(forward, at: white) * .diagonal(reference.map { 1 / $0 }) * individual * unbalanced
      }
    }
    guard let inverse = toCamera(at: white).inverse else {
      return ColorMatrix([0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141])
    }
    let result = white.adaptation(to: .d50) * inverse * unbalanced
    let luminance = (result * [1, 1, 1])[1]
    return luminance > 1e-6 ? ColorMatrix(result.elements.map { $0 / luminance }) : result
  }
}
