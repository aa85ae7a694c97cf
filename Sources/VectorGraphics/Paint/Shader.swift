// A paint prepared for drawing as rows of premultiplied pixels.

/// The source of the colours of a fill.
enum Shader: Sendable {
  case solid(UInt32)
  case linear(LinearShader)
  case radial(RadialShader)
  case sweep(SweepShader)
  case image(ImageShader)

  /// Returns `nil` if nothing would be drawn.
  init?(_ paint: Paint, transform: AffineTransform, opacity: Double) {
    let opacity = min(max(0, opacity), 1)
    guard opacity > 0 else { return nil }
    func solid(_ color: Color) -> Shader { .solid(color.withOpacity(opacity).premultiplied) }
    switch paint {
    case .color(let color):
      self = solid(color)
    case .linearGradient(let gradient):
      if gradient.ramp.stops.count == 1 || gradient.start == gradient.end {
        self = solid(gradient.ramp.stops[gradient.ramp.stops.count - 1].color)
      } else if let shader = LinearShader(gradient, transform: transform, opacity: opacity) {
        self = .linear(shader)
      } else {
        return nil
      }
    case .radialGradient(let gradient):
      if gradient.ramp.stops.count == 1 || !(gradient.radius > 0) {
        self = solid(gradient.ramp.stops[gradient.ramp.stops.count - 1].color)
      } else if let shader = RadialShader(gradient, transform: transform, opacity: opacity) {
        self = .radial(shader)
      } else {
        return nil
      }
    case .sweepGradient(let gradient):
      if gradient.ramp.stops.count == 1 {
        self = solid(gradient.ramp.stops[0].color)
      } else if let shader = SweepShader(gradient, transform: transform, opacity: opacity) {
        self = .sweep(shader)
      } else {
        return nil
      }
    case .image(let image):
      guard let shader = ImageShader(image, transform: transform, opacity: opacity) else { return nil }
      self = .image(shader)
    }
    if case .solid(let word) = self, PixelWord.alpha(word) == 0 { return nil }
  }

  /// The cost of a pixel, in units of about a nanosecond.
  var pixelCost: Int {
    switch self {
    case .solid: 1
    case .linear(let shader): 1 + shader.table.pixelCost
    case .radial(let shader): 6 + shader.table.pixelCost
    case .sweep(let shader): 30 + shader.table.pixelCost
    case .image(let shader): shader.pixelCost
    }
  }

  /// The cost of a row besides that of its pixels, in units of about a nanosecond.
  var rowCost: Int {
    switch self {
    case .solid: 10
    case .linear, .radial, .sweep: 180
    case .image: 260
    }
  }

  /// The cost of preparing the shader, in units of about a nanosecond.
  var preparationCost: Int {
    switch self {
    case .linear(let shader): shader.table.preparationCost
    case .radial(let shader): shader.table.preparationCost
    case .sweep(let shader): shader.table.preparationCost
    case .solid, .image: 0
    }
  }

  /// Writes the colours of consecutive pixels.
  func shade(x: Int, y: Int, into row: inout MutableSpan<UInt32>) {
    switch self {
    case .solid(let word): for index in row.indices { row[index] = word }
    case .linear(let shader): shader.shade(x: x, y: y, into: &row)
    case .radial(let shader): shader.shade(x: x, y: y, into: &row)
    case .sweep(let shader): shader.shade(x: x, y: y, into: &row)
    case .image(let shader): shader.shade(x: x, y: y, into: &row)
    }
  }
}
