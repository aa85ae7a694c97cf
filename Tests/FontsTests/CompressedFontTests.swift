// WOFF and WOFF 2: the faces equal those of the fonts that fontTools and woff2_compress compressed. Damage and bombs.

import FontTestSupport
import Fonts
import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct CompressedFontTests {
  private func expectEqual(_ face: FontFace, _ other: FontFace, _ name: String) throws {
    #expect(face.glyphCount == other.glyphCount, "\(name)")
    #expect(face.families == other.families && face.weight == other.weight, "\(name)")
    #expect(face.ascender == other.ascender && face.descender == other.descender, "\(name)")
    for index in 0..<face.glyphCount {
      let glyph = GlyphID(UInt16(index))
      let (outline, otherOutline) = try (face.outline(of: glyph), other.outline(of: glyph))
      #expect(outline == otherOutline, "\(name), glyph \(index)")
      #expect(try face.advance(of: glyph) == other.advance(of: glyph), "\(name), glyph \(index)")
    }
    for value in 0..<UInt32(0xD800) {
      let scalar = try #require(Unicode.Scalar(value))
      if face.glyph(for: scalar) != other.glyph(for: scalar) { Issue.record("\(name), character \(value)") }
    }
  }

  @Test(arguments: [
    ("sample.woff", "sample.ttf"), ("sample-ttf.woff2", "sample.ttf"), ("sample-otf.woff2", "sample.otf"),
    ("variable-ttf.woff2", "variable.ttf"), ("color-ttf.woff2", "color.ttf"),
  ])
  func facesEqualThoseOfTheOriginal(_ compressed: String, _ original: String) throws {
    let (face, other) = try (SampleFonts.face(compressed), SampleFonts.face(original))
    try expectEqual(face, other, compressed)
    if face.isVariable {
      let variations: [(tag: FourCharacterCode, value: Double)] = [("wght", 800), ("wdth", 90)]
      try expectEqual(face.instance(variations: variations), other.instance(variations: variations), compressed)
    }
  }

  @Test func collectionsHaveTheirFaces() throws {
    let (collection, original) = try (SampleFonts.bytes("collection.woff2"), SampleFonts.bytes("collection.ttc"))
    #expect(FontFace.faceCount(collection) == 2)
    for index in 0..<2 {
      let face = try FontFace(parsing: collection, index: index)
      try expectEqual(face, FontFace(parsing: original, index: index), "face \(index)")
    }
    let error = #expect(throws: CodecError.self) { try FontFace(parsing: collection, index: 2) }
    #expect(error?.kind == .invalidArgument)
    let provider = FontProvider(data: [collection])
    let name = try FontFace(parsing: original).families[0]
    let bold = try provider.face(matching: FontQuery(families: [.named(name)], weight: 700))
    #expect(bold?.weight == 700)
  }

  @Test func decompressionIsCharged() throws {
    for name in ["sample.woff", "sample-ttf.woff2"] {
      let bytes = try SampleFonts.bytes(name)
      var budget = ResourceBudget(.default)
      _ = try FontFace(parsing: bytes, budget: &budget)
      #expect(budget.heldByteCount > bytes.count && budget.work > Int64(bytes.count))
      for (memory, work) in [(bytes.count, Int64.max), (1 << 30, Int64(bytes.count / 2))] {
        var limits = DecodingLimits.default
        (limits.maximumByteCount, limits.maximumWork) = (memory, work)
        var budget = ResourceBudget(limits)
        let error = #expect(throws: CodecError.self) { try FontFace(parsing: bytes, budget: &budget) }
        #expect(error?.kind == .limitExceeded)
      }
    }
  }

  @Test func cutOffFilesAreTruncated() throws {
    for name in ["sample-ttf.woff2", "collection.woff2", "sample.woff"] {
      let bytes = try SampleFonts.bytes(name)
      for count in stride(from: 12, to: bytes.count, by: 7) {
        let error = #expect(throws: CodecError.self) { try FontFace(parsing: Array(bytes[..<count])) }
        #expect(error?.kind == .truncated, "\(name), \(count) bytes")
      }
    }
  }

  /// The same bytes as several tables would be decompressed again and again.
  @Test func tablesOfWOFFMustNotOverlap() throws {
    var bytes = try SampleFonts.bytes("sample.woff")
    // The position of the second table becomes that of the first one.
    bytes.replaceSubrange(68..<72, with: bytes[48..<52])
    let error = #expect(throws: CodecError.self) { try FontFace(parsing: bytes) }
    #expect(error?.kind == .malformed)
  }

  @Test func sizesOfWOFF2MustAgree() throws {
    let bytes = try SampleFonts.bytes("sample-ttf.woff2")
    func kind(_ offset: Int, _ value: [UInt8]) -> CodecError.Kind? {
      var changed = bytes
      changed.replaceSubrange(offset..<offset + value.count, with: value)
      do throws(CodecError) {
        _ = try FontFace(parsing: changed)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind(12, [0, 0]) == .malformed)
    #expect(kind(8, [0x7F, 0xFF, 0xFF, 0xFF]) == .truncated)
    #expect(kind(20, [0x7F, 0xFF, 0xFF, 0xFF]) == .malformed)
    // Metadata outside the file.
    #expect(kind(28, [0x7F, 0xFF, 0xFF, 0xFF]) == .malformed)
    let shorter = #expect(throws: CodecError.self) { try FontFace(parsing: bytes + [0]) }
    #expect(shorter?.kind == .malformed)
  }
}
