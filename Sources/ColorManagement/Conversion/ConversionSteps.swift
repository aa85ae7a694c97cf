// The conversion of one colour in double precision. The tables of the fast conversions are made from it.

internal import ImageCore

/// Device samples → XYZ → connection → linear light of the target → samples of the target.
struct ConversionSteps: Sendable {
  let source: DeviceColors.Model
  /// The reduction of light of a high dynamic range, before it becomes XYZ.
  let toneMap: ToneMap?
  let connection: ProfileConnection
  let target: MatrixProfile
  /// XYZ relative to D50 to linear RGB of the target; for gray, to luminance or lightness in all components.
  let fromXYZ: Matrix3

  /// - Throws: `CodecError.Kind.malformed` if the primaries of the target are collinear.
  init(
    from source: DeviceColors.Model, toneMap: ToneMap?, connection: ProfileConnection, to target: MatrixProfile
  ) throws(CodecError) {
    if target.isGray {
      let luminance = SIMD3(0.0, 1, 0)
      fromXYZ = Matrix3(luminance, luminance, luminance)
    } else if let inverse = target.toXYZ.inverse {
      fromXYZ = inverse
    } else {
      throw CodecError(.malformed, "the primaries of the target are collinear")
    }
    self.source = source
    self.toneMap = toneMap
    self.connection = connection
    self.target = target
  }

  /// Returns the linear light of the target; gray in all components.
  func light(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    let xyz: SIMD3<Double>
    if let toneMap, let matrix = source.matrix {
      xyz = matrix.xyz(light: toneMap.map(matrix.light(SIMD3(samples.x, samples.y, samples.z))))
    } else {
      xyz = source.xyz(samples)
    }
    let light = fromXYZ * connection.convert(xyz)
    return target.isLightness ? SIMD3(repeating: Colorimetry.lightness(light.x) / 100) : light
  }

  /// Returns the samples of the target; gray in all components.
  func convert(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    let light = light(samples)
    guard !target.isGray else { return SIMD3(repeating: target.curves[0].sample(light.x)) }
    return SIMD3(
      target.curves[0].sample(light.x), target.curves[1].sample(light.y), target.curves[2].sample(light.z))
  }
}
