// Properties that change glyphs, lengths and decorations of text, in fonts of rectangles: positions computed by hand.

import SVGCodec
import TestSupport
import Testing

@Suite struct TextPropertyTests {
  private func drawing(_ body: String, _ font: RectangleFont) throws -> Bitmap {
    let attributes = "viewBox='0 0 100 60' width='200' height='120' font-size='10'"
    return try SVGDocument(parsing: markup(body, attributes), options: options(fonts: font)).render()
  }

  private func starts(_ count: Int, _ isInk: (Int) -> Bool) -> [Int] {
    (0..<count).filter { isInk($0) && ($0 == 0 || !isInk($0 - 1)) }
  }

  private func columns(_ body: String, _ font: RectangleFont = .squares(" abcAB")) throws -> [Int] {
    let bitmap = try drawing(body, font)
    return starts(bitmap.width) { x in (0..<bitmap.height).contains { bitmap[x, $0].alpha > 127 } }
  }

  private func rows(_ body: String, _ font: RectangleFont = .squares(" abcAB")) throws -> [Int] {
    let bitmap = try drawing(body, font)
    return starts(bitmap.height) { y in (0..<bitmap.width).contains { bitmap[$0, y].alpha > 127 } }
  }

  // MARK: Glyphs

  @Test func textTransform() throws {
    // Characters that the font lacks are bars of one em.
    let capitals = RectangleFont.squares(" ABS")
    #expect(try columns("<text x='10' y='30' style='text-transform:uppercase'>ab</text>", capitals) == [21, 31])
    #expect(try columns("<text x='10' y='30'>ab</text>", capitals) == [20])
    #expect(try columns("<text x='10' y='30' style='text-transform:capitalize'>aB a</text>", capitals) == [21, 31, 46])
    // One character becomes two, of which the first has the position.
    let double = "<text x='10 40 70' y='30' style='text-transform:uppercase'>a\u{DF}b</text>"
    #expect(try columns(double, capitals) == [21, 81, 91, 141])
  }

  @Test func synthesisedVariants() throws {
    #expect(try columns("<text x='10' y='30' font-variant='small-caps'>aab</text>", .squares("AB")) == [21, 28, 35])
    let short = "<text x='10' y='30' style='font:small-caps 10px Boxes'>aa</text>"
    #expect(try columns(short, .squares("AB")) == [21, 28])
    #expect(try columns("<text x='10' y='30' style='font-variant-caps:all-small-caps'>aA</text>") == [21, 28])
    #expect(try columns("<text x='10' y='30' style='font-variant-caps:unicase'>aA</text>") == [21, 31])
    // Superscripts are 400 up, and of the size that the font states.
    #expect(try rows("<text x='10' y='30' style='font-variant-position:super'>a</text>").first ?? 99 < 52)
  }

  // MARK: Lengths

  @Test func spacing() throws {
    #expect(try columns("<text x='50' y='30' letter-spacing='50%'>ab</text>") == [101, 121])
    #expect(try columns("<text x='10' y='30' word-spacing='100%'>a b</text>") == [21, 56])
  }

  @Test func textAfterATextLength() throws {
    // The gap of ten units follows each letter of the element.
    #expect(
      try columns("<text x='10' y='30'>a<tspan textLength='20'>ab</tspan>c</text>") == [21, 31, 61, 91])
  }

  @Test func units() throws {
    let font = RectangleFont(
      glyphs: [
        RectangleFont.Glyph(character: "0", advance: 800, box: (0, 0, 1, 1)),
        RectangleFont.Glyph(character: "\u{6C34}", advance: 1500, box: (0, 0, 1, 1)),
      ])
    func width(_ length: String, _ style: String = "") throws -> Int {
      coveredBox(try drawing("<rect width='\(length)' height='9' style='\(style)'/>", font))[2] + 1
    }
    #expect(try width("2ch") == 32)
    #expect(try width("2ic") == 60)
    #expect(try width("2ex") == 20)
    #expect(try width("2lh") == 40)
    #expect(try width("2lh", "line-height:3") == 120)
    #expect(try width("2rlh", "font-size:30px") == 40)
    #expect(try width("1em", "font-size:2ch") == 32)
    #expect(try width("9", "stroke:#000;stroke-width:5ch;fill:none") == 58)
  }

  // MARK: Decoration

  private static let base = "text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px"

  private func line(_ style: String) -> String { "<text x='10' y='30' style='\(style)'>ab</text>" }

  @Test func lines() throws {
    #expect(try rows(line(Self.base)) == [52, 66])
    #expect(try rows(line("\(Self.base);text-decoration-style:double")) == [52, 66, 74])
    #expect(try rows(line("\(Self.base);text-underline-position:under")) == [52, 70])
    #expect(try rows(line("text-decoration:underline 2px;text-underline-offset:50%")) == [52, 70])
    // Dashes of four units with gaps of two; dots of two.
    #expect(try columns("<g fill='none'>\(line("\(Self.base) ;text-decoration-color:red"))</g>") == [20])
    let dashed = "text-decoration:underline dashed #f00 2px;text-underline-offset:3px;fill:none"
    #expect(try columns(line(dashed)).count == 2)
    let dotted = "text-decoration:underline dotted #f00 2px;text-underline-offset:3px;fill:none"
    #expect(try columns(line(dotted)).count == 3)
    let bitmap = try drawing(line(dashed), .squares("ab"))
    #expect(pixel(bitmap, 22, 67) == "ff0000ff")
  }

  @Test func wavyLines() throws {
    let style = "text-decoration:underline wavy 1px;text-underline-offset:5px;fill:#00f;stroke:none"
    let bitmap = try drawing("<text x='10' y='30' style='\(style)'>abab</text>", .squares("ab"))
    // The upper edge of the wave is that of a solid line, and the middle 1.5 units and half of the thickness below it.
    let ink = (60..<100).filter { y in (0..<200).contains { bitmap[$0, y].alpha > 127 } }
    #expect(ink.first.map { abs($0 - 70) <= 1 } ?? false && ink.last.map { abs($0 - 77) <= 1 } ?? false)
  }

  @Test func wavyLinesAreBesideLettersOnTheBaseline() throws {
    // A line one unit below the baseline, which the letters do not reach.
    func ink(_ style: String, _ rows: Range<Int>) throws -> [Int] {
      let bitmap = try drawing("<text x='10' y='30' style='\(style)'>aaaa</text>", .squares("a"))
      return starts(bitmap.width) { x in rows.contains { bitmap[x, $0].alpha > 127 } }
    }
    let style = "text-decoration:underline wavy 1px;text-underline-offset:1px"
    let wave = try ink(style, 61..<80)
    #expect(try wave.count == 1 && wave == ink("\(style);text-decoration-skip-ink:none", 61..<80), "\(wave)")
    // Waves above the text end where a solid line would: at the ascent, which is above the letters.
    let solid = try rows("<text x='10' y='30' style='text-decoration:overline 1px'>aaaa</text>", .squares("a"))
    let wavy = try rows("<text x='10' y='30' style='text-decoration:overline wavy 1px'>aaaa</text>", .squares("a"))
    #expect(solid.count == 2 && wavy.count == 2 && wavy[0] == solid[0] - 6, "\(solid) \(wavy)")
  }

  /// The lines of an element are painted as its text (SVG 2, section 11.12.1), wherever the text is.
  @Test(arguments: [
    "<g fill='#f00' text-decoration='underline'><text x='10' y='30' fill='#00f' font-size='40'>ab</text></g>",
    "<g fill='#f00' text-decoration='underline'><g fill='#0f0'><text x='10' y='30' font-size='40'>ab</text></g></g>",
    "<g fill='#f00'><text x='10' y='30' text-decoration='underline' font-size='40'><tspan fill='#00f'>ab</tspan></text></g>",
    "<g color='#f00' fill='currentColor' text-decoration='underline'><text x='10' y='30' fill='#00f' color='#0f0' font-size='40'>ab</text></g>",
    "<defs><text id='t' x='10' y='30' fill='#00f' font-size='40'>ab</text></defs><use href='#t' fill='#f00' text-decoration='underline'/>",
    "<g fill='none' stroke='#f00' stroke-width='9' text-decoration='underline'><text x='10' y='30' fill='#00f' stroke='none' font-size='40'>ab</text></g>",
  ])
  func linesHaveThePaintOfTheirElement(_ body: String) throws {
    #expect(pixel(try drawing(body, .squares("ab")), 60, 68) == "ff0000ff", "\(body)")
  }

  @Test func linesOfSeveralElements() throws {
    // The style is that of the element as well: the lower line of two is 2 thicknesses below.
    let body =
      "<g fill='#f00' style='\(Self.base);text-decoration-style:double'><text x='10' y='30' fill='#00f' text-decoration='line-through'>ab</text></g>"
    let bitmap = try drawing(body, .squares("ab"))
    #expect(pixel(bitmap, 30, 67) == "ff0000ff" && pixel(bitmap, 30, 75) == "ff0000ff")
    #expect((52..<60).contains { pixel(bitmap, 30, $0).hasPrefix("0000ff") })
  }

  @Test func renderingForSpeedMovesNothing() throws {
    let plain = try columns("<text x='10' y='30'>ab<tspan>ca</tspan>b</text>")
    #expect(try columns("<text x='10' y='30'>ab<tspan text-rendering='optimizeSpeed'>ca</tspan>b</text>") == plain)
    #expect(try columns("<text x='10' y='30' text-rendering='optimizeSpeed'>abcab</text>") == plain)
  }

  @Test func linesSkipInk() throws {
    let font = RectangleFont(
      glyphs: [
        RectangleFont.Glyph(character: "a", advance: 1000, box: (50, 0, 450, 400)),
        RectangleFont.Glyph(character: "g", advance: 1000, box: (300, -600, 700, 400)),
      ])
    func ink(_ style: String) throws -> [Int] {
      let text =
        "<text x='10' y='30' style='text-decoration:underline 1px;text-underline-offset:2px;\(style)'>aga</text>"
      let bitmap = try drawing(text, font)
      return starts(bitmap.width) { bitmap[$0, 65].alpha > 127 }
    }
    // The glyph is from 13 to 17, and the line is a thickness away from it.
    #expect(try ink("") == [20, 46, 56])
    #expect(try ink("text-decoration-skip-ink:none") == [20])
  }

  @Test func shadows() throws {
    #expect(try columns("<text x='10' y='30' style='text-shadow:20px 0 #f00'>a</text>") == [21, 61])
    let bitmap = try drawing("<text x='10' y='30' style='text-shadow:#f00 1px 0, 20px 0 lime'>a</text>", .squares("a"))
    #expect(pixel(bitmap, 24, 55) == "000000ff" && pixel(bitmap, 30, 55) == "ff0000ff")
    #expect(pixel(bitmap, 64, 55) == "00ff00ff")
    let blurred = try drawing("<text x='10' y='30' style='text-shadow:20px 0 8px #f00'>a</text>", .squares("a"))
    #expect(1..<250 ~= Int(blurred[64, 55].alpha))
  }

  // MARK: Parts of text

  @Test func partsAreGroups() throws {
    let text = "<text x='10' y='30'>a<tspan opacity='.5'>b<tspan opacity='.5'>c</tspan></tspan>a</text>"
    let bitmap = try drawing(text, .squares("abc"))
    let alphas = [24, 34, 44, 54].map { Int(bitmap[$0, 55].alpha) }
    #expect(zip(alphas, [255, 128, 64, 255]).allSatisfy { abs($0 - $1) <= 1 }, "\(alphas)")
    let clip = "<clipPath id='c'><rect x='20' width='2' height='60'/></clipPath>"
    #expect(try columns("\(clip)<text x='10' y='30'>a<tspan clip-path='url(#c)'>abc</tspan></text>") == [21, 41])
    let filter = "<filter id='f' filterUnits='userSpaceOnUse' width='100' height='60'><feOffset dx='30'/></filter>"
    #expect(try columns("\(filter)<text x='10' y='30'>a<tspan filter='url(#f)'>b</tspan></text>") == [21, 91])
    // The mask refers to the box of the whole text, of which the left half is visible.
    let mask = "<mask id='m' maskContentUnits='objectBoundingBox'><rect width='.5' height='1' fill='#fff'/></mask>"
    #expect(try columns("\(mask)<text x='10' y='30'><tspan mask='url(#m)'>abca</tspan></text>") == [21, 31])
  }

  // MARK: Paths

  @Test func textPaths() throws {
    #expect(try columns("<text><textPath path='M20 30H90'>ab</textPath></text>") == [41, 51])
    let other = "<path id='p' d='M0 50H90' fill='none'/>"
    #expect(try columns("\(other)<text><textPath href='#p' path='M20 30H90'>ab</textPath></text>") == [41, 51])
    #expect(try columns("\(other)<text><textPath href='#p' path='bogus'>ab</textPath></text>") == [1, 11])
    // The next text is at the end of the path.
    #expect(
      try columns("<text>\u{2060}<textPath path='M20 30H60'>a</textPath>b</text>", .squares("ab\u{2060}")) == [41, 121])
  }

  /// Text on a path that does not exist is as if it were not there.
  @Test(arguments: [
    "<textPath>cc</textPath>", "<textPath href='#no'>cc</textPath>", "<textPath path='M0 0'>cc</textPath>",
  ])
  func missingPaths(_ path: String) throws {
    for attributes in ["x='10'", "x='50' text-anchor='middle'", "x='90' text-anchor='end'"] {
      let expected = try columns("<text y='30' \(attributes)>abab</text>")
      #expect(try columns("<text y='30' \(attributes)>ab\(path)ab</text>") == expected)
    }
    #expect(try columns("<text x='10 15 99 99 60' y='30'>ab\(path)a</text>") == [21, 31, 121])
  }

  @Test func closedPaths() throws {
    func ink(_ path: String, _ attributes: String) throws -> Int {
      coveredCount(try drawing("<text><textPath path='\(path)' \(attributes)>ab</textPath></text>", .squares("ab")))
    }
    let closed = "M20 20H60V40H20Z"
    #expect(try ink("M20 20H60V40H20V20", "startOffset='115'") == 64)
    #expect(try ink(closed, "startOffset='115'") == 128)
    #expect(try ink(closed, "text-anchor='middle'") == 128)
    #expect(try ink(closed, "startOffset='120' text-anchor='end'") == 128)
  }
}
