// The formulas of W3C Compositing and Blending Level 1 (sections 9 and 10) in double precision, one pixel at a time.

/// Composites premultiplied pixels, each of four samples in 0…1.
package enum CompositingFormulas {
  package typealias Pixel = [Double]

  /// The fractions of source and backdrop that a Porter–Duff operator retains.
  ///
  /// - Parameters:
  ///   - name: the name in the specification, such as `destination-atop`.
  package static func fractions(_ name: String, source: Double, backdrop: Double) -> (Double, Double)? {
    switch name {
    case "clear": (0, 0)
    case "copy": (1, 0)
    case "destination": (0, 1)
    case "source-over": (1, 1 - source)
    case "destination-over": (1 - backdrop, 1)
    case "source-in": (backdrop, 0)
    case "destination-in": (0, source)
    case "source-out": (1 - backdrop, 0)
    case "destination-out": (0, 1 - source)
    case "source-atop": (backdrop, 1 - source)
    case "destination-atop": (1 - backdrop, source)
    case "xor": (1 - backdrop, 1 - source)
    case "lighter": (1, 1)
    default: nil
    }
  }

  /// Combines pixels by the operator of a name, or with the blend mode of that name.
  package static func combine(_ name: String, _ s: Pixel, _ b: Pixel) -> Pixel {
    if let (fs, fb) = fractions(name, source: s[3], backdrop: b[3]) {
      return (0..<4).map { min(1, s[$0] * fs + b[$0] * fb) }
    }
    let (sa, ba) = (s[3], b[3])
    let straightSource = s[..<3].map { sa > 0 ? $0 / sa : 0 }
    let straightBackdrop = b[..<3].map { ba > 0 ? $0 / ba : 0 }
    let mixture = mixed(name, straightBackdrop, straightSource)
    return (0..<3).map { sa * (1 - ba) * straightSource[$0] + sa * ba * mixture[$0] + (1 - sa) * b[$0] }
      + [sa + ba - sa * ba]
  }

  /// B(cb, cs) for one channel: section 10.1.
  private static func separable(_ mode: String, _ b: Double, _ s: Double) -> Double {
    switch mode {
    case "multiply": return b * s
    case "screen": return b + s - b * s
    case "overlay": return separable("hard-light", s, b)
    case "darken": return min(b, s)
    case "lighten": return max(b, s)
    case "color-dodge": return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
    case "color-burn": return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
    case "hard-light": return s <= 0.5 ? separable("multiply", b, 2 * s) : separable("screen", b, 2 * s - 1)
    case "soft-light":
      if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
      let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
      return b + (2 * s - 1) * (d - b)
    case "difference": return abs(b - s)
    case "exclusion": return b + s - 2 * b * s
    default: return s
    }
  }

  /// B(Cb, Cs) for straight colours: section 10.2 for the modes that are not separable.
  private static func mixed(_ mode: String, _ b: Pixel, _ s: Pixel) -> Pixel {
    switch mode {
    case "hue": setLum(setSat(s, sat(b)), lum(b))
    case "saturation": setLum(setSat(b, sat(s)), lum(b))
    case "color": setLum(s, lum(b))
    case "luminosity": setLum(b, lum(s))
    default: zip(b, s).map { separable(mode, $0, $1) }
    }
  }

  private static func lum(_ c: Pixel) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
  private static func sat(_ c: Pixel) -> Double { (c.max() ?? 0) - (c.min() ?? 0) }
  private static func setLum(_ c: Pixel, _ l: Double) -> Pixel {
    let color = c.map { $0 + l - lum(c) }
    let (l, n, x) = (lum(color), color.min() ?? 0, color.max() ?? 0)
    if n < 0 { return color.map { l + ($0 - l) * l / (l - n) } }
    if x > 1 { return color.map { l + ($0 - l) * (1 - l) / (x - l) } }
    return color
  }
  private static func setSat(_ c: Pixel, _ s: Double) -> Pixel {
    sat(c) == 0 ? [0, 0, 0] : c.map { ($0 - (c.min() ?? 0)) * s / sat(c) }
  }
}
