// Colour glyphs as Fixtures/generate.py describes them: paints, gradients, transforms, layers.

import FontTestSupport
import Fonts
import ImageCore
import Testing
import VectorGraphics

@Suite struct ColorTests {
  private let foreground = Color(red: 0.25, green: 0.5, blue: 0.75)

  private func painting(_ name: String, glyph: UInt16) throws -> GlyphPainting {
    let face = try SampleFonts.face(name)
    guard case .painting(let painting)? = try face.colorGlyph(of: GlyphID(glyph), foreground: foreground) else {
      throw CodecError(.malformed, "no painting")
    }
    return painting
  }

  private func outline(_ glyph: UInt16) throws -> Path {
    try #require(try SampleFonts.face("color.ttf").outline(of: GlyphID(glyph)))
  }

  private func expectClose(_ a: Path, _ b: Path) {
    #expect(a.verbs == b.verbs)
    for (p, q) in zip(a.points, b.points) { #expect((p - q).length < 1e-6) }
  }

  @Test func paintsLayersOfVersion0() throws {
    let painting = try painting("layers.ttf", glyph: 2)
    let face = try SampleFonts.face("layers.ttf")
    let paths = try [3, 4].map { try #require(try face.outline(of: GlyphID($0))) }
    #expect(
      painting.operations == [
        .fill(paths[0], .solid(Color(red: 1, green: 0, blue: 0))), .fill(paths[1], .solid(foreground)),
      ])
    #expect(try face.colorGlyph(of: GlyphID(3)) == nil)
  }

  @Test func paintsFillsAndGradients() throws {
    let painting = try painting("color.ttf", glyph: 2)
    #expect(painting.clipBox == Rect(Point(x: 0, y: -100), Point(x: 600, y: 800)))
    #expect(painting.operations.count == 3)
    guard case .fill(let first, .solid(let color)) = painting.operations[0],
      case .fill(let second, .linear(let linear)) = painting.operations[1],
      case .fill(let third, .radial(let radial)) = painting.operations[2]
    else {
      Issue.record("other operations than expected")
      return
    }
    let (b, o, v) = try (outline(3), outline(5), outline(4))
    #expect(first == b)
    #expect(color == Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    #expect(second == o)
    // The stops 0.25, 0.5 and 1 fill 0…1; the gradient starts at the first of them.
    #expect(linear.ramp.spread == .reflect)
    #expect(linear.ramp.stops.map(\.offset) == [0, 1.0 / 3, 1])
    #expect(linear.ramp.stops[1].color == foreground.withOpacity(0.5))
    #expect(abs(linear.ramp.stops[0].color.alpha - 128.0 / 255) < 1e-9)
    // Lines of one colour run along (-50, 300): from (400, 100) to the point of that line that is nearest to the
    // origin.
    let target = Point(x: 405.405_405, y: 67.567_568)
    #expect((linear.end - target).length < 1e-3)
    #expect((linear.start - target * 0.25).length < 1e-3)
    expectClose(third, v.transformed(by: .translation(x: 30, y: -40)))
    #expect(radial.transform == .translation(x: 30, y: -40))
    #expect(radial.center == Point(x: 100, y: 120))
    #expect(radial.radius == 300)
    #expect(radial.focus == Point(x: 32.5, y: 45))
    #expect(radial.focusRadius == 97.5)
  }

  @Test func composesLayers() throws {
    let operations = try painting("color.ttf", glyph: 4).operations
    guard operations.count == 10, case .pushClip(let box) = operations[1],
      case .fill(_, .sweep(let sweep)) = operations[7]
    else {
      Issue.record("other operations than expected")
      return
    }
    #expect(operations[0] == .pushLayer(.sourceOver))
    #expect(box == Path(Rect(Point(x: 0, y: -100), Point(x: 600, y: 800))))
    #expect(operations[5] == .popClip)
    #expect(operations[6] == .pushLayer(.multiply))
    #expect(operations[8] == .popLayer)
    #expect(operations[9] == .popLayer)
    // From 90° to 270°, of which the stops use the part after the first quarter.
    #expect(abs(sweep.startAngle - (.pi / 2 + .pi / 4)) < 1e-3)
    #expect(abs(sweep.endAngle - 1.5 * .pi) < 1e-3)
  }

  @Test func transformsShapes() throws {
    let operations = try painting("color.ttf", glyph: 3).operations
    guard operations.count == 1, case .fill(let path, _) = operations[0] else {
      Issue.record("other operations than expected")
      return
    }
    let expected = try outline(7).points.map { point in
      let scaled = Point(x: 10 + (point.x - 10) * 0.5, y: 20 + (point.y - 20) * 1.5)
      let skewed = Point(x: scaled.x - scaled.y, y: scaled.y)
      return Point(x: 100 - (skewed.y - 50), y: 50 + (skewed.x - 100))
    }
    for (a, b) in zip(path.points, expected) { #expect((a - b).length < 1e-6) }
  }
}
