// Colours of paints: straight sRGB samples as floating-point numbers.

/// A colour with straight alpha. Each sample is in 0…1.
package struct Color: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha: Double

  /// Creates a colour; by default it is opaque.
  package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Creates a colour from 8-bit samples.
  package init(red8: UInt8, green8: UInt8, blue8: UInt8, alpha: Double = 1) {
    self.init(
      red: Double(red8) / 255, green: Double(green8) / 255, blue: Double(blue8) / 255, alpha: alpha)
  }

  package static let black = Color(red: 0, green: 0, blue: 0)
  package static let white = Color(red: 1, green: 1, blue: 1)
  package static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// Returns the colour with its alpha multiplied by `opacity`.
  package func withOpacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha * opacity)
  }

  /// The premultiplied colour, rounded to 8-bit samples, red in the lowest byte.
  package var premultiplied: UInt32 {
    func sample(_ value: Double) -> UInt32 {
      // `max` comes first because it turns NaN into 0.
      UInt32(min(max(0, value), 1) * 255 + 0.5)
    }
    let a = min(max(0, alpha), 1)
    return sample(red * a) | sample(green * a) << 8 | sample(blue * a) << 16 | sample(a) << 24
  }
}
