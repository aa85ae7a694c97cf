// Converts between premultiplied and straight pixels, for operations on colours that disregard alpha.

/// Conversion of single pixels with 8-bit samples, red in the lowest byte.
enum StraightColor {
  /// 255 / alpha for each alpha; 0 for alpha 0.
  static let factors: [Float] = (0...255).map { $0 == 0 ? 0 : 255 / Float($0) }

  /// Converts a premultiplied pixel to straight samples, rounded to nearest; all are zero if alpha is.
  @inline(__always)
  static func word(_ word: UInt32, _ factors: Span<Float>) -> UInt32 {
    let factor = factors[Int(word &>> 24)]
    func sample(_ value: UInt32) -> UInt32 { UInt32(roundedSample(min(Float(value & 255) * factor, 255))) }
    return sample(word) | sample(word &>> 8) &<< 8 | sample(word &>> 16) &<< 16 | word & 0xFF00_0000
  }

  /// Converts straight samples to a premultiplied pixel, rounded to nearest.
  @inline(__always)
  static func premultiplied(_ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32) -> UInt32 {
    UInt32(product8(red, alpha)) | UInt32(product8(green, alpha)) &<< 8 | UInt32(product8(blue, alpha)) &<< 16
      | alpha &<< 24
  }
}
