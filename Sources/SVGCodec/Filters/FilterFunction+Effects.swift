// The filters that functions are short for (Filter Effects 1, section 6).

internal import CSSStyles
internal import VectorGraphics

extension FilterFunction {
  /// Returns the filter that a function is equivalent to, which uses sRGB and has no region.
  func resource(_ lengths: LengthContext, color: Color) -> RenderTree.FilterResource {
    func pixels(_ length: Length) -> Double { lengths.resolve(length, .other) }
    var overflow = FilterOverflow()
    switch self {
    case .blur(let length): overflow = FilterOverflow(deviation: pixels(length))
    case .dropShadow(let x, let y, let blur, _):
      overflow = FilterOverflow(moveX: pixels(x), moveY: pixels(y), deviation: pixels(blur))
    default: break
    }
    let primitive = FilterPrimitive(
      effect: effect(lengths, color: color), subregion: FilterSubregion(), usesLinearLight: false)
    return RenderTree.FilterResource(
      rect: nil, units: .userSpace, primitiveUnits: .userSpace, isOptional: true, overflow: overflow,
      primitives: [primitive])
  }

  /// Returns the primitive that a function is short for (section 6). A reference has none and has no effect.
  private func effect(_ lengths: LengthContext, color current: Color) -> any FilterEffect {
    func pixels(_ length: Length) -> Double { lengths.resolve(length, .other) }
    switch self {
    case .reference: return ColorMatrixEffect(matrix: .identity)
    case .blur(let length): return GaussianBlurEffect(deviation: pixels(length))
    case .dropShadow(let x, let y, let blur, let color):
      return DropShadowEffect(x: pixels(x), y: pixels(y), deviation: pixels(blur), color: color.resolved(current))
    case .brightness(let amount):
      return ComponentTransferEffect(colors: .linear(slope: amount, intercept: 0))
    case .contrast(let amount):
      return ComponentTransferEffect(colors: .linear(slope: amount, intercept: 0.5 - 0.5 * amount))
    case .grayscale(let amount): return ColorMatrixEffect(matrix: Self.grayscale(1 - amount))
    case .hueRotate(let degrees): return ColorMatrixEffect(matrix: .hueRotation(degrees))
    case .invert(let amount): return ComponentTransferEffect(colors: .table([amount, 1 - amount]))
    case .opacity(let amount): return ComponentTransferEffect(alpha: .table([0, amount]))
    case .saturate(let amount): return ColorMatrixEffect(matrix: .saturation(amount))
    case .sepia(let amount): return ColorMatrixEffect(matrix: Self.sepia(1 - amount))
    }
  }

  private static func grayscale(_ rest: Double) -> ColorMatrix {
    mixed([0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722], rest)
  }

  private static func sepia(_ rest: Double) -> ColorMatrix {
    mixed([0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131], rest)
  }

  /// Returns a colour matrix mixed with the identity.
  private static func mixed(_ colors: [Double], _ rest: Double) -> ColorMatrix {
    var coefficients = ColorMatrix.identity.coefficients
    for row in 0..<3 {
      for column in 0..<3 {
        coefficients[row * 5 + column] = colors[row * 3 + column] * (1 - rest) + (row == column ? rest : 0)
      }
    }
    return ColorMatrix(coefficients)
  }
}
