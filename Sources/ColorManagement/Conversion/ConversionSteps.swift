// The conversion of one colour in double precision. The tables of the fast conversions are made from it.

internal import ImageCore

/// Device samples → XYZ → connection → linear light of the target → samples of the target.
struct ConversionSteps: Sendable {
  let source: DeviceColors.Model
  let connection: ProfileConnection
  let target: MatrixProfile
  /// XYZ relative to D50 to linear RGB of the target.
  let fromXYZ: Matrix3

  /// - Throws: ``CodecError/Kind/malformed`` if the primaries of the target are collinear.
  init(from source: DeviceColors.Model, connection: ProfileConnection, to target: MatrixProfile) throws(CodecError) {
    guard let inverse = target.toXYZ.inverse else {
      throw CodecError(.malformed, "the primaries of the target are collinear")
    }
    self.source = source
    self.connection = connection
    self.target = target
    fromXYZ = inverse
  }

  /// Returns the linear light of the target; gray in all components.
  func light(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    let xyz: SIMD3<Double>
    switch source {
    case .matrix(let matrix): xyz = connection.convert(matrix.xyz(SIMD3(samples.x, samples.y, samples.z)))
    }
    guard target.isGray else { return fromXYZ * xyz }
    return SIMD3(repeating: target.isLightness ? Colorimetry.lightness(xyz.y) / 100 : xyz.y)
  }

  /// Returns the samples of the target; gray in all components.
  func convert(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    let light = light(samples)
    guard !target.isGray else { return SIMD3(repeating: target.curves[0].sample(light.x)) }
    return SIMD3(
      target.curves[0].sample(light.x), target.curves[1].sample(light.y), target.curves[2].sample(light.z))
  }
}
