// The colour primaries of ITU-T H.273 by their code points.

extension Chromaticities {
  /// Creates the white point and the primaries of a `ColourPrimaries` code point (H.273, table 2); `nil` if it is
  /// reserved. Unspecified primaries are those of sRGB.
  package init?(colorPrimaries codePoint: UInt8) {
    let d65 = (0.3127, 0.3290)
    let c = (0.310, 0.316)
    let third = 1.0 / 3
    switch codePoint {
    case 1, 2: self.init((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), white: d65)
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: c)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white: d65)
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), white: d65)
    case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: c)
    case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white: d65)
    case 10: self.init((1, 0), (0, 1), (0, 0), white: (third, third))
    case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
    case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: d65)
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), white: d65)
    default: return nil
    }
  }

  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double), white: (Double, Double)
  ) {
    func point(_ pair: (Double, Double)) -> Point { Point(x: pair.0, y: pair.1) }
    self.init(white: point(white), red: point(red), green: point(green), blue: point(blue))
  }
}
