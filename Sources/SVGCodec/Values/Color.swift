// Colour values before the resolution of currentColor.

internal import VectorGraphics

extension Color {
  /// Creates a colour from 0xRRGGBB.
  init(hexadecimal value: UInt32) {
    self.init(
      red8: UInt8(truncatingIfNeeded: value >> 16), green8: UInt8(truncatingIfNeeded: value >> 8),
      blue8: UInt8(truncatingIfNeeded: value))
  }
}

/// A colour or the keyword for the value of the `color` property.
enum ColorValue: Hashable, Sendable {
  case color(Color)
  case current

  func resolved(_ current: Color) -> Color {
    switch self {
    case .color(let color): color
    case .current: current
    }
  }
}
