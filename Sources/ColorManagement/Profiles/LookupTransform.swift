// The conversions of ICC profiles of the table type: curves, grids and matrices between device and connection space.

/// The elements of a `mft1`, `mft2`, `mAB ` or `mBA ` tag, in the order in which they apply (ICC.1, sections
/// 10.10…10.13). Values are fractions of their encoding's range.
struct LookupTransform: Sendable {
  /// One element.
  enum Stage: Sendable {
    /// One curve for each channel.
    case curves([ToneCurve])
    case matrix(Matrix3, offset: SIMD3<Double>)
    case grid(ColorGrid)
  }

  /// The encoding of the connection space in fractions.
  enum ConnectionEncoding: Sendable {
    /// XYZ up to 1 + 32767/32768.
    case xyz
    /// L* 0…100, a* and b* -128…127.
    case lab
    /// The 16-bit encoding of version 2: 0xFF00 is L* = 100, 0x8000 is a* = 0.
    case legacyLab
  }

  var inputCount: Int
  var outputCount: Int
  var stages: [Stage]
  var encoding: ConnectionEncoding

  /// Applies all elements.
  ///
  /// - Parameter isMultilinear: whether grids are interpolated as it is usual for inputs in CIELAB.
  func apply(_ inputs: SIMD4<Double>, isMultilinear: Bool = false) -> SIMD4<Double> {
    var values = inputs
    for stage in stages {
      switch stage {
      case .curves(let curves):
        for index in curves.indices { values[index] = curves[index].light(values[index]) }
      case .matrix(let matrix, let offset):
        let result = matrix * SIMD3(values.x, values.y, values.z) + offset
        values = SIMD4(result, 0)
      case .grid(let grid):
        values = isMultilinear ? grid.multilinearColor(values) : grid.color(values)
      }
    }
    return values
  }

  /// Returns XYZ relative to D50 of device samples.
  func xyz(_ samples: SIMD4<Double>) -> SIMD3<Double> {
    let values = apply(samples)
    return encoding.xyz(SIMD3(values.x, values.y, values.z))
  }
}

extension LookupTransform.ConnectionEncoding {
  /// Full XYZ.
  static let maximumXYZ = 1 + 32767.0 / 32768
  /// L* = 100 of the legacy encoding as a multiple of that of the other one.
  static let legacyScale = 65535.0 / 65280

  /// Returns XYZ of encoded fractions.
  func xyz(_ values: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .xyz: return values * Self.maximumXYZ
    case .lab: return Colorimetry.xyz(lab: values * SIMD3(100, 255, 255) - SIMD3(0, 128, 128))
    case .legacyLab:
      return Colorimetry.xyz(lab: values * Self.legacyScale * SIMD3(100, 255, 255) - SIMD3(0, 128, 128))
    }
  }

  /// Returns the fractions of a neutral colour.
  func encode(neutral xyz: SIMD3<Double>) -> SIMD3<Double> {
    let lab = SIMD3(Colorimetry.lightness(xyz.y) / 100, 128.0 / 255, 128.0 / 255)
    return switch self {
    case .xyz: xyz / Self.maximumXYZ
    case .lab: lab
    case .legacyLab: lab / Self.legacyScale
    }
  }
}
