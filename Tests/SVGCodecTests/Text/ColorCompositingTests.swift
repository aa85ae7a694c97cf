// Layers and sweep gradients of colour glyphs, pixel by pixel against the published formulas.

import Foundation
import SVGCodec
import TestSupport
import Testing

@Suite struct ColorCompositingTests {
  /// `a` is in colours; the others are the left half, the bottom half and the whole of the em square.
  private func font(_ paint: GlyphPaintRecord, _ colors: [[UInt8]]) -> RectangleFont {
    var font = RectangleFont(glyphs: [
      .init(character: "a", advance: 1000, box: (0, 0, 1000, 1000)),
      .init(character: "b", advance: 1000, box: (0, 0, 500, 1000)),
      .init(character: "c", advance: 1000, box: (0, 0, 1000, 500)),
    ])
    font.extraTables = [
      ("COLR", ColorGlyphTables.paints([(1, paint)])), ("CPAL", ColorGlyphTables.palettes([colors])),
    ]
    return font
  }

  private func draw(_ font: RectangleFont, _ content: String = "a") throws -> Bitmap {
    try SVGCodecTests.draw("<text y='20' font-size='20'>\(content)</text>", options: options(fonts: font))
  }

  /// The premultiplied samples of a pixel.
  private func samples(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Double] {
    let color = bitmap[x, y]
    let alpha = Double(color.alpha) / 255
    return [color.red, color.green, color.blue].map { Double($0) / 255 * alpha } + [alpha]
  }

  @Test(arguments: ColorGlyphTables.modes.indices) func layersAreComposited(_ mode: Int) throws {
    var random = TestRandom(UInt64(mode))
    for _ in 0..<6 {
      func color() -> [UInt8] { (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [255] }
      let (source, backdrop) = (color(), color())
      func alpha() -> Double { Bool.random(using: &random) ? 1 : Double.random(in: 0.3...0.9, using: &random) }
      let alphas = [alpha(), alpha()]
      let paint = GlyphPaintRecord.composite(
        source: .glyph(2, .solid(entry: 0, alpha: alphas[0])), mode: mode,
        backdrop: .glyph(3, .solid(entry: 1, alpha: alphas[1])))
      let bitmap = try draw(font(paint, [source, backdrop]))
      // The samples of layers have eight bits.
      func layer(_ color: [UInt8], _ alpha: Double) -> [Double] {
        (color[..<3].map { Double($0) / 255 * alpha } + [alpha]).map { ($0 * 255).rounded() / 255 }
      }
      let transparent = [0.0, 0, 0, 0]
      for (x, y) in [(3, 3), (13, 3), (3, 13), (13, 13), (0, 10), (9, 9), (10, 19), (19, 0)] {
        let s = x < 10 ? layer(source, alphas[0]) : transparent
        let b = y >= 10 ? layer(backdrop, alphas[1]) : transparent
        let exact = CompositingFormulas.combine(ColorGlyphTables.modes[mode], s, b)
        for (sample, expected) in zip(samples(bitmap, x, y), exact) {
          #expect(abs(sample - expected) * 255 < 2.1, "\(ColorGlyphTables.modes[mode]) at \(x), \(y): \(s) on \(b)")
        }
      }
    }
  }

  /// As deep as a font's graph may be: the document is drawn, with a diagnostic.
  @Test func deepLayersAreDrawn() throws {
    var paint = GlyphPaintRecord.glyph(3, .solid(entry: 0, alpha: 1))
    for _ in 0..<50 {
      paint = .composite(source: paint, mode: 13, backdrop: .glyph(3, .solid(entry: 0, alpha: 1)))
    }
    let document = try SVGDocument(
      parsing: markup("<text y='20' font-size='20'>a</text>"), options: options(fonts: font(paint, [[90, 0, 0, 255]])))
    #expect(document.diagnostics.contains { $0.reason.contains("nested too deeply") })
    #expect(coveredBox(try document.render()) == [0, 10, 19, 19])
  }

  /// A layer removes nothing of the text before its glyph, nor beyond a clip around it.
  @Test func glyphsAreIsolated() throws {
    let clear = GlyphPaintRecord.composite(
      source: .glyph(2, .solid(entry: 0, alpha: 1)), mode: 0, backdrop: .glyph(3, .solid(entry: 0, alpha: 1)))
    let bitmap = try draw(font(clear, [[255, 0, 0, 255]]), "<tspan fill='#00f'>c</tspan><tspan x='0'>a</tspan>")
    #expect(pixel(bitmap, 5, 15) == "0000ffff" && pixel(bitmap, 15, 15) == "0000ffff")
    // The backdrop remains in a layer within the left half.
    let out = GlyphPaintRecord.glyph(
      2,
      .composite(
        source: .glyph(3, .solid(entry: 0, alpha: 1)), mode: 7, backdrop: .solid(entry: 0, alpha: 0.5)))
    let clipped = try draw(font(out, [[255, 0, 0, 255]]))
    #expect(coveredBox(clipped) == [0, 10, 9, 19])
    #expect(pixel(clipped, 5, 15) == "ff00007f" || pixel(clipped, 5, 15) == "ff000080")
  }

  @Test(
    arguments: [
      (0.0, 2.0, 0), (0.25, 1.75, 0), (0.5, 1, 1), (0.5, 1, 2), (1.5, 0.5, 0), (0.3, 0.55, 1), (0.7, 0.4, 2),
    ] as [(Double, Double, UInt8)])
  func sweepGradients(_ start: Double, _ end: Double, _ extend: UInt8) throws {
    let stops: [GlyphPaintRecord.Stop] = [.init(0, entry: 0), .init(0.25, entry: 1), .init(1, entry: 2)]
    let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 200, 40, 255], [10, 60, 255, 255]]
    let paint = GlyphPaintRecord.sweep(center: (480, 530), start: start, end: end, extend: extend, stops)
    let bitmap = try draw(font(.glyph(1, paint), colors))
    for y in 0..<20 {
      for x in 0..<20 {
        // Font units have y upwards.
        var angle = atan2(Double(20 - y) * 50 - 25 - 530, Double(x) * 50 + 25 - 480) / .pi
        if angle < 0 { angle += 2 }
        var place = (angle - start) / (end - start)
        switch extend {
        case 0: place = min(max(place, 0), 1)
        case 1: place -= place.rounded(.down)
        default:
          place -= 2 * (place / 2).rounded(.down)
          if place > 1 { place = 2 - place }
        }
        // Next to a hard edge, either side is right.
        if extend == 1, min(place, 1 - place) < 1e-3 { continue }
        let (first, second, part) = place < 0.25 ? (0, 1, place / 0.25) : (1, 2, (place - 0.25) / 0.75)
        let color = samples(bitmap, x, y)
        for channel in 0..<3 {
          let (a, b) = (Double(colors[first][channel]), Double(colors[second][channel]))
          #expect(abs(color[channel] * 255 - (a + (b - a) * part)) < 2, "\(x), \(y) at \(place)")
        }
      }
    }
  }
}
