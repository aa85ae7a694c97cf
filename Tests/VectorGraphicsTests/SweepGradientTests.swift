// Sweep gradients against the definition, evaluated at each pixel centre.

import ImageCore
import Testing
import VectorGraphics

@Suite struct SweepGradientTests {
  private static let stops: [GradientRamp.Stop] = [
    .init(offset: 0, color: Color(red: 1, green: 0, blue: 0)),
    .init(offset: 0.4, color: Color(red: 0, green: 1, blue: 0)),
    .init(offset: 1, color: Color(red: 0, green: 0, blue: 1)),
  ]

  private func expected(_ x: Int, _ y: Int, _ gradient: SweepGradient) throws -> [Double] {
    let inverse = try #require(gradient.transform.inverted)
    let place = inverse.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) - gradient.center
    var angle = ElementaryFunctions.angle(x: place.x, y: place.y)
    if angle < 0 { angle += 2 * .pi }
    var parameter = (angle - gradient.startAngle) / (gradient.endAngle - gradient.startAngle)
    switch gradient.ramp.spread {
    case .pad: parameter = min(max(parameter, 0), 1)
    case .repeat: parameter -= parameter.rounded(.down)
    case .reflect: parameter = abs(parameter - 2 * (parameter / 2).rounded())
    }
    let index = parameter > 0.4 ? 1 : 0
    let (first, second) = (Self.stops[index], Self.stops[index + 1])
    let fraction = (parameter - first.offset) / (second.offset - first.offset)
    func mixed(_ a: Double, _ b: Double) -> Double { (a + (b - a) * fraction) * 255 }
    return [
      mixed(first.color.red, second.color.red), mixed(first.color.green, second.color.green),
      mixed(first.color.blue, second.color.blue),
    ]
  }

  @Test(arguments: [GradientRamp.Spread.pad, .repeat, .reflect], [0.0...6.2, 1.0...2.5, 0.5...4.0, -1.0...9.0])
  func followsTheDefinition(_ spread: GradientRamp.Spread, _ angles: ClosedRange<Double>) throws {
    for isReversed in [false, true] {
      let gradient = SweepGradient(
        ramp: GradientRamp(Self.stops, spread: spread), center: Point(x: 20, y: 13),
        startAngle: isReversed ? angles.upperBound : angles.lowerBound,
        endAngle: isReversed ? angles.lowerBound : angles.upperBound,
        transform: AffineTransform(1.5, 0.2, -0.3, 1.1, 3, 4))
      var canvas = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 64, maxY: 48))
      try canvas.paint(.sweepGradient(gradient))
      let layer = try canvas.popLayer()
      var worst = 0.0
      for y in 0..<48 {
        for x in 0..<64 {
          let word = layer[x, y]
          for (shift, value) in try expected(x, y, gradient).enumerated() {
            worst = max(worst, abs(Double(word >> UInt32(shift * 8) & 255) - value))
          }
        }
      }
      // Rounding, and a step of the colour table.
      #expect(worst <= 1)
    }
  }

  @Test func drawsOneEdgeBetweenEqualAngles() throws {
    var gradient = SweepGradient(
      ramp: GradientRamp(Self.stops), center: Point(x: 8, y: 8), startAngle: .pi, endAngle: .pi)
    var canvas = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 16, maxY: 16))
    try canvas.paint(.sweepGradient(gradient))
    #expect(canvas.layer[12, 12] == 0xFF00_00FF)
    #expect(canvas.layer[12, 4] == 0xFFFF_0000)
    gradient.ramp.spread = .repeat
    var empty = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 16, maxY: 16))
    try empty.paint(.sweepGradient(gradient))
    #expect(empty.layer[12, 12] == 0)
  }
}
