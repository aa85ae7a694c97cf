// Fonts with false statements: damage anywhere, cycles, and small files that demand endless work.

import FontTestSupport
import ImageCore
import TestSupport
import Testing
import TextShaping
import VectorGraphics

@Suite struct HostileFontTests {
  /// Uses everything that a face has.
  private func exercise(_ bytes: [UInt8], index: Int = 0) {
    guard var face = try? FontFace(parsing: bytes, index: index) else { return }
    if face.isVariable { face = (try? face.instance(variations: [("wght", 700), ("wdth", 90)])) ?? face }
    for number in 0..<min(face.glyphCount, 80) {
      let glyph = GlyphID(UInt16(number))
      _ = try? face.outline(of: glyph)
      _ = try? face.advance(of: glyph)
      _ = try? face.colorGlyph(of: glyph)
    }
    _ = (face.ascender, face.descender, face.lineGap, face.xHeight, face.underline, face.subscriptMetrics)
    _ = try? face.verticalOrigin(of: GlyphID(2))
    let latin = Array("fi ffi AVA A\u{301}x\u{323} xx BoT d\u{FE00}".unicodeScalars)
    let arabic = Array("\u{628}\u{644}\u{627}\u{64E}\u{62D}\u{62D}".unicodeScalars)
    _ = try? face.shape(latin, range: latin.indices, script: .latin, direction: .leftToRight)
    _ = try? face.shape(arabic, range: arabic.indices, script: .arabic, direction: .rightToLeft)
    _ = try? face.shape(latin, range: 0..<4, script: .latin, direction: .topToBottom)
  }

  @Test(arguments: SampleFonts.names)
  func livesWithEveryTruncation(_ name: String) throws {
    let bytes = try SampleFonts.bytes(name)
    for count in 0..<bytes.count { exercise(Array(bytes[..<count])) }
  }

  @Test(arguments: SampleFonts.names)
  func livesWithChangedBytes(_ name: String) throws {
    var bytes = try SampleFonts.bytes(name)
    var random = TestRandom(UInt64(bytes.count))
    for index in bytes.indices {
      let old = bytes[index]
      bytes[index] = [old ^ (1 << UInt8.random(in: 0...7, using: &random)), 0xFF, 0][index % 3]
      exercise(bytes)
      bytes[index] = old
    }
  }

  @Test func refusesWhatIsNoFont() {
    func kind(_ bytes: [UInt8], index: Int = 0) -> CodecError.Kind? {
      do throws(CodecError) {
        _ = try FontFace(parsing: bytes, index: index)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind([]) == .truncated)
    #expect(kind([UInt8](repeating: 7, count: 64)) == .unrecognizedFormat)
    #expect(kind(Array("wOF2".utf8) + [UInt8](repeating: 0, count: 64)) == .malformed)
    #expect(kind(TestFont(glyphCount: 2).bytes) == nil)
    #expect(kind(TestFont(glyphCount: 2).bytes, index: 1) == .invalidArgument)
    var font = TestFont(glyphCount: 2)
    font.tables["maxp"] = nil
    #expect(kind(font.bytes) == .malformed)
  }

  /// Each glyph is twice the next one: 2³⁰ squares in a few hundred bytes.
  @Test func boundsComponents() throws {
    let count = 31
    var glyphs: [[UInt8]] = []
    for index in 0..<count - 1 {
      let component = TestFont.words(index + 1, 0)
      glyphs.append(
        TestFont.words(-1, 0, 0, 0, 0) + TestFont.word(0x22) + component + TestFont.word(0x02) + component)
    }
    glyphs.append([])
    var font = TestFont(glyphCount: count)
    font.setGlyphs(glyphs)
    let face = try FontFace(parsing: font.bytes)
    let error = #expect(throws: CodecError.self) { try face.outline(of: GlyphID(0)) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func noticesComponentsInACircle() throws {
    var font = TestFont(glyphCount: 2)
    let circle = TestFont.words(-1, 0, 0, 0, 0, 0x02, 1, 0)
    font.setGlyphs([circle, circle])
    let face = try FontFace(parsing: font.bytes)
    let error = #expect(throws: CodecError.self) { try face.outline(of: GlyphID(1)) }
    #expect(error?.kind == .limitExceeded)
  }

  /// Each subroutine calls the next one ten times.
  @Test func boundsSubroutines() throws {
    let calls: (Int) -> [UInt8] = { next in
      (0..<10).flatMap { _ in [UInt8(139 + next - 107), 29] } + [11]
    }
    var font = TestFont(glyphCount: 2)
    let subroutines = (0..<9).map { calls($0 + 1) } + [[139, 139, 5, 11]]
    font.setCharstrings([[14], [139, 139, 21] + calls(0)], subroutines: subroutines)
    let face = try FontFace(parsing: font.bytes)
    let error = #expect(throws: CodecError.self) { try face.outline(of: GlyphID(1)) }
    #expect(error?.kind == .limitExceeded)
    // One that calls itself.
    font.setCharstrings([[14], [32, 29]], subroutines: [[32, 29]])
    let circular = try FontFace(parsing: font.bytes)
    #expect(throws: CodecError.self) { try circular.outline(of: GlyphID(1)) }
  }

  /// A context that calls itself, and a substitution of one glyph by ten that does too.
  @Test func boundsLookups() throws {
    let script = TestFont.words(1) + Array("latn".utf8) + TestFont.words(8, 4, 0, 0, 0xFFFF, 1, 0)
    let features = TestFont.words(1) + Array("ccmp".utf8) + TestFont.words(8, 0, 1, 0)
    let coverage = TestFont.words(2, 1, 1, 3, 0)
    let context = TestFont.words(3, 1, 3, 16, 0, 0, 0, 1) + coverage
    let multiple = TestFont.words(1, 8 + 22, 1, 8) + TestFont.words(10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) + coverage
    for (type, subtable) in [(5, context), (2, multiple)] {
      let lookup = TestFont.words(type, 0, 1, 8) + subtable
      let lookups = TestFont.words(2, 6, 6 + lookup.count) + lookup + lookup
      var font = TestFont(glyphCount: 4)
      font.tables["GSUB"] =
        TestFont.long(0x0001_0000)
        + TestFont.words(10, 10 + script.count, 10 + script.count + features.count) + script + features + lookups
      let face = try FontFace(parsing: font.bytes)
      let text = [Unicode.Scalar](repeating: "A", count: 2000)
      let glyphs = try face.shape(text, range: text.indices, script: .latin, direction: .leftToRight)
      #expect(glyphs.count >= text.count && glyphs.count <= text.count * 64)
    }
  }

  /// A list of lookups that all are the list itself, each with as many subtables as can be.
  @Test func boundsLayoutTables() throws {
    var font = TestFont(glyphCount: 2)
    font.tables["GSUB"] =
      TestFont.long(0x0001_0000) + TestFont.words(0, 0, 10) + TestFont.words(0xFFFF, 0, 0xFFFF)
      + [UInt8](repeating: 0, count: 4096)
    let face = try FontFace(parsing: font.bytes)
    #expect(try face.shape(["A"], range: 0..<1, script: .latin, direction: .leftToRight).count == 1)
  }

  /// Products of charstrings reach further than any table.
  @Test func livesWithHugeNumbers() throws {
    let large: [UInt8] = [28, 0x7F, 0xFF]
    // 32767⁴ is just below 2⁶⁰; times 8 it is the largest number that an Int can hold, nearly.
    let huge = large + large + [12, 24] + large + [12, 24] + large + [12, 24, 147, 12, 24]
    let mark = huge + [139, 21] + huge + [12, 14] + huge + [5, 14]
    for program in [huge + [10], huge + [29], huge + [12, 14, 29], huge + huge + [12, 30, 14], mark] {
      var font = TestFont(glyphCount: 3)
      font.setCharstrings([[14], program, mark], subroutines: [[11]])
      let face = try FontFace(parsing: font.bytes)
      _ = try? face.outline(of: GlyphID(1))
      _ = try? face.verticalOrigin(of: GlyphID(1))
      let text: [Unicode.Scalar] = ["A", "\u{301}", "B", "\u{323}"]
      _ = try? face.shape(text, range: 0..<4, script: .latin, direction: .leftToRight)
    }
    // An offset of 9·10¹⁸ in the top dictionary.
    var font = TestFont(glyphCount: 2)
    font.setCharstrings([[14], [14]])
    let table = try #require(font.tables["CFF "])
    let place = try #require(table.indices.dropLast(5).first { table[$0] == 29 && table[$0 + 5] == 17 })
    font.tables["CFF "]?.replaceSubrange(place..<place + 5, with: [30, 0x9B, 0x18, 0xFF, 139])
    _ = try FontFace(parsing: font.bytes).outline(of: GlyphID(1))
  }

  /// A picture that holds itself.
  @Test func boundsPaints() throws {
    var font = TestFont(glyphCount: 2)
    let square =
      TestFont.words(1, 0, 0, 10, 10, 2, 0) + [0x37, 0x37, 0x37] + [10, 5, 5, 10, 10, 5]
    font.setGlyphs([[], square])
    // One base glyph whose paint is a composite of the glyph's own painting with itself.
    let paint: [UInt8] = [32, 0, 0, 8, 3, 0, 0, 8, 11, 0, 1]
    font.tables["COLR"] =
      TestFont.words(1, 0) + TestFont.long(0) + TestFont.long(0) + TestFont.word(0) + TestFont.long(34)
      + TestFont.long(0) + TestFont.long(0) + TestFont.long(0) + TestFont.long(0) + TestFont.long(1)
      + TestFont.word(1) + TestFont.long(10) + paint
    let face = try FontFace(parsing: font.bytes)
    #expect(try face.colorGlyph(of: GlyphID(1)) == nil)
  }
}
