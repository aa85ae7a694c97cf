// Text of several lines, in a font of squares: letters half an em wide, lines an em high, rows and columns computed by
// hand.

import SVGCodec
import TestSupport
import Testing

@Suite struct LineTests {
  private static let fonts = options(fonts: .squares(" abc-\u{1F1E9}\u{1F1EA}"))

  /// The first columns and rows of the ink, at two pixels a unit and ten units an em.
  private func ink(_ body: String) throws -> (columns: [Int], rows: [Int]) {
    let attributes = "viewBox='0 0 100 60' width='200' height='120' font-size='10'"
    let bitmap = try SVGDocument(parsing: markup(body, attributes), options: Self.fonts).render()
    func starts(_ count: Int, _ isInk: (Int) -> Bool) -> [Int] {
      (0..<count).filter { isInk($0) && ($0 == 0 || !isInk($0 - 1)) }
    }
    return (
      starts(bitmap.width) { x in (0..<bitmap.height).contains { bitmap[x, $0].alpha > 127 } },
      starts(bitmap.height) { y in (0..<bitmap.width).contains { bitmap[$0, y].alpha > 127 } }
    )
  }

  private func expect(_ style: String, _ content: String, columns: [Int], rows: [Int], x: Int = 10) throws {
    let found = try ink("<text x='\(x)' y='10' style='\(style)'>\(content)</text>")
    #expect(found.columns == columns, "\(style): \(content)")
    #expect(found.rows == rows, "\(style): \(content)")
  }

  @Test func wrapping() throws {
    try expect("inline-size:12px", "ab ab ab", columns: [21, 31], rows: [12, 32, 52])
    try expect("inline-size:23px", "ab ab ab", columns: [21, 31, 46, 56], rows: [12, 32])
    try expect("inline-size:12px;line-height:2", "ab ab", columns: [21, 31], rows: [12, 52])
    try expect("inline-size:12px;line-height:15px", "ab ab", columns: [21, 31], rows: [12, 42])
    try expect("inline-size:12px;font:10px/15px Boxes", "ab ab", columns: [21, 31], rows: [12, 42])
    try expect("inline-size:12px", "ab <tspan font-size='20'>a</tspan>", columns: [21], rows: [12, 40])
    try expect("inline-size:12px;white-space:nowrap;text-overflow:\"\"", "ab ab", columns: [21, 31], rows: [12])
  }

  /// Two letters that are one flag.
  @Test func clustersStayTogether() throws {
    for style in ["line-break:anywhere", "overflow-wrap:anywhere", "word-break:break-word"] {
      try expect(
        "inline-size:6px;\(style)", "\u{1F1E9}\u{1F1EA}\u{1F1EA}\u{1F1E9}a", columns: [21, 31], rows: [12, 32, 52])
    }
  }

  @Test func alignment() throws {
    try expect("inline-size:12px;text-anchor:middle", "ab a", columns: [91], rows: [12, 32], x: 50)
    try expect("inline-size:12px;text-anchor:end", "ab a", columns: [81, 91], rows: [12, 32], x: 50)
    try expect("inline-size:12px;direction:rtl", "ab a", columns: [81, 91], rows: [12, 32], x: 50)
    try expect("inline-size:50px;text-indent:5px", "ab", columns: [31, 41], rows: [12])
    try expect("inline-size:11px;text-indent:5px", "a a", columns: [21, 31], rows: [12, 32])
  }

  /// Lines of vertical text follow each other to the left, or to the right.
  @Test func verticalLines() throws {
    for (mode, columns) in [("vertical-rl", [74, 94]), ("vertical-lr", [94, 114])] {
      let found = try ink("<text x='50' y='10' style='inline-size:12px;writing-mode:\(mode)'>ab ab</text>")
      #expect(found.columns == columns, "\(mode)")
      #expect(found.rows == [21, 31])
    }
  }

  @Test func preservedLineEnds() throws {
    try expect("white-space:pre", "a\n b", columns: [21], rows: [12, 32])
    try expect("white-space:pre-line", "a  \n  b\n\nc", columns: [21], rows: [12, 32, 72])
    try expect("white-space:pre-wrap;inline-size:12px", "a\nab ab", columns: [21, 31], rows: [12, 32, 52])
    try expect("white-space:break-spaces;inline-size:8px", "a  b", columns: [21], rows: [12, 32])
    try expect("white-space-collapse:preserve-breaks", "a\nb", columns: [21], rows: [12, 32])
    try expect("white-space:normal", "a\nb", columns: [21, 36], rows: [12])
    let placed = try ink("<text x='10' y='10' style='white-space:pre'>a\n<tspan x='30'>b</tspan></text>")
    #expect(placed.columns == [21, 61] && placed.rows == [12, 32])
  }

  @Test func longWordsBreakWhereTheStyleAllows() throws {
    try expect("inline-size:12px;overflow-wrap:anywhere", "abab", columns: [21, 31], rows: [12, 32])
    try expect("inline-size:12px;word-break:break-all", "abab", columns: [21, 31], rows: [12, 32])
    try expect("inline-size:12px;line-break:anywhere", "a-ba", columns: [21, 31], rows: [12, 32])
    // Twelve of twenty units are visible.
    try expect("inline-size:12px", "abab", columns: [21, 31, 41], rows: [12])
    try expect("inline-size:12px;text-overflow:\"c\"", "abab", columns: [21, 31], rows: [12])
  }

  @Test func softHyphens() throws {
    // The hyphen is as wide as a letter and shown only at the end of a line.
    try expect("inline-size:16px", "ab\u{AD}ab", columns: [21, 31, 41], rows: [12, 32])
    try expect("inline-size:30px", "ab\u{AD}ab", columns: [21, 31, 41, 51], rows: [12])
    try expect("inline-size:16px;hyphens:none;text-overflow:\"\"", "ab\u{AD}ab", columns: [21, 31, 41], rows: [12])
  }

  @Test func tabs() throws {
    try expect("white-space:pre;tab-size:4", "a\tb", columns: [21, 41], rows: [12])
    try expect("white-space:pre;tab-size:12px", "a\tb", columns: [21, 45], rows: [12])
    try expect("white-space:pre", "a\tb", columns: [21, 61], rows: [12])
  }

  /// Positions that editors add for programs without wrapping are used.
  @Test func positionsWithinTheText() throws {
    let found = try ink("<text x='10' y='10' style='inline-size:8px'>ab <tspan x='50' y='20'>ab</tspan></text>")
    #expect(found.columns == [21, 31, 101, 111] && found.rows == [12, 32])
  }
}
