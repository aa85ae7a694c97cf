// sRGB's transfer function (IEC 61966-2-1), and tables of it for integer samples.

internal import ImageCore

/// Conversions between encoded samples and linear light.
enum TransferTables {
  /// The linear light of an encoded sample; both are fractions of a full sample. Negative samples mirror positive ones.
  static func linear(_ encoded: Double) -> Double {
    let magnitude = abs(encoded)
    let light =
      magnitude <= 0.04045 ? magnitude / 12.92 : ElementaryFunctions.power((magnitude + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -light : light
  }

  /// The encoded sample of a linear light; the inverse of ``linear(_:)``.
  static func encoded(_ light: Double) -> Double {
    let magnitude = abs(light)
    let sample =
      magnitude <= 0.0031308
      ? magnitude * 12.92 : 1.055 * ElementaryFunctions.power(magnitude, 1 / 2.4) - 0.055
    return light < 0 ? -sample : sample
  }

  /// The linear light of each 8-bit sample, rounded to 16 bits.
  static let linear8: [Float] = (0...255).map { Float((linear(Double($0) / 255) * 65535).rounded()) }

  /// The 8-bit sample of each linear light of 16 bits.
  static let encoded8: [UInt8] = (0...65535).map { UInt8((encoded(Double($0) / 65535) * 255).rounded()) }

  /// The linear light of each 16-bit sample as a multiple of 1/65535, not rounded.
  static let linear16: [Float] = (0...65535).map { Float(linear(Double($0) / 65535) * 65535) }
}
