// The filters: their support and their weight at a distance.

#if hasFeature(Embedded)
  // Declares what replaces Codable.
  public import ImageCore
#else
  internal import ImageCore
#endif

/// A filter that computes new pixels from those around them.
///
/// If an image becomes smaller, filters other than ``nearest`` are stretched by the ratio, so that every source pixel
/// contributes.
public enum ResamplingFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// The source pixel at the centre of the new pixel. Samples are copied.
  case nearest
  /// Equal weights; source pixels whose centre is inside the new pixel.
  case box
  /// A triangle of radius 1.
  case bilinear
  /// A Hamming-windowed sinc of radius 1.
  case hamming
  /// The cubic convolution of radius 2 with a = −0.5 (Catmull–Rom).
  case bicubic
  /// The cubic of Mitchell and Netravali, B = C = 1/3, of radius 2.
  case mitchell
  /// A sinc windowed by a sinc, of radius 3.
  case lanczos3
  /// Weights proportional to the overlap of the source pixel with the new pixel.
  case area

  /// The radius in pixels at a ratio of 1. Unused by ``nearest`` and ``area``.
  var support: Double {
    switch self {
    case .nearest, .box, .area: 0.5
    case .bilinear, .hamming: 1
    case .bicubic, .mitchell: 2
    case .lanczos3: 3
    }
  }

  /// The weight at a distance from the centre, in pixels at a ratio of 1.
  func weight(at offset: Double) -> Double {
    let distance = abs(offset)
    switch self {
    case .nearest, .box, .area: return offset > -0.5 && offset <= 0.5 ? 1 : 0
    case .bilinear: return max(0, 1 - distance)
    case .hamming:
      if distance >= 1 { return 0 }
      // The coefficients have single precision in Pillow.
      let (mean, amplitude) = (Double(Float(0.54)), Double(Float(0.46)))
      return sinc(distance) * (mean + amplitude * ElementaryFunctions.cosine(distance * .pi))
    case .bicubic:
      if distance < 1 { return (1.5 * distance - 2.5) * distance * distance + 1 }
      return distance < 2 ? (((distance - 5) * distance + 8) * distance - 4) * -0.5 : 0
    case .mitchell:
      if distance < 1 { return ((7 * distance - 12) * distance * distance + 16 / 3) / 6 }
      return distance < 2 ? (((12 - 7 / 3 * distance) * distance - 20) * distance + 32 / 3) / 6 : 0
    case .lanczos3: return offset >= -3 && offset < 3 ? sinc(distance) * sinc(distance / 3) : 0
    }
  }

  private func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : ElementaryFunctions.sine(x * .pi) / (x * .pi)
  }
}

/// The representation of colour in which pixels are averaged.
public enum ResamplingLight: String, Hashable, Sendable, Codable, CaseIterable {
  /// The samples as stored, as in most software.
  case encoded
  /// Linear light: colour samples are decoded and encoded again by sRGB's transfer function. The samples of CMYK are
  /// amounts of ink and are averaged as stored.
  case linear
}
