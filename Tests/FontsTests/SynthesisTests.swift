// Synthesised bold and oblique outlines, compared with winding numbers and distances of the plain ones.

import FontTestSupport
import Fonts
import Testing
import VectorGraphics

@Suite struct SynthesisTests {
  /// The outline as closed polygons.
  private func polygons(_ path: Path) -> [[Point]] {
    var polygons: [[Point]] = []
    for segment in path.segments {
      func add(_ point: (Double) -> Point) {
        for step in 1...12 { polygons[polygons.count - 1].append(point(Double(step) / 12)) }
      }
      switch segment {
      case .move(let to): polygons.append([to])
      case .line(_, let to): polygons[polygons.count - 1].append(to)
      case .quad(let a, let b, let c):
        add { t in a * ((1 - t) * (1 - t)) + b * (2 * t * (1 - t)) + c * (t * t) }
      case .cubic(let a, let b, let c, let d):
        add { t in
          let u = 1 - t
          return a * (u * u * u) + b * (3 * t * u * u) + (c * (3 * t * t * u) + d * (t * t * t))
        }
      case .close: break
      }
    }
    return polygons
  }

  private func edges(_ polygons: [[Point]]) -> [(Point, Point)] {
    polygons.flatMap { polygon in polygon.indices.map { (polygon[$0], polygon[($0 + 1) % polygon.count]) } }
  }

  private func winding(_ point: Point, _ edges: [(Point, Point)]) -> Int {
    edges.reduce(0) { sum, edge in
      let (a, b) = edge
      guard (a.y <= point.y) != (b.y <= point.y) else { return sum }
      let isLeft = (b - a).cross(point - a) > 0
      return a.y <= point.y ? sum + (isLeft ? 1 : 0) : sum - (isLeft ? 0 : 1)
    }
  }

  private func distance(_ point: Point, _ edges: [(Point, Point)]) -> Double {
    edges.lazy.map { a, b in
      let direction = b - a
      let squared = direction.dot(direction)
      let place = squared > 0 ? min(max((point - a).dot(direction) / squared, 0), 1) : 0
      return (point - (a + direction * place)).length
    }.min() ?? .infinity
  }

  /// Outlines of both directions, with holes, curves and corners, but without contours that cross themselves.
  @Test(arguments: [("sample.ttf", "ABVo"), ("sample.otf", "AVo"), ("variable.ttf", "ABVo")])
  func boldOutlinesAreWiderByTheStroke(_ name: String, _ characters: String) throws {
    let face = try SampleFonts.face(name)
    let width = 0.05
    let bold = face.synthesised(FaceSynthesis(boldWidth: width))
    let reach = width / 2 * face.unitsPerEm
    var insideCount = 0
    for character in characters.unicodeScalars {
      guard let glyph = face.glyph(for: character), let plain = try face.outline(of: glyph),
        let wide = try bold.outline(of: glyph), let box = plain.controlBounds
      else { continue }
      let (plainEdges, wideEdges) = (edges(polygons(plain)), edges(polygons(wide)))
      let area = box.expanded(by: reach * 5)
      for row in 0..<45 {
        for column in 0..<45 {
          let point = Point(
            x: area.minX + (Double(column) + 0.37) / 45 * area.width,
            y: area.minY + (Double(row) + 0.41) / 45 * area.height)
          let isInside = winding(point, plainEdges) != 0
          let distance = distance(point, plainEdges)
          let isWide = winding(point, wideEdges) != 0
          if isInside || distance < reach * 0.98 {
            #expect(isWide, "\(character) at \(point)")
            insideCount += 1
          } else if distance > reach * 4.01 {
            // Miters are at most four times as long as half of the width.
            #expect(!isWide, "\(character) at \(point)")
          }
        }
      }
    }
    #expect(insideCount > 500)
  }

  @Test func obliqueOutlinesAreSlantedByAQuarter() throws {
    let face = try SampleFonts.face("sample.ttf")
    let glyph = try #require(face.glyph(for: "A"))
    let plain = try #require(try face.outline(of: glyph))
    let oblique = try #require(try face.synthesised(FaceSynthesis(isOblique: true)).outline(of: glyph))
    #expect(plain.verbs == oblique.verbs)
    for (a, b) in zip(plain.points, oblique.points) { #expect(b == Point(x: a.x + a.y / 4, y: a.y)) }
  }

  /// The widths that Skia uses: 1/24 of the size up to 9 pixels, 1/32 from 36 on.
  @Test func boldWidthsDependOnTheSize() {
    let (wide, middle, narrow): (Double, Double, Double) = (1.0 / 24, 7.0 / 192, 1.0 / 32)
    let widths: [(Double, Double)] = [(0, wide), (9, wide), (22.5, middle), (36, narrow), (500, narrow)]
    for (size, width) in widths {
      #expect(abs(FaceSynthesis.boldWidth(ofSize: size) - width) < 1e-12)
    }
  }

  @Test func synthesisIsPartOfTheIdentity() throws {
    let face = try SampleFonts.face("sample.ttf")
    let larger = face.synthesised(FaceSynthesis(sizeScale: 2))
    #expect(larger.id != face.id && larger.unitsPerEm * 2 == face.unitsPerEm)
    #expect(larger.synthesised(.none).id == face.id)
  }

  @Test func palettesAreSelected() throws {
    let face = try SampleFonts.face("layers.ttf")
    func color(_ palette: PaletteSelection) throws -> Color? {
      guard case .painting(let painting)? = try face.colorGlyph(of: GlyphID(2), palette: palette),
        case .fill(_, .solid(let color)) = painting.operations[0]
      else { return nil }
      return color
    }
    #expect(try color(.standard) == Color(red: 1, green: 0, blue: 0))
    // The font has no further palette and no types.
    #expect(try color(PaletteSelection(base: .index(7))) == Color(red: 1, green: 0, blue: 0))
    #expect(try color(PaletteSelection(base: .dark)) == Color(red: 1, green: 0, blue: 0))
    let blue = Color(red: 0, green: 0, blue: 1)
    #expect(try color(PaletteSelection(overrides: [0: blue])) == blue)
  }
}
