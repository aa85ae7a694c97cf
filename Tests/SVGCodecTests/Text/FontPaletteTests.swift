// The property font-palette and the rule @font-palette-values.

import SVGCodec
import TestSupport
import Testing

@Suite struct FontPaletteTests {
  /// A square in the second colour of three palettes; the second palette is for dark backgrounds, the third for light
  /// ones.
  private func font(types: [Int] = [0, 2, 1]) -> RectangleFont {
    var font = RectangleFont(glyphs: [.init(character: "a", advance: 1000, box: (0, 0, 1000, 1000))])
    let palettes: [[[UInt8]]] = [
      [[1, 1, 1, 255], [255, 0, 0, 255]], [[2, 2, 2, 255], [0, 255, 0, 255]], [[3, 3, 3, 255], [0, 0, 255, 255]],
    ]
    font.extraTables = [
      ("COLR", ColorGlyphTables.paints([(1, .glyph(1, .solid(entry: 1, alpha: 1)))])),
      ("CPAL", ColorGlyphTables.palettes(palettes, types: types)),
    ]
    return font
  }

  private func color(_ rules: String, _ style: String, _ font: RectangleFont) throws -> String {
    let body = "<style>\(rules)</style><text y='20' font-size='20' style='\(style)'>a</text>"
    return pixel(try draw(body, options: options(fonts: font)), 10, 10)
  }

  @Test(arguments: [
    ("", "ff0000ff"), ("font-palette:normal", "ff0000ff"), ("font-palette:light", "0000ffff"),
    ("font-palette:DARK", "00ff00ff"), ("font-palette:--none", "ff0000ff"),
    ("font-palette:dark;font:20px Boxes", "ff0000ff"), ("--p:dark;font-palette:var(--p)", "00ff00ff"),
    ("font-palette:dark;font-palette:other", "00ff00ff"),
  ])
  func keywords(_ style: String, _ expected: String) throws {
    #expect(try color("", style, font()) == expected)
  }

  /// Fonts that do not say which palette is for which background.
  @Test func palettesWithoutTypes() throws {
    for style in ["font-palette:light", "font-palette:dark"] {
      #expect(try color("", style, font(types: [])) == "ff0000ff")
      #expect(try color("", style, font(types: [0, 0, 0])) == "ff0000ff")
    }
  }

  @Test(arguments: [
    ("font-family:Boxes;base-palette:1", "00ff00ff"), ("font-family:'boxes', Other;base-palette:light", "0000ffff"),
    ("font-family:Boxes;base-palette:dark", "00ff00ff"), ("font-family:Other;base-palette:1", "ff0000ff"),
    ("font-family:Boxes;base-palette:9", "ff0000ff"), ("font-family:Boxes;base-palette:-1", "ff0000ff"),
    ("font-family:Boxes;override-colors:1 #123456", "123456ff"),
    ("font-family:Boxes;override-colors:0 red, 1 rgb(1 2 3), 7 blue", "010203ff"),
    ("font-family:Boxes;override-colors:0 red;base-palette:2", "0000ffff"),
    ("font-family:Boxes;override-colors:1 currentcolor", "ff0000ff"),
    ("font-family:Boxes;override-colors:1 #123456, 0 nothing", "ff0000ff"),
    ("font-family:serif;base-palette:1", "ff0000ff"), ("base-palette:1", "ff0000ff"),
  ])
  func namedPalettes(_ descriptors: String, _ expected: String) throws {
    let rule = "@font-palette-values --p{\(descriptors)}"
    #expect(try color(rule, "font-palette:--p", font()) == expected, "\(descriptors)")
    // The last rule of a name counts.
    let two = "@font-palette-values --p{font-family:Boxes;base-palette:2}@media all{\(rule)}"
    if descriptors.contains("font-family:Boxes") || descriptors.contains("boxes") {
      #expect(try color(two, "font-palette:--p", font()) == expected)
    }
  }

  /// Every beginning of a rule, and every byte of it changed.
  @Test func damagedRulesAreRead() throws {
    let rule = Array(
      "@font-palette-values --p{font-family:'B',c;base-palette:1;override-colors:1 #123,2 rgb(1 2 3)}".utf8)
    let font = font()
    for index in rule.indices {
      for replacement: [UInt8] in [[], [UInt8(ascii: "'")], [UInt8(ascii: "(")], [UInt8(ascii: ",")], [255]] {
        let changed = rule[..<index] + replacement + (replacement.isEmpty ? [] : rule[(index + 1)...])
        _ = try color(String(decoding: changed, as: UTF8.self), "font-palette:--p", font)
      }
    }
  }

  /// Light is blue, dark is green, normal is red. In sRGB the shares are those of the channels; in CIE XYZ, of light.
  @Test(arguments: [
    ("palette-mix(in srgb, light, dark)", "008080ff"), ("palette-mix(in srgb, light 25%, dark)", "00bf40ff"),
    ("PALETTE-MIX( in srgb , light , 100% dark )", "00ff00ff"), ("palette-mix(in srgb, light 0%, dark)", "00ff00ff"),
    ("palette-mix(in srgb, light 30%, dark 20%)", "00669980"), ("palette-mix(in xyz, normal, dark)", "bcbc00ff"),
    ("palette-mix(in srgb, palette-mix(in srgb, light, dark) 40%, normal)", "993333ff"),
    ("palette-mix(in srgb, --p, normal)", "a07050ff"), ("palette-mix(in srgb, --missing, dark)", "808000ff"),
    ("palette-mix(in hsl longer hue, normal, normal)", "00ffffff"),
    // Invalid.
    ("palette-mix(light, dark)", "ff0000ff"), ("palette-mix(in srgb, light 0%, dark 0%)", "ff0000ff"),
    ("palette-mix(in srgb, light 101%, dark)", "ff0000ff"), ("palette-mix(in srgb, light)", "ff0000ff"),
    ("palette-mix(in srgb, light, dark, dark)", "ff0000ff"), ("palette-mix(in srgb, red, dark)", "ff0000ff"),
    ("palette-mix(in srgb longer hue, light, dark)", "ff0000ff"), ("palette-mix(in srgb, light, dark) x", "ff0000ff"),
    ("palette-mix(in srgb, light, dark", "ff0000ff"),
  ])
  func mixtures(_ value: String, _ expected: String) throws {
    let rule = "@font-palette-values --p{font-family:Boxes;override-colors:1 #41e0a0}"
    #expect(try color(rule, "font-palette:\(value)", font()) == expected, "\(value)")
  }

  @Test func nestedMixturesAreLimited() throws {
    let value = (0..<5_000).reduce("dark") { text, _ in "palette-mix(in srgb, normal, \(text))" }
    #expect(try color("", "font-palette:\(value)", font()) == "ff0000ff")
  }

  @Test func unsupportedValuesAreDiagnosed() throws {
    func reasons(_ style: String) throws -> [String] {
      try SVGDocument(parsing: markup("<style>\(style)</style>")).diagnostics.map(\.reason)
    }
    #expect(try reasons("@font-palette-values p{font-family:F}").contains { $0.contains("@font-palette-values") })
    #expect(try reasons("a{hyphens:auto;shape-inside:circle()}").count == 2)
  }
}
