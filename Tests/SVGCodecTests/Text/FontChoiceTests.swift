// Which font text is set in: families, shorthands, weights, sizes, and characters that a font lacks.

import SVGCodec
import TestSupport
import Testing

@Suite struct FontChoiceTests {
  /// Fonts that are told apart by the heights of their letters.
  private static let fonts: SVGDocument.Options = {
    func font(_ family: String, weight: Int = 400, height: Int, letters: String = "a") -> [UInt8] {
      RectangleFont(
        family: family, weight: weight,
        glyphs: letters.unicodeScalars.map { .init(character: $0, advance: 500, box: (0, 0, 500, height)) }
      ).bytes
    }
    var provider = FontProvider(data: [
      font("One", height: 100), font("One", weight: 700, height: 200), font("Two Words", height: 300),
      font("Other", height: 400, letters: "b"), font("Serif", height: 500),
    ])
    provider.serifFamily = "Serif"
    provider.monospaceFamily = "Two Words"
    provider.defaultFamily = "One"
    return SVGDocument.Options(fonts: provider)
  }()

  /// The height of a text in hundredths of its size.
  private func height(_ attributes: String, _ content: String = "a", size: Double = 10) throws -> Int {
    let body = "<g font-size='10'><text y='19' font-size='\(size)' \(attributes)>\(content)</text></g>"
    let box = coveredBox(try draw(body, options: Self.fonts))
    return Int((Double(19 - box[1]) / size * 10).rounded())
  }

  @Test(arguments: [
    ("", 1), ("font-family='One'", 1), ("font-family='Two Words'", 3), ("font-family='two   words'", 3),
    ("font-family='\"Two Words\", One'", 3), ("font-family='None, Two Words'", 3), ("font-family='None'", 5),
    ("font-family='None, monospace'", 3), ("font-weight='bold'", 2), ("font-weight='bolder'", 2),
    ("font-weight='600'", 2), ("font-weight='300'", 1), ("style='font:bold 10px One'", 2),
    ("style='font:italic 10px/2 \"Two Words\"'", 3), ("style='font:10px / 2 Two Words'", 3),
    ("font-weight='bold' style='font:10px One'", 1),
  ])
  func families(_ attributes: String, _ expected: Int) throws {
    #expect(try height(attributes) == expected, "\(attributes)")
  }

  @Test func shorthandSize() throws {
    #expect(try height("style='font:20px Two Words'", size: 20) == 3)
    #expect(try height("style='font:200% Two Words'") == 6)
    #expect(try height("style='font:xx-large/1.5 Two Words'", size: 32) == 3)
  }

  /// Text without a size, `medium` and `rem` follow the options; nonsense does not.
  @Test func defaultSize() throws {
    func height(_ size: Double, _ attributes: String = "") throws -> Int {
      var options = Self.fonts
      options.defaultFontSize = size
      let box = coveredBox(try draw("<text y='19' font-family='Two Words' \(attributes)>a</text>", options: options))
      return 20 - 1 - box[1]
    }
    #expect(try height(30) == 9 && height(30, "font-size='medium'") == 9 && height(60, "font-size='.5rem'") == 9)
    #expect(try height(20, "font-size='initial'") == 6)
    #expect(try height(.nan) == height(16) && height(-1) == height(16))
  }

  @Test func fallback() throws {
    #expect(try height("", "b") == 4)
    #expect(try height("font-family='Two Words'", "b") == 4)
  }

  @Test func withoutFonts() throws {
    let document = try SVGDocument(parsing: markup("<text y='10'>a</text>"))
    #expect(document.diagnostics.count == 1)
    #expect(coveredCount(try document.render()) == 0)
  }
}
