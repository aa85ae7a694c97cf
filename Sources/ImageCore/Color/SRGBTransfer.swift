// The transfer function of sRGB (IEC 61966-2-1).

/// Conversions between samples and linear light, both as fractions of full scale. Negative values mirror positive ones.
package enum SRGBTransfer {
  /// Returns the linear light of an encoded sample.
  package static func linear(_ sample: Double) -> Double {
    let magnitude = abs(sample)
    let light =
      magnitude <= 0.04045 ? magnitude / 12.92 : ElementaryFunctions.power((magnitude + 0.055) / 1.055, 2.4)
    return sample < 0 ? -light : light
  }

  /// Returns the encoded sample of a linear light; the inverse of ``linear(_:)``.
  package static func encoded(_ light: Double) -> Double {
    let magnitude = abs(light)
    let sample =
      magnitude <= 0.0031308
      ? magnitude * 12.92 : 1.055 * ElementaryFunctions.power(magnitude, 1 / 2.4) - 0.055
    return light < 0 ? -sample : sample
  }
}
