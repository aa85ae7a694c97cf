// Colour glyphs on bitmaps: every composite mode, against the published formulas.

import ImageCore
import TestSupport
import Testing
import TextDrawing
import TextShaping

@Suite struct ColorTextTests {
  private func draw(_ paint: GlyphPaintRecord, clip: Int? = nil) throws -> Bitmap {
    var font = RectangleFont(glyphs: [
      .init(character: "a", advance: 1000, box: (0, -200, 1000, 800)),
      .init(character: "b", advance: 1000, box: (0, -200, 500, 800)),
      .init(character: "c", advance: 1000, box: (0, -200, 1000, 300)),
    ])
    font.extraTables = [
      ("COLR", ColorGlyphTables.paints([(1, paint)])),
      ("CPAL", ColorGlyphTables.palettes([[[200, 90, 30, 255], [40, 160, 220, 255]]])),
    ]
    var bitmap = try Bitmap(width: 20, height: 20, format: .rgba8)
    try bitmap.draw(
      "a", style: TextStyle(families: ["Boxes"], size: 20), in: TextFrame(width: 20, height: 20),
      fonts: FontProvider(data: [font.bytes]))
    return bitmap
  }

  private func samples(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Double] {
    let color = bitmap[x, y]
    let alpha = Double(color.alpha) / 255
    return [color.red, color.green, color.blue].map { Double($0) / 255 * alpha } + [alpha]
  }

  @Test(arguments: ColorGlyphTables.modes.indices) func layersAreComposited(_ mode: Int) throws {
    let bitmap = try draw(
      .composite(
        source: .glyph(2, .solid(entry: 0, alpha: 0.75)), mode: mode,
        backdrop: .glyph(3, .solid(entry: 1, alpha: 0.5))))
    func layer(_ color: [Double], _ alpha: Double) -> [Double] {
      (color.map { $0 / 255 * alpha } + [alpha]).map { ($0 * 255).rounded() / 255 }
    }
    for (x, y) in [(4, 4), (14, 4), (4, 14), (14, 14)] {
      let s = x < 10 ? layer([200, 90, 30], 0.75) : [0, 0, 0, 0]
      let b = y >= 10 ? layer([40, 160, 220], 0.5) : [0, 0, 0, 0]
      let exact = CompositingFormulas.combine(ColorGlyphTables.modes[mode], s, b)
      for (sample, expected) in zip(samples(bitmap, x, y), exact) {
        #expect(abs(sample - expected) * 255 < 2.1, "\(ColorGlyphTables.modes[mode]) at \(x), \(y)")
      }
    }
  }

  /// A letter of 40 × 40 pixels, its stroke 3.2 % of the size wider; slanted by a quarter of its height.
  @Test func boldAndItalicLettersAreSynthesised() throws {
    let font = RectangleFont(glyphs: [.init(character: "a", advance: 1000, box: (200, 0, 600, 400))])
    func edges(_ style: TextStyle, row: Int) throws -> (Double, Double) {
      var bitmap = try Bitmap(width: 100, height: 100, format: .rgba8)
      try bitmap.draw(
        "a", style: style, in: TextFrame(width: 100, height: 100), fonts: FontProvider(data: [font.bytes]))
      let row = (0..<100).map { Double(bitmap[$0, row].alpha) / 255 }
      let first = try #require(row.firstIndex { $0 > 0 }), last = try #require(row.lastIndex { $0 > 0 })
      return (Double(first + 1) - row[first], Double(last) + row[last])
    }
    let plain = TextStyle(families: ["Boxes"], size: 100)
    var bold = plain, italic = plain
    bold.weight = 700
    italic.isItalic = true
    #expect(try edges(plain, row: 60) == (20, 60))
    let wide = try edges(bold, row: 60)
    #expect(abs(wide.0 - (20 - 100 / 64.0)) < 0.01 && abs(wide.1 - (60 + 100 / 64.0)) < 0.01)
    // The middle of the row is 19.5 pixels above the baseline.
    let slanted = try edges(italic, row: 60)
    #expect(abs(slanted.0 - 20 - 19.5 / 4) < 0.3 && abs(slanted.1 - 60 - 19.5 / 4) < 0.3)
  }

  /// The clip around a composition applies to its result, and what has no shape fills it.
  @Test func compositionsAreClipped() throws {
    let bitmap = try draw(
      .glyph(
        2,
        .composite(
          source: .glyph(3, .solid(entry: 0, alpha: 1)), mode: 8, backdrop: .solid(entry: 1, alpha: 1))))
    #expect(bitmap[4, 4] == RGBA8(red: 40, green: 160, blue: 220, alpha: 255))
    #expect(bitmap[4, 14].alpha == 0 && bitmap[14, 4].alpha == 0 && bitmap[14, 14].alpha == 0)
  }
}
