// Shaped runs against HarfBuzz: glyphs, clusters, advances and offsets.

import FontTestSupport
import ImageCore
import Testing
import TextShaping

@Suite struct ShapingTests {
  private func describe(_ glyphs: [ShapedGlyph]) -> String {
    glyphs.map {
      "\($0.glyph):\($0.cluster):\(Int($0.xAdvance)):\(Int($0.yAdvance)):\(Int($0.xOffset)):\(Int($0.yOffset))"
    }.joined(separator: " ")
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test func matchesHarfBuzz() throws {
    let directions: [String: TextDirection] = ["ltr": .leftToRight, "rtl": .rightToLeft, "ttb": .topToBottom]
    let rows = try SampleFonts.rows("shaping.tsv")
    #expect(rows.count > 50)
    for row in rows {
      let face = try SampleFonts.face(row[0], row[1])
      let text = row[6].split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      let direction = try #require(directions[row[3]])
      let shaped = try face.shape(
        text, range: 0..<text.count, script: Script(stringLiteral: row[2]), direction: direction,
        language: row[4] == "-" ? nil : row[4], features: SampleFonts.features(row[5]))
      #expect(describe(shaped) == row[7], "\(row)")
    }
  }

  @Test func joinsLettersAcrossTheEndsOfARun() throws {
    let face = try SampleFonts.face("sample.ttf")
    let text = scalars("\u{628}\u{628}\u{628}")
    let whole = try face.shape(text, range: 0..<3, script: .arabic, direction: .rightToLeft)
    let middle = try face.shape(text, range: 1..<2, script: .arabic, direction: .rightToLeft)
    #expect(middle.map(\.glyph) == [whole[1].glyph])
    #expect(middle.map(\.cluster) == [1])
  }

  @Test func shapesNothingToNothing() throws {
    let face = try SampleFonts.face("sample.ttf")
    #expect(try face.shape([], range: 0..<0, script: .latin, direction: .leftToRight).isEmpty)
    let text = scalars("AV")
    #expect(try face.shape(text, range: 5..<9, script: .latin, direction: .leftToRight).isEmpty)
  }

  @Test func knowsTheDirectionsOfScripts() {
    #expect(Script.arabic.runsToTheLeft)
    #expect(!Script.latin.runsToTheLeft)
  }
}
