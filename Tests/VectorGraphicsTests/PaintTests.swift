import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct PaintTests {
  private let bounds = PixelRect(minX: -3, minY: 2, maxX: 37, maxY: 32)
  private let ramp: [GradientRamp.Stop] = [
    .init(offset: 0.1, color: Color(red: 1, green: 0, blue: 0)),
    .init(offset: 0.4, color: Color(red: 0, green: 0.5, blue: 1, alpha: 0.25)),
    .init(offset: 0.4, color: Color(red: 0, green: 1, blue: 0.3, alpha: 0.8)),
    .init(offset: 0.9, color: Color(red: 1, green: 1, blue: 0)),
  ]

  /// Straight colours interpolated, then premultiplied; nothing clever.
  private func color(_ stops: [GradientRamp.Stop], _ spread: GradientRamp.Spread, _ parameter: Double) -> [Double] {
    var t = parameter
    switch spread {
    case .pad: t = min(max(t, 0), 1)
    case .repeat: t -= t.rounded(.down)
    case .reflect:
      t = t.magnitude.truncatingRemainder(dividingBy: 2)
      if t > 1 { t = 2 - t }
    }
    var c = stops[0].color
    for (a, b) in zip(stops, stops.dropFirst()) where t >= a.offset {
      let f = b.offset > a.offset ? min(1, (t - a.offset) / (b.offset - a.offset)) : 1
      func mix(_ x: Double, _ y: Double) -> Double { x + (y - x) * f }
      c = Color(
        red: mix(a.color.red, b.color.red), green: mix(a.color.green, b.color.green),
        blue: mix(a.color.blue, b.color.blue), alpha: mix(a.color.alpha, b.color.alpha))
    }
    return [c.red * c.alpha, c.green * c.alpha, c.blue * c.alpha, c.alpha].map { $0 * 255 }
  }

  private func check(_ paint: Paint, _ transform: AffineTransform, _ expected: (Point) -> [Double]?) throws {
    var canvas = try Canvas(bounds: bounds)
    try canvas.paint(paint, transform: transform)
    let inverse = try #require(transform.inverted)
    for y in bounds.minY..<bounds.maxY {
      for x in bounds.minX..<bounds.maxX {
        let place = inverse.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        // On the border between two texels rounding decides.
        if abs(place.x - place.x.rounded()) < 1e-9 || abs(place.y - place.y.rounded()) < 1e-9 { continue }
        let exact = expected(place) ?? [0, 0, 0, 0]
        let word = canvas.layer[x, y]
        for sample in 0..<4 {
          let value = Double((word >> UInt32(sample * 8)) & 255)
          #expect(abs(value - exact[sample]) <= 1.01, "(\(x), \(y)) sample \(sample): \(value), not \(exact[sample])")
        }
      }
    }
  }

  @Test(arguments: [GradientRamp.Spread.pad, .repeat, .reflect], [true, false])
  func linearGradientsFollowTheFormula(spread: GradientRamp.Spread, hasHardEdge: Bool) throws {
    let stops = hasHardEdge ? ramp : [ramp[0], ramp[1], ramp[3]]
    let start = Point(x: 5.3, y: 4.1)
    let end = Point(x: 17.2, y: 11.9)
    let transform = AffineTransform(1.1, 0.2, -0.3, 0.9, 2.2, 1.7)
    let gradient = LinearGradient(GradientRamp(stops, spread: spread), start: start, end: end)
    try check(.linearGradient(gradient), transform) { place in
      let axis = end - start
      return color(stops, spread, (place - start).dot(axis) / axis.dot(axis))
    }
  }

  @Test(arguments: [GradientRamp.Spread.pad, .repeat, .reflect])
  func radialGradientsFollowTheFormula(spread: GradientRamp.Spread) throws {
    let center = Point(x: 16.1, y: 15.7)
    let stops = [ramp[0], ramp[1], ramp[3]]
    let transform = AffineTransform(0.9, 0.1, 0.2, 1.2, -1, 0.5)
    for (focus, focusRadius) in [
      (center, 0.0), (center, 3), (Point(x: 12, y: 14), 0), (Point(x: 19, y: 11), 2), (Point(x: 40, y: 16), 1),
    ] {
      let gradient = RadialGradient(
        GradientRamp(stops, spread: spread), center: center, radius: 11, focus: focus, focusRadius: focusRadius)
      try check(.radialGradient(gradient), transform) { place in
        // The largest t whose circle passes through the place, found from the quadratic's two roots.
        let d = center - focus
        let dr = 11 - focusRadius
        let p = place - focus
        let a = d.dot(d) - dr * dr
        let b = p.dot(d) + focusRadius * dr
        let c = p.dot(p) - focusRadius * focusRadius
        let root = (b * b - a * c).squareRoot()
        let t = [(b + root) / a, (b - root) / a].filter { focusRadius + $0 * dr >= 0 }.max()
        return t.map { color(stops, spread, $0) }
      }
    }
  }

  @Test func degenerateGradientsAreTheLastColour() throws {
    let last = ramp[3].color.premultiplied
    let same = Point(x: 3, y: 3)
    var canvas = try Canvas(bounds: bounds)
    try canvas.paint(.linearGradient(LinearGradient(GradientRamp(ramp), start: same, end: same)))
    #expect(canvas.layer[5, 5] == last)
    canvas = try Canvas(bounds: bounds)
    try canvas.paint(.radialGradient(RadialGradient(GradientRamp(ramp), center: same, radius: 0)))
    #expect(canvas.layer[5, 5] == last)
    canvas = try Canvas(bounds: bounds)
    try canvas.paint(.radialGradient(RadialGradient(GradientRamp([]), center: same, radius: 5)))
    #expect(canvas.layer[5, 5] == 0)
  }

  private var checkers: Layer {
    get throws {
      var random = TestRandom(2)
      var layer = Layer(bounds: PixelRect(minX: 10, minY: 20, maxX: 17, maxY: 25))
      for index in layer.pixels.indices where index % 4 == 3 {
        layer.pixels[index] = UInt8.random(in: 0...255, using: &random)
        for sample in index - 3..<index {
          layer.pixels[sample] = UInt8.random(in: 0...layer.pixels[index], using: &random)
        }
      }
      return layer
    }
  }

  @Test(arguments: [ImagePaint.Extend.transparent, .pad, .repeat], [ImagePaint.Sampling.nearest, .bilinear])
  func imagesAreSampledAsTheFormulaSays(extend: ImagePaint.Extend, sampling: ImagePaint.Sampling) throws {
    let layer = try checkers
    let transform = AffineTransform(2.3, 0.4, -0.5, 1.9, -13.2, -30.4)
    func texel(_ x: Int, _ y: Int) -> [Double] {
      var (x, y) = (x, y)
      switch extend {
      case .transparent: break
      case .pad: (x, y) = (min(max(x, 10), 16), min(max(y, 20), 24))
      case .repeat: (x, y) = (10 + ((x - 10) % 7 + 7) % 7, 20 + ((y - 20) % 5 + 5) % 5)
      }
      let word = layer[x, y]
      return (0..<4).map { Double((word >> UInt32($0 * 8)) & 255) }
    }
    try check(.image(ImagePaint(layer, transform: .identity, sampling: sampling, extend: extend)), transform) { place in
      if sampling == .nearest { return texel(Int(place.x.rounded(.down)), Int(place.y.rounded(.down))) }
      let (u, v) = (place.x - 0.5, place.y - 0.5)
      let (x, y) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
      // Weights are of 8 bits.
      let (fx, fy) = (((u - Double(x)) * 256).rounded() / 256, ((v - Double(y)) * 256).rounded() / 256)
      return (0..<4).map { sample in
        let top = texel(x, y)[sample] * (1 - fx) + texel(x + 1, y)[sample] * fx
        let low = texel(x, y + 1)[sample] * (1 - fx) + texel(x + 1, y + 1)[sample] * fx
        return top * (1 - fy) + low * fy
      }
    }
  }

  @Test func flatImagesStayFlatHoweverTheyAreSampled() throws {
    var layer = Layer(bounds: PixelRect(minX: 0, minY: 0, maxX: 90, maxY: 70))
    for index in stride(from: 0, to: layer.pixels.count, by: 4) {
      (layer.pixels[index], layer.pixels[index + 1], layer.pixels[index + 3]) = (50, 100, 200)
    }
    for sampling in [ImagePaint.Sampling.nearest, .bilinear, .bicubic] {
      for scale in [0.1, 0.31, 1, 3.7] {
        var canvas = try Canvas(bounds: bounds)
        let paint = ImagePaint(
          layer, transform: .rotation(0.3) * .scale(x: scale, y: scale), sampling: sampling, extend: .pad)
        try canvas.paint(.image(paint))
        for x in 0..<30 { #expect(canvas.layer[x, 10] == 0xC800_6432) }
      }
    }
  }
}
