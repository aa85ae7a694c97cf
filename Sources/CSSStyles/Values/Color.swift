// Colour values before the resolution of currentColor and of the colour scheme.

package import VectorGraphics

extension Color {
  /// Creates a colour from 0xRRGGBB.
  init(hexadecimal value: UInt32) {
    self.init(
      red8: UInt8(truncatingIfNeeded: value >> 16), green8: UInt8(truncatingIfNeeded: value >> 8),
      blue8: UInt8(truncatingIfNeeded: value))
  }
}

/// A colour, the keyword for the value of the `color` property, or a function of other colours.
package enum ColorValue: Hashable, Sendable {
  case color(Color)
  case current
  /// `light-dark()`.
  indirect case scheme(light: ColorValue, dark: ColorValue)
  indirect case mix(ColorMix, ColorValue, ColorValue)
  /// A relative colour.
  indirect case relative(to: ColorValue, ColorFunction)

  /// Returns the colour. The nesting depth of functions is limited by the parser.
  package func resolved(_ current: Color, isDark: Bool = false) -> Color {
    switch self {
    case .color(let color): color
    case .current: current
    case .scheme(let light, let dark): (isDark ? dark : light).resolved(current, isDark: isDark)
    case .mix(let mix, let first, let second):
      mix.result(first.resolved(current, isDark: isDark), second.resolved(current, isDark: isDark))
    case .relative(let origin, let function): function.color(relativeTo: origin.resolved(current, isDark: isDark))
    }
  }

  /// The colour if it does not depend on the element; otherwise the same value.
  var simplified: ColorValue {
    switch self {
    case .mix(_, .color, .color), .relative(to: .color, _): .color(resolved(.black))
    default: self
    }
  }
}

/// The parameters of `color-mix()`.
package struct ColorMix: Hashable, Sendable {
  enum HuePath: Hashable, Sendable {
    case shorter
    case longer
    case increasing
    case decreasing
  }

  var space: ColorSpaceName
  var path: HuePath
  /// The share of the first colour, 0…1.
  var firstShare: Double
  /// The factor of the alpha of the result, 0…1.
  var alphaFactor: Double

  /// Returns the mixture (CSS Color 5, section 3).
  package func result(_ first: Color, _ second: Color) -> Color {
    let a = space.channels(of: first)
    let b = space.channels(of: second)
    let t = 1 - firstShare
    let alpha = first.alpha * firstShare + second.alpha * t
    guard alpha > 0 else { return .transparent }
    func mixed(_ x: Double, _ y: Double) -> Double {
      (x * first.alpha * firstShare + y * second.alpha * t) / alpha
    }
    var result = [mixed(a[0], b[0]), mixed(a[1], b[1]), mixed(a[2], b[2])]
    if let index = space.hueIndex {
      // The hue of a grey is that of the other colour.
      let start = space.isGray(a) ? b[index] : a[index]
      let end = space.isGray(b) ? start : b[index]
      result[index] = hue(start, end, t)
    }
    return space.color(result, alpha: min(max(alpha * alphaFactor, 0), 1))
  }

  private func hue(_ start: Double, _ end: Double, _ t: Double) -> Double {
    var difference = (end - start).truncatingRemainder(dividingBy: 360)
    switch path {
    case .shorter:
      if difference > 180 { difference -= 360 }
      if difference < -180 { difference += 360 }
    case .longer:
      if difference > 0, difference < 180 { difference -= 360 }
      if difference > -180, difference <= 0 { difference += 360 }
    case .increasing: if difference < 0 { difference += 360 }
    case .decreasing: if difference > 0 { difference -= 360 }
    }
    return start + t * difference
  }
}

extension ColorMix {
  /// Creates a mixture in which the missing share of a colour is the rest; `nil` if nothing is left of both (CSS Color 5,
  /// section 3.1).
  init?(space: ColorSpaceName, path: HuePath, shares: (first: Double?, second: Double?)) {
    let first = shares.first ?? shares.second.map { 1 - $0 } ?? 0.5
    let second = shares.second ?? 1 - first
    guard first + second > 0 else { return nil }
    self.space = space
    self.path = path
    firstShare = first / (first + second)
    alphaFactor = min(first + second, 1)
  }
}

/// A colour function with its arguments, which may refer to the channels of an origin colour.
package struct ColorFunction: Hashable, Sendable {
  /// An argument: a number, a percentage or an angle, or a calculation.
  struct Argument: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case number
      case percentage
      case angle
    }

    var value = 0.0
    var kind = Kind.number
    var calculation: Calculation?

    /// Returns the number, with percentages relative to `whole`.
    func number(percentOf whole: Double, channels: [Double]) -> Double {
      if let calculation {
        return calculation.evaluate(
          unit: { value, unit in unit == .percent ? value / 100 * whole : value }, channels: channels)
      }
      return kind == .percentage ? value / 100 * whole : value
    }
  }

  var space: ColorSpaceName
  /// The three channels.
  var arguments: [Argument]
  var alpha: Argument?

  /// Returns the colour of a function without an origin.
  var color: Color { color(channels: [], alpha: 1) }

  /// Returns the colour of a function whose arguments refer to an origin.
  func color(relativeTo origin: Color) -> Color {
    var channels = space.channels(of: origin)
    if space == .rgb { channels = channels.map { $0 * 255 } }
    return color(channels: channels + [origin.alpha], alpha: origin.alpha)
  }

  private func color(channels: [Double], alpha initial: Double) -> Color {
    let wholes = space.percentBases
    var values = zip(arguments, wholes).map { $0.number(percentOf: $1, channels: channels) }
    if space == .rgb {
      // Browsers and resvg round to 8-bit values here.
      values = values.map { min(max($0.rounded(), 0), 255) / 255 }
    }
    let opacity = alpha.map { min(max($0.number(percentOf: 1, channels: channels), 0), 1) } ?? initial
    return space.color(values, alpha: opacity)
  }
}
