// Operators of Type 2 charstrings that tools do not write, by the definitions of Adobe's Technical Note 5177.

import FontTestSupport
import Fonts
import ImageCore
import Testing
import VectorGraphics

@Suite struct CharstringTests {
  /// Draws a line by the two numbers that a program leaves on the stack.
  private func line(_ program: [UInt8]) throws -> Point? {
    var font = TestFont(glyphCount: 2)
    font.setCharstrings([[14], [139, 139, 21] + program + [5, 14]])
    let path = try FontFace(parsing: font.bytes).outline(of: GlyphID(1))
    return path?.points.last
  }

  private func number(_ value: Int) -> [UInt8] { [28] + TestFont.word(value) }

  private func expect(
    _ operands: [Int], _ operators: [UInt8], gives x: Double, _ y: Double = 7,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let tail = y == 7 ? number(7) : []
    let point = try line(operands.flatMap(number) + operators + tail)
    #expect(point == Point(x: x, y: y), sourceLocation: sourceLocation)
  }

  @Test func computes() throws {
    try expect([30, 4], [12, 10], gives: 34)
    try expect([30, 4], [12, 11], gives: 26)
    try expect([30, 4], [12, 12], gives: 7.5)
    try expect([30, 4], [12, 24], gives: 120)
    try expect([-30], [12, 9], gives: 30)
    try expect([30], [12, 14], gives: -30)
    try expect([49], [12, 26], gives: 7)
    try expect([3, 0], [12, 3], gives: 0)
    try expect([3, 0], [12, 4], gives: 1)
    try expect([0], [12, 5], gives: 1)
    try expect([5, 5], [12, 15], gives: 1)
    try expect([11, 22, 3, 4], [12, 22], gives: 11)
    try expect([11, 22, 5, 4], [12, 22], gives: 22)
    try expect([1, 2], [12, 18], gives: 1)
  }

  @Test func movesTheStack() throws {
    try expect([8], [12, 27], gives: 8, 8)
    try expect([8, 9], [12, 28], gives: 9, 8)
    // 9, 8 and the number one below the top: 9 · 8 + 9.
    try expect([9, 8, 1], [12, 29, 12, 28, 12, 24, 12, 28], gives: 72, 9)
    // 1 2 3 rolled by one is 3 1 2; the sum of the last two, after the first.
    try expect([1, 2, 3, 3, 1], [12, 30, 12, 10], gives: 3, 3)
    try expect([44, 2], [12, 20] + [28, 0, 2] + [12, 21], gives: 44)
  }

  @Test func refusesProgramsThatLackOperands() {
    #expect(throws: CodecError.self) { try line([12, 24]) }
    #expect(throws: CodecError.self) { try line(number(3) + number(500) + number(1) + [12, 30]) }
  }

  /// `endchar` with four operands: codes 65 and 66 of the standard encoding are the names 34 and 35.
  @Test func drawsAccentedLetters() throws {
    var font = TestFont(glyphCount: 40)
    var charstrings = [[UInt8]](repeating: [14], count: 40)
    charstrings[34] = number(10) + number(20) + [21] + number(5) + number(6) + [5, 14]
    charstrings[35] = number(1) + number(2) + [21] + number(3) + number(4) + [5, 14]
    charstrings[1] = number(100) + number(200) + number(65) + number(66) + [14]
    font.setCharstrings(charstrings)
    let path = try FontFace(parsing: font.bytes).outline(of: GlyphID(1))
    #expect(
      path?.points == [
        Point(x: 10, y: 20), Point(x: 15, y: 26), Point(x: 101, y: 202), Point(x: 104, y: 206),
      ])
  }
}
