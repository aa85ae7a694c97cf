// Outlines and advances of every glyph against fontTools.

import FontTestSupport
import Fonts
import ImageCore
import Testing
import VectorGraphics

@Suite struct OutlineTests {
  /// Contours as lists of curves that start at their smallest point, without lines of no length: two programs may start a
  /// contour at different points and close it in different ways.
  private struct Contours: Equatable {
    var curves: [[[Int]]] = []
    private var current: [[Int]] = []
    private var start = [0, 0]
    private var pen = [0, 0]

    mutating func add(_ verb: String, _ numbers: [Double]) {
      // Hundredths of a unit, so that the last bits of a number do not count.
      let values = numbers.map { Int(($0 * 100).rounded()) }
      switch verb {
      case "M":
        finish()
        (start, pen) = (values, values)
      case "Z":
        if pen != start { current.append(pen + start) }
        finish()
      default:
        if verb != "L" || values != pen { current.append(pen + values) }
        pen = Array(values.suffix(2))
      }
    }

    mutating func finish() {
      defer { current = [] }
      guard !current.isEmpty else { return }
      let first = current.indices.min { current[$0].lexicographicallyPrecedes(current[$1]) } ?? 0
      curves.append(Array(current[first...] + current[..<first]))
    }
  }

  private func contours(_ path: Path?) -> Contours {
    var result = Contours()
    var position = 0
    for verb in path?.verbs ?? [] {
      let points = (path?.points ?? [])[position..<position + verb.pointCount]
      position += verb.pointCount
      let names: [Path.Verb: String] = [.move: "M", .line: "L", .quad: "Q", .cubic: "C", .close: "Z"]
      result.add(names[verb] ?? "", points.flatMap { [$0.x, $0.y] })
    }
    result.finish()
    return result
  }

  private func contours(_ text: String) -> Contours {
    var result = Contours()
    var verb = ""
    var numbers: [Double] = []
    for word in (text + " Z").split(separator: " ") {
      if let number = Double(word) {
        numbers.append(number)
      } else {
        if !verb.isEmpty { result.add(verb, numbers) }
        (verb, numbers) = (String(word), [])
      }
    }
    result.finish()
    return result
  }

  @Test func matchFontTools() throws {
    let rows = try SampleFonts.rows("outlines.tsv")
    #expect(rows.count > 150)
    var faces: [String: FontFace] = [:]
    for row in rows {
      let key = row[0] + row[1]
      let face = try faces[key] ?? SampleFonts.face(row[0], row[1])
      faces[key] = face
      let glyph = GlyphID(try #require(UInt16(row[2])))
      let advance = try #require(Double(row[3]))
      #expect(try abs(face.advance(of: glyph) - advance) <= 0.5, "\(row[0]) \(row[1]) glyph \(glyph)")
      let outline = contours(try face.outline(of: glyph))
      #expect(outline == contours(row[4]), "\(row[0]) \(row[1]) glyph \(glyph)")
    }
  }

  @Test func readsTheSameFromCompressedFontsAndCollections() throws {
    let plain = try SampleFonts.face("sample.ttf")
    let compressed = try SampleFonts.face("sample.woff")
    let collection = try SampleFonts.bytes("collection.ttc")
    #expect(FontFace.faceCount(collection) == 2)
    let first = try FontFace(parsing: collection, index: 0)
    let second = try FontFace(parsing: collection, index: 1)
    let bold = try SampleFonts.face("sample-bold.ttf")
    for index in 0..<plain.glyphCount {
      let glyph = GlyphID(UInt16(index))
      let outline = try plain.outline(of: glyph)
      let others = try [compressed.outline(of: glyph), first.outline(of: glyph)]
      #expect(others == [outline, outline])
      let (boldOutline, secondOutline) = try (bold.outline(of: glyph), second.outline(of: glyph))
      #expect(boldOutline == secondOutline)
    }
    #expect(second.weight == 700)
  }

  @Test func hasNoOutlineForGlyphsThatAreNotThere() throws {
    for name in ["sample.ttf", "sample.otf"] {
      let face = try SampleFonts.face(name)
      let outline = try face.outline(of: GlyphID(60000))
      #expect(outline == nil)
      #expect(try face.advance(of: GlyphID(60000)) == 0)
    }
  }
}
