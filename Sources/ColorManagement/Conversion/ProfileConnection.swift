// The conversion between the connection spaces of two devices: black-point compensation, or media-relative to absolute.

internal import ImageCore

/// A scaling and an offset of XYZ.
struct ProfileConnection: Hashable, Sendable {
  var scale = SIMD3<Double>(repeating: 1)
  var offset = SIMD3<Double>(repeating: 0)

  init() {}

  /// The connection of two devices.
  init(
    from source: DeviceColors, to target: DeviceColors, intent: RenderingIntent, compensatesBlackPoint: Bool
  ) {
    switch intent {
    case .absoluteColorimetric:
      scale = source.mediaWhite / target.mediaWhite
    case .perceptual, .saturation:
      if compensatesBlackPoint || target.hasReferenceBlack { compensate(source.blackPoint, target.blackPoint) }
    case .relativeColorimetric:
      if compensatesBlackPoint { compensate(source.blackPoint, target.blackPoint) }
    }
    // Differences that come from rounding in the profiles.
    let change =
      abs(scale.x - 1) + abs(scale.y - 1) + abs(scale.z - 1) + (abs(offset.x) + abs(offset.y) + abs(offset.z)) / 2
    if !(change >= 0.002 && change < 1e6) { self = ProfileConnection() }
  }

  /// Maps the black point of the source to that of the target, and D50 to itself.
  private mutating func compensate(_ source: SIMD3<Double>, _ target: SIMD3<Double>) {
    let range = source - Colorimetry.d50
    scale = (target - Colorimetry.d50) / range
    offset = -Colorimetry.d50 * (target - source) / range
  }

  var isIdentity: Bool { self == ProfileConnection() }

  func convert(_ xyz: SIMD3<Double>) -> SIMD3<Double> { xyz * scale + offset }
}
