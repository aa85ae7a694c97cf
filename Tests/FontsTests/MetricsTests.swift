// Measures of faces, as Fixtures/generate.py wrote them into the tables.

import FontTestSupport
import Fonts
import ImageCore
import Testing

@Suite struct MetricsTests {
  @Test func readsTheHeaders() throws {
    let face = try SampleFonts.face("sample.ttf")
    #expect(face.unitsPerEm == 1000)
    #expect((face.ascender, face.descender, face.lineGap) == (810, -210, 35))
    #expect(face.xHeight == 480)
    #expect(face.capHeight == 690)
    #expect(face.underline == LineMetrics(position: -90, thickness: 45))
    #expect(face.strikeout == LineMetrics(position: 260, thickness: 48))
    #expect(face.subscriptMetrics == ScriptMetrics(xSize: 610, ySize: 600, xOffset: 3, yOffset: 140))
    #expect(face.superscriptMetrics == ScriptMetrics(xSize: 620, ySize: 630, xOffset: 4, yOffset: 350))
    #expect(face.families == ["Sample Sans"])
    #expect(face.postScriptName == "SampleSans-Regular")
    #expect(!face.isVariable && !face.isItalic && !face.hasVerticalMetrics)
  }

  /// `useTypo` is bit 7 of fsSelection; an ascender of zero in `hhea` asks the other tables.
  @Test func choosesAmongVerticalMeasures() throws {
    var bytes = try SampleFonts.bytes("sample.ttf")
    let os2 = try #require(tableOffset("OS/2", in: bytes))
    let hhea = try #require(tableOffset("hhea", in: bytes))
    bytes[os2 + 63] |= 0x80
    let typographic = try FontFace(parsing: bytes)
    #expect((typographic.ascender, typographic.descender, typographic.lineGap) == (790, -190, 55))
    bytes[os2 + 63] &= 0x7F
    for index in 4..<8 { bytes[hhea + index] = 0 }
    let fallback = try FontFace(parsing: bytes)
    #expect((fallback.ascender, fallback.descender, fallback.lineGap) == (790, -190, 55))
    for index in 68..<72 { bytes[os2 + index] = 0 }
    let windows = try FontFace(parsing: bytes)
    #expect((windows.ascender, windows.descender) == (900, -250))
  }

  @Test func variesMeasures() throws {
    let face = try SampleFonts.face("variable.ttf")
    #expect(face.axes.map(\.tag) == ["wght", "wdth"])
    #expect(face.axes.map(\.maximum) == [900, 125])
    // The heaviest master moves the x height by 15 and the underline by -30.
    let heavy = try face.instance(variations: [("wght", 900)])
    #expect(heavy.xHeight == 495)
    #expect(heavy.underline?.position == -120)
    #expect(face.xHeight == 480)
  }

  @Test func mapsCharacters() throws {
    let face = try SampleFonts.face("sample.ttf")
    #expect(face.glyph(for: "A") == GlyphID(2))
    #expect(face.glyph(for: "\u{1F600}") != nil)
    #expect(face.glyph(for: "\u{E000}") == nil)
    #expect(face.glyph(for: "A", variationSelector: "\u{FE00}") != face.glyph(for: "A"))
    // B has a default sequence, and one that the font does not know.
    #expect(face.glyph(for: "B", variationSelector: "\u{FE01}") == face.glyph(for: "B"))
    #expect(face.glyph(for: "B", variationSelector: "\u{FE02}") == face.glyph(for: "B"))
  }
}

/// Returns the offset of a font's table.
func tableOffset(_ tag: String, in bytes: [UInt8]) -> Int? {
  let count = Int(bytes[4]) << 8 | Int(bytes[5])
  let record = (0..<count).map { 12 + $0 * 16 }.first { Array(bytes[$0..<$0 + 4]) == Array(tag.utf8) }
  return record.map { record in bytes[record + 8..<record + 12].reduce(0) { $0 << 8 | Int($1) } }
}
