// CIE L*a*b* to sRGB (ITU-T T.801, M.11.7.4; CIE 15).

internal import ImageCoding

/// The ranges and the offsets of L*, a* and b*, and the illuminant, as a colour specification box states them.
struct LabEncoding: Hashable, Sendable {
  /// The size of the range of each coordinate.
  private(set) var ranges: SIMD3<Float> = [100, 170, 200]
  /// The samples whose coordinates are 0; `nil` for those of the default, which depend on the depth.
  private(set) var offsets: SIMD3<Float>?
  /// The four characters or bytes of the illuminant.
  private(set) var illuminant: UInt32 = Self.d50

  static let d50: UInt32 = 0x0044_3530
  static let d65: UInt32 = 0x0044_3635

  /// Reads the parameters that may follow the number of the colour space.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining >= 24 else { return }
    var values: [UInt32] = []
    for _ in 0..<6 { values.append(try reader.readUInt32BigEndian()) }
    ranges = [Float(values[0]), Float(values[2]), Float(values[4])]
    offsets = [Float(values[1]), Float(values[3]), Float(values[5])]
    if reader.remaining >= 4 { illuminant = try reader.readUInt32BigEndian() }
  }

  /// Whether the conversion supports the illuminant.
  var isSupported: Bool { illuminant == Self.d50 || illuminant == Self.d65 }

  /// The samples whose coordinates are 0.
  ///
  /// - Parameter maximums: the largest samples.
  func offsets(_ maximums: SIMD3<Float>) -> SIMD3<Float> {
    offsets ?? [0, (maximums.y + 1) / 2, (maximums.z + 1) * 3 / 8]
  }
}

/// The conversion of L*a*b* samples to encoded red, green and blue of sRGB; colours outside of it are clamped.
struct LabConversion: Sendable {
  /// The coordinates of a sample are its product with the scale, and the offset added.
  private let scale: SIMD3<Float>
  private let offset: SIMD3<Float>
  /// The tristimulus values of white.
  private let white: SIMD3<Float>
  /// The light of the primaries of sRGB for each tristimulus value; for D50, adapted by the Bradford transform.
  private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  /// The encoded values of squares of equidistant numbers, 0…1, so that dark ones are accurate.
  private let encoded: [Float]

  private static let stepCount = 4096

  /// - Parameter maximums: the largest samples.
  init(_ encoding: LabEncoding, maximums: SIMD3<Float>) {
    scale = encoding.ranges / maximums
    offset = -encoding.offsets(maximums) * scale
    if encoding.illuminant == LabEncoding.d65 {
      white = [0.95047, 1, 1.08883]
      columns = (
        [3.2404542, -0.9692660, 0.0556434], [-1.5371385, 1.8760108, -0.2040259], [-0.4985314, 0.0415560, 1.0572252]
      )
    } else {
      white = [0.96422, 1, 0.82521]
      columns = (
        [3.1338561, -0.9787684, 0.0719453], [-1.6168667, 1.9161415, -0.2289914], [-0.4906146, 0.0334540, 1.4052427]
      )
    }
    encoded = (0...Self.stepCount + 1).map { step in
      let root = min(1, Double(step) / Double(Self.stepCount))
      return Float(SRGBTransfer.encoded(root * root))
    }
  }

  /// Returns encoded red, green and blue, 0…1.
  func rgb(_ samples: SIMD3<Float>) -> SIMD3<Float> {
    let lab = samples * scale + offset
    let y = (lab.x + 16) / 116
    let x = white.x * Self.tristimulus(y + lab.y / 500)
    let z = white.z * Self.tristimulus(y - lab.z / 200)
    let light = columns.0 * x + columns.1 * Self.tristimulus(y) + columns.2 * z
    return [encode(light.x), encode(light.y), encode(light.z)]
  }

  /// The inverse of the function by which CIELAB compresses tristimulus values.
  private static func tristimulus(_ value: Float) -> Float {
    let limit: Float = 6 / 29
    return value > limit ? value * value * value : 3 * limit * limit * (value - 4 / 29)
  }

  private func encode(_ light: Float) -> Float {
    // Comparisons that are false for numbers that are none.
    let positive = light > 0 ? light : 0
    let position = (positive < 1 ? positive : 1).squareRoot() * Float(Self.stepCount)
    let index = Int(position)
    let fraction = position - Float(index)
    return encoded[index] + (encoded[index + 1] - encoded[index]) * fraction
  }
}
