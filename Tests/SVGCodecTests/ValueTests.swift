// Colours, lengths, transforms and path data, checked by pixels whose values the specifications state.

import SVGCodec
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    ("#f00", "ff0000ff"), ("#F008", "ff000088"), ("#123456", "123456ff"), ("#12345678", "12345678"),
    ("rebeccapurple", "663399ff"), ("CornflowerBlue", "6495edff"), ("rgb(1, 2, 3)", "010203ff"),
    ("rgb(100% 50% 0%)", "ff8000ff"), ("rgb(1 2 3 / 50%)", "02020480"), ("rgba(255,0,0,0.5)", "ff000080"),
    ("hsl(120, 100%, 25%)", "008000ff"), ("hsl(120deg 100% 25% / 1)", "008000ff"), ("hsl(-240 100% 25%)", "008000ff"),
    ("hwb(120 0% 50%)", "008000ff"), ("hwb(0 60% 60%)", "808080ff"), ("transparent", "00000000"),
    // The values of these are in CSS Color 4, sections 9 and 10, and in web-platform-tests of the same name.
    ("lab(46.277% -47.552 48.586)", "008000ff"), ("lch(46.277% 67.989 134.391)", "008000ff"),
    ("oklab(51.975% -0.1403 0.10768)", "008000ff"), ("oklch(51.975% 0.17686 142.495)", "008000ff"),
    ("color(srgb 0 0.50196 0)", "008000ff"), ("color(display-p3 0.21604 0.49418 0.13151)", "008000ff"),
    ("color(a98-rgb 0.281363 0.498012 0.116746)", "008000ff"),
    ("color(prophoto-rgb 0.230479 0.395789 0.129968)", "008000ff"),
    ("color(rec2020 0.23552 0.43158 0.08546)", "008000ff"), ("color(srgb-linear 0 0.21586 0)", "008000ff"),
    ("color(xyz 0.07719 0.15438 0.02573)", "008000ff"), ("color(xyz-d50 0.08312 0.15475 0.02096)", "008000ff"),
  ])
  func colors(notation: String, expected: String) throws {
    #expect(try near(fillColor(notation), expected), "\(notation)")
  }

  @Test func colorsForBackgrounds() {
    #expect(RGBA8(css: " rebeccapurple ") == RGBA8(red: 0x66, green: 0x33, blue: 0x99))
    #expect(RGBA8(css: "#f008") == RGBA8(red: 255, green: 0, blue: 0, alpha: 0x88))
    for other in ["", "currentColor", "f00", "red blue", "url(#a)"] { #expect(RGBA8(css: other) == nil) }
  }

  /// Widths in a viewport of 20 with a font size of 4.
  @Test(arguments: [
    ("calc(6px)", 6), ("calc(100% - 8px)", 12), ("CALC( (1 + 2)*2px )", 6), ("calc(2em / 2 + 1)", 0),
    ("calc(2em + 1px)", 9),
    ("calc(50% + 25%)", 15), ("calc(1cm - 1cm + 5px)", 5), ("calc(-1 * (2px - 50%))", 8), ("calc(7)", 7),
    ("calc(20px - calc(2px * 3))", 14), ("calc(3px*2 + 10%*2 - 1px)", 9),
    // Malformed, or of units that do not fit together: no width.
    ("calc(", 0), ("calc()", 0), ("calc(1px +)", 0), ("calc(1px * 2px)", 0), ("calc(1px / 0)", 0), ("calc(1px", 0),
    ("calc(1em + 1%)", 5), ("calc(((((((((((((((((((1px)))))))))))))))))))", 1),
    ("calc((((((((((((((((((((((((((((((((((((((((1px))))))))))))))))))))))))))))))))))))))))", 0), ("calc(1px) 2", 0),
  ])
  func calculations(width: String, expected: Int) throws {
    #expect(try coveredCount(draw("<rect font-size='4' width='\(width)' height='1'/>")) == expected, "\(width)")
  }

  /// Whether no sample differs by more than one: the published notations have few digits.
  private func near(_ first: String, _ second: String) throws -> Bool {
    let a = try #require(UInt64(first, radix: 16))
    let b = try #require(UInt64(second, radix: 16))
    return (0..<4).allSatisfy { index in
      abs(Int(a >> (8 * UInt64(index)) & 255) - Int(b >> (8 * UInt64(index)) & 255)) <= 1
    }
  }

  @Test(arguments: ["#12", "#12345", "rgb(1,2)", "nocolor", "hsl(1,2,3,4,5)", "color(nospace 1 2 3)", ""])
  func malformedColorsCountAsNotDeclared(notation: String) throws {
    #expect(try fillColor(notation) == "000000ff")
  }

  /// The colour before a colour of a profile is for readers without the profile (SVG 1.1, section 11.2).
  @Test func colorsOfProfilesAreReplaced() throws {
    #expect(try fillColor("#0f0 icc-color(acmecmyk, 0.11, 0.48, 0.83, 0.00)") == "00ff00ff")
    #expect(try fillColor("rgb(0,255,0)icc-color(#CMYK,0)") == "00ff00ff")
    #expect(try fillColor("url(#no) lime icc-color(p, 1)") == "00ff00ff")
    let flood = "<filter id='f'><feFlood flood-color='lime icc-color(p, 1)'/></filter>"
    #expect(try pixel(draw("\(flood)<rect width='20' height='20' filter='url(#f)'/>"), 10, 10) == "00ff00ff")
    for invalid in ["#0f0 icc-color", "#0f0 icc-color(p", "#0f0 p", "#0f0 icc-color(p) x", "icc-color(p, 1)"] {
      #expect(try fillColor(invalid) == "000000ff", "\(invalid)")
    }
    #expect(
      try pixel(draw("<rect width='20' height='20' color='lime icc-color(p)' fill='currentColor'/>"), 9, 9)
        == "000000ff")
  }

  @Test(arguments: [
    ("10", 10), ("10px", 10), ("7.5pt", 10), ("1pc", 16), ("0.125in", 12), ("2.54mm", 10), ("0.254cm", 10),
    ("10.16Q", 10),
    ("50%", 10), ("1em", 16), ("2ex", 16), ("1e1", 10), ("+.1e2", 10), ("50vw", 10), ("1rem", 16),
  ])
  func lengths(notation: String, columns: Int) throws {
    let bitmap = try draw("<rect width='\(notation)' height='1' shape-rendering='crispEdges'/>")
    #expect(coveredCount(bitmap) == columns, "\(notation)")
  }

  @Test(arguments: [
    ("translate(3 4)", [3, 4, 4, 5]), ("translate(3)", [3, 0, 4, 1]), ("scale(2)", [0, 0, 3, 3]),
    ("scale(2,3)", [0, 0, 3, 5]), ("matrix(1 0 0 1 5 6)", [5, 6, 6, 7]), ("rotate(90 5 5)", [8, 0, 9, 1]),
    ("translate(10,10)rotate(180)", [8, 8, 9, 9]), ("translate(2) , scale(2)", [2, 0, 5, 3]),
    ("translateX(3px) translateY(4px)", [3, 4, 4, 5]), ("rotate(0.25turn 5 5)", [8, 0, 9, 1]),
    ("broken(1)", [0, 0, 1, 1]), ("translate(1", [0, 0, 1, 1]),
  ])
  func transforms(list: String, box: [Int]) throws {
    #expect(try coveredBox(draw("<rect width='2' height='2' transform='\(list)'/>")) == box, "\(list)")
  }

  @Test(arguments: [
    ("M2 3H8V9H2Z", [2, 3, 7, 8]), ("m2,3h6v6h-6z", [2, 3, 7, 8]), ("M2 3L8 3 8 9 2 9", [2, 3, 7, 8]),
    ("M2 3 8 3 8 9 2 9", [2, 3, 7, 8]), ("M2-3-2 3M4 4h.5.5v2h-1z", [4, 4, 4, 5]),
    // Segments before an error are kept.
    ("M2 3H8V9H2Z L foo M0 0H20V20", [2, 3, 7, 8]), ("M2 3H8V9H2,Z", [2, 3, 7, 8]),
    // Half a disc whose flags need no separators.
    ("M5 10a5 5 0 1110 0z", [5, 5, 14, 9]), ("M5 10A5 5 0 0 1 15 10Z", [5, 5, 14, 9]),
    ("L5 5", [Int.max, Int.max, Int.min, Int.min]), ("", [Int.max, Int.max, Int.min, Int.min]),
  ])
  func pathData(data: String, box: [Int]) throws {
    #expect(try coveredBox(draw("<path d='\(data)'/>")) == box, "\(data)")
  }

  @Test func smoothCommandsReflectTheLastControlPoint() throws {
    let curves = [
      ("M0 10C0 0 10 0 10 10S20 20 20 10", "M0 10C0 0 10 0 10 10C10 20 20 20 20 10"),
      ("M0 10Q5 0 10 10T20 10", "M0 10Q5 0 10 10Q15 20 20 10"),
      ("M0 10L10 10S20 20 20 10", "M0 10L10 10C10 10 20 20 20 10"),
    ]
    for (short, long) in curves {
      let first = try draw("<path d='\(short)'/>")
      let second = try draw("<path d='\(long)'/>")
      #expect(first == second)
    }
  }

  @Test(arguments: [
    ("xMidYMid", [5, 0, 14, 9]), ("xMinYMin", [0, 0, 9, 9]), ("xMaxYMid meet", [10, 0, 19, 9]),
    ("none", [0, 0, 19, 9]), ("xMidYMin slice", [0, 0, 19, 9]),
  ])
  func preserveAspectRatio(value: String, box: [Int]) throws {
    let document = try SVGDocument(
      parsing: markup(
        "<rect width='5' height='5'/>", "width='20' height='10' viewBox='0 0 5 5' preserveAspectRatio='\(value)'"))
    #expect(try coveredBox(document.render()) == box)
  }
}
