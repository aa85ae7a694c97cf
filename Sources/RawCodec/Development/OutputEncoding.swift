// From linear colours of the camera to encoded samples. All colour spaces of the result have sRGB's transfer function.

internal import ImageCoding

/// Converts rows of balanced colours to 16-bit samples.
struct OutputEncoding {
  /// From the camera to linear colours of the result, row by row; `nil` for a picture without colours.
  private let matrix: [Float]?
  /// Encoded values of 65,535 at equal steps of linear light, between which values are interpolated.
  private let curve: [Float]
  private static let stepCount = 4_096

  /// The number of bytes of the curve.
  static let byteCount = (stepCount + 2) * 4

  /// - Parameter exposure: the exposure in stops that toned rendering applies; `nil` for neutral rendering.
  init(matrix: [Float]?, exposure: Double?) {
    self.matrix = matrix
    let gain = exposure.map { ElementaryFunctions.power(2, min(max($0, -8), 8)) } ?? 1
    curve = (0...Self.stepCount + 1).map { step in
      let light = min(1, Double(step) / Double(Self.stepCount))
      let toned = exposure == nil ? light : Self.tone(light * gain, white: max(gain, 1))
      return Float(SRGBTransfer.encoded(min(toned, 1)) * 65_535)
    }
  }

  /// A curve with the slope 1.6 at black that reaches 1 at the white.
  private static func tone(_ light: Double, white: Double) -> Double {
    let slope = 1.6
    return slope * light / (1 + (slope - 1 / white) * light)
  }

  /// Encodes a row of colours, which are in three planes of `width` values each, or one.
  func encode(_ values: Span<Float>, width: Int, columns: Range<Int>, into row: inout MutableSpan<UInt8>) {
    var offset = 0
    guard let matrix else {
      for x in columns {
        storeNativeUInt16(encoded(values[x]), into: &row, at: offset)
        offset += 2
      }
      return
    }
    let red = values.extracting(0..<width)
    let green = values.extracting(width..<2 * width)
    let blue = values.extracting(2 * width..<3 * width)
    let (m0, m1, m2) = (matrix[0], matrix[1], matrix[2])
    let (m3, m4, m5) = (matrix[3], matrix[4], matrix[5])
    let (m6, m7, m8) = (matrix[6], matrix[7], matrix[8])
    for x in columns {
      let (r, g, b) = (red[x], green[x], blue[x])
      storeNativeUInt16(encoded(m0 * r + m1 * g + m2 * b), into: &row, at: offset)
      storeNativeUInt16(encoded(m3 * r + m4 * g + m5 * b), into: &row, at: offset + 2)
      storeNativeUInt16(encoded(m6 * r + m7 * g + m8 * b), into: &row, at: offset + 4)
      offset += 6
    }
  }

  @inline(__always)
  private func encoded(_ light: Float) -> UInt16 {
    let position = light.limited(to: 1) * Float(Self.stepCount)
    let index = Int(position)
    let low = curve[index]
    return UInt16(truncatingIfNeeded: Int(low + (curve[index &+ 1] - low) * (position - Float(index)) + 0.5))
  }
}
