// The colour encoding in the terms of ImageCore.

internal import ImageCoding

extension ColorEncoding {
  /// The colour space of the decoded samples, without the ICC profile.
  package var colorSpace: ColorSpace {
    if hasICCProfile || model == .xyb || model == .unknown { return .unspecified }
    if let primariesCodePoint, case .codePoint(let transfer) = transfer {
      if primariesCodePoint == 1, transfer == 13 { return .sRGB }
      return .codePoints(
        CodingIndependentCodePoints(
          colorPrimaries: primariesCodePoint, transferFunction: transfer, matrixCoefficients: 0, isFullRange: true))
    }
    return .calibrated(gamma: encodingExponent, chromaticities: chromaticities)
  }

  /// The exponent of the transfer function, if it has one. That of sRGB is approximate.
  private var encodingExponent: Double? {
    switch transfer {
    case .gamma(let exponent): exponent
    case .codePoint(8): 1
    case .codePoint(13): 1 / 2.2
    case .codePoint(17): 1 / 2.6
    case .codePoint: nil
    }
  }

  private var chromaticities: Chromaticities? {
    guard let white else { return nil }
    let points = primaries.count == 3 ? primaries : Chromaticities.Point.jxlSRGB
    return Chromaticities(white: white, red: points[0], green: points[1], blue: points[2])
  }
}
