// Emphasis marks: where they are drawn, for which letters, and in which colour.

import ImageCoding
import SVGCodec
import TestSupport
import Testing

@Suite struct EmphasisTests {
  /// Letters are squares of 400 on the baseline, 500 wide; the ascent is 800, the descent 200. Marks are as wide, from
  /// 0 to 400, so that at half the size they are 200.
  private static let font: RectangleFont = {
    var font = RectangleFont.squares(" ab.#x\u{301}e\u{4E00}")
    for character in "\u{2022}\u{25E6}\u{25CF}\u{25CB}\u{FE45}*".unicodeScalars {
      let height = character == "\u{25E6}" || character == "\u{25CB}" ? 800 : 400
      font.glyphs.append(.init(character: character, advance: 400, box: (0, 0, 400, height)))
    }
    font.glyphs.sort { $0.character < $1.character }
    return font
  }()

  /// Draws text with a baseline at 60, size 50: letters from y = 40 to 60.
  private func draw(_ style: String, _ text: String, _ attributes: String = "") throws -> (Int, Int) -> String {
    let body = "<text x='0' y='60' font-size='50' style=\"\(style)\" \(attributes)>\(text)</text>"
    let drawing = try drawCanvas(body)
    return { pixel(drawing, $0, $1) }
  }

  private func drawCanvas(_ body: String) throws -> Bitmap {
    try SVGDocument(
      parsing: Array("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>\(body)</svg>".utf8),
      options: options(fonts: Self.font)
    ).render()
  }

  /// The columns of a row that are covered.
  private func columns(_ style: String, _ text: String, row: Int, _ attributes: String = "") throws -> [Int] {
    let color = try draw(style, text, attributes)
    return (0..<100).filter { color($0, row).suffix(2) == "ff" }
  }

  @Test func marksAreCentredOverLetters() throws {
    // The mark's baseline is above the ascent by its own descent: 60 − 40 − 5 = 15, and it is 10 high and 10 wide.
    // Letters are 25 wide, so that the middles are 12.5 and 37.5.
    #expect(try columns("text-emphasis:dot", "ab", row: 10) == Array(8...16) + Array(33...41))
    let color = try draw("text-emphasis:dot;fill:#00f", "a")
    #expect(color(12, 15).suffix(2) == "00" && color(12, 14) == "0000ffff" && color(12, 5) == "0000ffff")
    #expect(color(12, 4).suffix(2) == "00")
    // Below: the descent is 10, and the ascent of marks 20: the baseline is at 90.
    let below = try draw("text-emphasis:dot;text-emphasis-position:under", "a")
    #expect(below(12, 89).suffix(2) == "ff" && below(12, 80).suffix(2) == "ff")
    #expect(below(12, 90).suffix(2) == "00" && below(12, 79).suffix(2) == "00" && below(12, 10).suffix(2) == "00")
  }

  /// The values and the visible height of the mark: 10, 20 if it is open, of which 5 are beyond the edge, or none.
  @Test(arguments: [
    ("dot", 10), ("filled dot", 10), ("open dot", 15), ("dot open", 15), ("circle", 10), ("open", 15), ("filled", 10),
    ("open circle", 15), ("'*'", 10), ("'*x'", 10), ("none", 0), ("''", 0), ("dot circle", 0), ("open filled", 0),
    ("square", 0), ("'*' open", 0), ("sesame", 10), ("triangle", 0),
  ])
  func styles(_ value: String, _ height: Int) throws {
    let color = try draw("text-emphasis-style:\(value)", "a")
    #expect((0..<30).count { color(12, $0).suffix(2) == "ff" } == height, "\(value)")
  }

  @Test(arguments: [
    ("text-emphasis:dot red", "ff0000ff"), ("text-emphasis:#f00 filled dot", "ff0000ff"),
    ("text-emphasis:dot;text-emphasis-color:rgb(255 0 0)", "ff0000ff"), ("text-emphasis:dot", "00ff00ff"),
    ("text-emphasis-color:red;text-emphasis:dot", "00ff00ff"), ("text-emphasis:dot currentcolor", "00ff00ff"),
    ("text-emphasis:dot red blue", "00000000"), ("text-emphasis:red", "00000000"),
  ])
  func colors(_ style: String, _ expected: String) throws {
    #expect(try draw("fill:#0f0;\(style)", "a")(12, 10) == expected, "\(style)")
  }

  @Test func separatorsAndPunctuationHaveNoMarks() throws {
    // Letters at 0, 37.5 (after a space of 12.5) and so on.
    #expect(try columns("text-emphasis:dot", "a b", row: 10) == Array(8...16) + Array(45...54))
    #expect(try columns("text-emphasis:dot", "a.b", row: 10) == Array(8...16) + Array(58...66))
    #expect(try columns("text-emphasis:dot", "a#", row: 10) == Array(8...16) + Array(33...41))
    // A letter with a mark is one letter.
    #expect(try columns("text-emphasis:dot", "e\u{301}", row: 10).first == 8)
  }

  @Test func partsHaveTheirOwnMarks() throws {
    let text = "<tspan style='text-emphasis:none'>a</tspan>b"
    #expect(try columns("text-emphasis:dot", text, row: 10) == Array(33...41))
    #expect(try columns("text-emphasis:dot", "ab", row: 10, "dx='0 25'") == Array(8...16) + Array(58...66))
    #expect(try columns("text-emphasis:dot", "ab", row: 10, "visibility='hidden'").isEmpty)
    // The letters are positioned individually.
    let body = "<text x='0 50' y='60' font-size='50' style='text-emphasis:dot'>ab</text>"
    let drawing = try drawCanvas(body)
    #expect((0..<100).filter { pixel(drawing, $0, 10).suffix(2) == "ff" } == Array(8...16) + Array(58...66))
  }

  /// The line is at x = 50; letters are centred on it: the em box is 25 wide on both sides.
  @Test(arguments: [("over", true), ("over right", true), ("under left", false), ("left over", false)])
  func verticalLinesHaveMarksBesideThem(_ position: String, _ isRight: Bool) throws {
    let style = "writing-mode:vertical-rl;text-emphasis:dot;text-emphasis-position:\(position)"
    for text in ["\u{4E00}", "a"] {
      let drawing = try drawCanvas("<text x='50' y='10' font-size='50' style='\(style)'>\(text)</text>")
      // The boxes of marks are 25 wide, next to those of the letters; within them, marks are from 20 − 10 to 20 below
      // the top.
      func isCovered(_ columns: Range<Int>) -> Bool {
        (0..<100).contains { y in columns.contains { pixel(drawing, $0, y).suffix(2) == "ff" } }
      }
      #expect(isCovered(76..<100) == isRight && isCovered(0..<24) == !isRight, "\(text) \(position)")
    }
  }
}
