// The positions of letters in a font of squares: expected columns and rows are computed by hand from its advances.

import SVGCodec
import TestSupport
import Testing

@Suite struct TextLayoutTests {
  private static let fonts = options(fonts: .squares(" abcdefghij\u{5d0}\u{5d1}\u{5d2}"))

  /// Draws markup in 100 × 60 units at 10 units an em of ten pixels: a letter is 5 wide, its square 4 and from .5 on.
  /// The drawing is twice as large, so that edges fall on pixels: a square is 8 × 8 pixels, an advance 10.
  private func drawing(_ body: String) throws -> Bitmap {
    let attributes = "viewBox='0 0 100 60' width='200' height='120' font-size='10'"
    return try SVGDocument(parsing: markup(body, attributes), options: Self.fonts).render()
  }

  /// The left edges of the ink in pixels, one for each run of columns, given all ink.
  private func columns(_ body: String) throws -> [Int] {
    let bitmap = try drawing(body)
    var starts: [Int] = []
    var wasInk = false
    for x in 0..<bitmap.width {
      let isInk = (0..<bitmap.height).contains { bitmap[x, $0].alpha > 127 }
      if isInk, !wasInk { starts.append(x) }
      wasInk = isInk
    }
    return starts
  }

  private func box(_ body: String) throws -> [Int] {
    let bitmap = try drawing(body)
    var box = [Int.max, Int.max, Int.min, Int.min]
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width where bitmap[x, y].alpha > 127 {
        box = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
      }
    }
    return box
  }

  // MARK: Letters and white space

  @Test func letters() throws {
    #expect(try columns("<text x='10' y='30'>abc</text>") == [21, 31, 41])
    // The bottoms of squares are on the baseline: rows 52 to 59.
    #expect(try box("<text x='10' y='30'>abc</text>") == [21, 52, 48, 59])
    #expect(try columns("<text x='10' y='30' font-size='20'>ab</text>") == [22, 42])
  }

  @Test(arguments: [
    ("a b", [21, 36]), ("  a  \n b ", [21, 36]), ("a<tspan> b</tspan>", [21, 36]), ("a <tspan> b</tspan>", [21, 36]),
    (" <tspan> <tspan> a </tspan> </tspan> b ", [21, 36]), ("a<tspan> </tspan> b", [21, 36]),
    ("<tspan xml:space='preserve'>  a</tspan>", [31]), ("a<tspan xml:space='preserve'>  </tspan>b", [21, 41]),
    ("<tspan xml:space='preserve'> a\n</tspan>b", [26, 41]), ("a\t\tb", [21, 36]),
  ])
  func whiteSpace(_ content: String, _ expected: [Int]) throws {
    #expect(try columns("<text x='10' y='30'>\(content)</text>") == expected, "\(content)")
  }

  @Test func missingLetters() throws {
    // The bar of what is missing is an em wide.
    #expect(try columns("<text x='10' y='30'>aZb</text>") == [21, 30, 51])
  }

  // MARK: Positions

  @Test(arguments: [
    ("<text x='10 40 70' y='30'>abc</text>", [21, 81, 141]),
    ("<text x='10 40' y='30'>abc</text>", [21, 81, 91]),
    ("<text x='10' y='30' dx='0 5 5'>abc</text>", [21, 41, 61]),
    ("<text x='10' y='30'>a<tspan dx='5'>b</tspan>c</text>", [21, 41, 51]),
    ("<text x='10' y='30'>a<tspan x='40 50 60'>b</tspan>c</text>", [21, 81, 91]),
    ("<text x='10' y='30'>a<tspan x='40 70'><tspan x='50'>b</tspan>c</tspan></text>", [21, 101, 141]),
    ("<text x='10 20 30' y='30'>a<tspan>bc</tspan></text>", [21, 41, 61]),
    ("<text x='10%' y='30' dx='1em'>a</text>", [41]),
    ("<text x='10 40' y='30'><tspan display='none'>a</tspan>bc</text>", [21, 81]),
  ])
  func lists(_ body: String, _ expected: [Int]) throws {
    #expect(try columns(body) == expected, "\(body)")
  }

  @Test func rotation() throws {
    // A quarter turn about the origin of each letter: the square is to the right of it, .5 to 4.5 below.
    #expect(try box("<text x='10' y='30' rotate='90'>a</text>") == [20, 61, 27, 68])
    // A list with anything but numbers is ignored.
    for invalid in ["90deg", "90mm", "90 90px", "90%", "x", "90;90"] {
      #expect(try box("<text x='10' y='30' rotate='\(invalid)'>a</text>") == [21, 52, 28, 59])
    }
    #expect(try box("<text x='10 40' y='30' rotate='0 90'>abc</text>").prefix(2) == [21, 52])
    #expect(try columns("<text x='10 40 70' y='30' rotate='0 90'>abc</text>") == [21, 80, 140])
    #expect(try columns("<text x='10 40' y='30' rotate='90'>a<tspan rotate='0'>b</tspan></text>") == [20, 81])
  }

  // MARK: Anchors and lengths

  @Test(arguments: [
    ("text-anchor='start'", [101, 111]), ("text-anchor='middle'", [91, 101]), ("text-anchor='end'", [81, 91]),
    ("text-anchor='end' letter-spacing='5'", [71, 91]), ("letter-spacing='5'", [101, 121]),
    ("textLength='20'", [101, 131]), ("text-anchor='end' textLength='20'", [61, 91]),
    ("textLength='20' lengthAdjust='spacingAndGlyphs'", [102, 122]), ("direction='rtl'", [81, 91]),
    ("direction='rtl' text-anchor='end'", [101, 111]),
  ])
  func anchors(_ attributes: String, _ expected: [Int]) throws {
    #expect(try columns("<text x='50' y='30' \(attributes)>ab</text>") == expected, "\(attributes)")
  }

  @Test func anchorsOfChunks() throws {
    #expect(try columns("<text x='20 60' y='30' text-anchor='middle'>abc</text>") == [36, 111, 121])
    #expect(
      try columns("<text x='20' y='30'>a<tspan x='60' text-anchor='end'>b</tspan></text>") == [41, 111])
  }

  @Test func wordSpacing() throws {
    #expect(try columns("<text x='10' y='30' word-spacing='5'>a b</text>") == [21, 46])
  }

  // MARK: Baselines

  @Test(arguments: [
    ("dominant-baseline='hanging'", 12.8), ("dominant-baseline='middle'", 5), ("dominant-baseline='central'", 6),
    ("dominant-baseline='text-before-edge'", 16), ("dominant-baseline='text-after-edge'", -4),
    ("dominant-baseline='mathematical'", 8), ("dominant-baseline='alphabetic'", 0),
  ])
  func baselines(_ attributes: String, _ shift: Double) throws {
    let bottom = try box("<text x='10' y='30' \(attributes)>a</text>")[3]
    #expect(abs(Double(bottom) - 59 - shift) <= 0.6, "\(attributes)")
  }

  @Test(arguments: [
    ("baseline-shift='sub'", 4), ("baseline-shift='super'", -8), ("baseline-shift='5'", -10),
    ("baseline-shift='-50%'", 10), ("alignment-baseline='hanging'", 12.8),
  ])
  func shifts(_ attributes: String, _ shift: Double) throws {
    let bottom = try box("<text x='10' y='30'><tspan \(attributes)>a</tspan></text>")[3]
    #expect(abs(Double(bottom) - 59 - shift) <= 0.6, "\(attributes)")
    let nested = "<tspan baseline-shift='5'><tspan baseline-shift='-5'>a</tspan></tspan>"
    #expect(try box("<text x='10' y='30'>\(nested)</text>")[3] == 59)
  }

  // MARK: Decoration

  @Test func decoration() throws {
    // 40 units an em: the underline is from 3 to 5 below the baseline, as long as both advances.
    let line =
      "<text x='10' y='30' font-size='40' fill='none'><tspan fill='#0f0' text-decoration='underline'><tspan fill='none'>ab</tspan></tspan></text>"
    #expect(try box(line) == [20, 66, 99, 69])
    let bitmap = try drawing(
      "<text x='10' y='30' font-size='40' fill='#f00'><tspan fill='#0f0' text-decoration='line-through'><tspan fill='#00f'>ab</tspan></tspan></text>"
    )
    // At 12 above the baseline, over the letters, in the colour of who asked for it.
    #expect(pixel(bitmap, 34, 35) == "00ff00ff" && pixel(bitmap, 34, 38) == "0000ffff")
  }

  // MARK: Paths and vertical lines

  @Test func alongAPath() throws {
    let path = "<path id='p' d='M20 30H90' fill='none'/>"
    func run(_ attributes: String, _ content: String = "ab") throws -> [Int] {
      try columns("\(path)<text><textPath href='#p' \(attributes)>\(content)</textPath></text>")
    }
    #expect(try run("") == [41, 51])
    #expect(try run("startOffset='10'") == [61, 71])
    #expect(try run("startOffset='50%'") == [111, 121])
    #expect(try run("startOffset='100%' text-anchor='end'") == [161, 171])
    // Letters whose middle is beyond the end are left out.
    #expect(try run("startOffset='65'", "abc") == [171])
    #expect(try run("", "<tspan dx='5'>ab</tspan>") == [51, 61])
    // On the other side text runs back, upside down.
    #expect(try box("\(path)<text><textPath href='#p' side='right'>a</textPath></text>") == [171, 60, 178, 67])
    #expect(try columns("\(path)<text y='30'>ab<textPath href='#none'>ab</textPath></text>") == [1, 11])
  }

  @Test func downwards() throws {
    // Letters on their side: the middle of ascent and descent, 3 above the baseline, is on the line.
    #expect(try box("<text x='50' y='10' writing-mode='tb'>ab</text>") == [94, 21, 101, 38])
    #expect(
      try box("<text x='50' y='10' writing-mode='vertical-rl' text-anchor='middle'>ab</text>") == [94, 11, 101, 28])
  }

  // MARK: Directions

  @Test func rightToLeft() throws {
    // A wide letter tells the order: the Hebrew letters change places.
    let wide = "<tspan fill='#f00'>\u{5d0}</tspan>\u{5d1}"
    let bitmap = try drawing("<text x='10' y='30'>\(wide)</text>")
    #expect(pixel(bitmap, 34, 55) == "ff0000ff" && pixel(bitmap, 24, 55) == "000000ff")
    let override = try drawing(
      "<text x='10' y='30'><tspan unicode-bidi='bidi-override' direction='rtl'><tspan fill='#f00'>a</tspan>b</tspan></text>"
    )
    #expect(pixel(override, 34, 55) == "ff0000ff" && pixel(override, 24, 55) == "000000ff")
  }

  // MARK: Paint

  @Test func gradientsSpanTheText() throws {
    let gradient =
      "<linearGradient id='g'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient>"
    let bitmap = try drawing("\(gradient)<text x='0' y='30' font-size='20' fill='url(#g)'>a<tspan>b</tspan>cd</text>")
    // Four advances of 20 pixels: the box is 80 wide.
    for x in [4, 24, 44, 64] {
      let expected = (Double(x) + 0.5) / 80 * 255
      #expect(abs(Double(bitmap[x, 50].red) - expected) <= 2, "\(x)")
    }
  }

  @Test func textInClipsMasksAndUse() throws {
    let clip = "<clipPath id='c'><text x='10' y='30'>ab</text></clipPath>"
    #expect(try columns("\(clip)<rect width='100' height='60' clip-path='url(#c)'/>") == [21, 31])
    let mask =
      "<mask id='m' maskUnits='userSpaceOnUse' width='100' height='60'><text x='10' y='30' fill='#fff'>ab</text></mask>"
    #expect(try columns("\(mask)<rect width='100' height='60' mask='url(#m)'/>") == [21, 31])
    #expect(try columns("<text id='t' x='10' y='30'>a</text><use href='#t' x='20'/>") == [21, 61])
    #expect(try columns("<g transform='translate(5)'><text x='5' y='30'>a</text></g>") == [21])
  }

  @Test func hiddenText() throws {
    #expect(try columns("<text x='10' y='30'>a<tspan visibility='hidden'>b</tspan>c</text>") == [21, 41])
    #expect(try columns("<text x='10' y='30'>a<tspan display='none'>b</tspan>c</text>") == [21, 31])
    #expect(try columns("<text x='10' y='30'>a<desc>b</desc><tspan font-size='0'>b</tspan>c</text>") == [21, 31])
  }
}
