// @font-face: sources, traits, characters and metrics of the faces of a document. Fonts are told apart by the heights
// of their letters.

import Foundation
import ImageCoding
import SVGCodec
import TestSupport
import Testing

@Suite struct FontFaceTests {
  private func font(_ height: Int, letters: String = " a", family: String = "Inner") -> [UInt8] {
    RectangleFont(
      family: family,
      glyphs: letters.unicodeScalars.map { .init(character: $0, advance: 500, box: (0, 0, 500, height)) }
    ).bytes
  }

  private func url(_ bytes: [UInt8]) -> String {
    "data:font/ttf;base64,\(Data(bytes).base64EncodedString())"
  }

  private func source(_ height: Int, letters: String = " a") -> String {
    "src:url(\(url(font(height, letters: letters))))"
  }

  private func document(
    _ rules: String, _ attributes: String = "font-family='F'", _ content: String = "a",
    options: SVGDocument.Options? = nil
  ) throws -> SVGDocument {
    let text = "<text y='19' font-size='10' \(attributes)>\(content)</text>"
    let fallback = SVGDocument.Options(fonts: FontProvider(data: [font(100, letters: " ab", family: "Installed")]))
    return try SVGDocument(parsing: markup("<style>\(rules)</style>\(text)"), options: options ?? fallback)
  }

  /// The height of a text in tenths of its size; that of the installed font is 1.
  private func height(
    _ rules: String, _ attributes: String = "font-family='F'", _ content: String = "a"
  ) throws -> Int {
    19 - coveredBox(try document(rules, attributes, content).render())[1]
  }

  @Test func sourcesAreTriedInOrder() throws {
    let (good, bad) = (url(font(400)), "data:font/ttf;base64,AAAA")
    #expect(try height("@font-face{font-family:F;src:url(\(good))}") == 4)
    #expect(try height("@font-face{font-family:'f';src:url('\(good)') format('truetype')}") == 4)
    #expect(try height("@font-face{font-family:F;src:url(\(bad)),url(\(good))}") == 4)
    #expect(try height("@font-face{font-family:F;src:url(\(url(font(600)))) format(svg),url(\(good))}") == 4)
    #expect(
      try height("@font-face{font-family:F;src:url(\(good)) format(opentype) tech(color-COLRv1, variations)}") == 4)
    #expect(try height("@font-face{font-family:F;src:url(\(good)) tech(features-graphite)}") == 1)
    #expect(try height("@font-face{font-family:F;src:local(None),url(\(good))}") == 4)
    #expect(try height("@font-face{font-family:F;src:local('Installed'),url(\(good))}", "font-family='F'") >= 1)
    #expect(try height("@font-face{font-family:F;src:url(\(bad))}") == 1)
    let percent = font(400).map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try height("@font-face{font-family:F;src:url(data:,\(percent))}") == 4)
  }

  @Test func theDocumentPrecedesInstalledFonts() throws {
    #expect(try height("@font-face{font-family:Installed;\(source(400))}", "font-family='Installed'") == 4)
    // Without any installed font.
    let alone = try document("@font-face{font-family:F;\(source(400))}", options: SVGDocument.Options())
    #expect(19 - coveredBox(try alone.render())[1] == 4)
  }

  @Test func missingFontsAreDiagnosed() throws {
    let external = try document("@font-face{font-family:F;src:url(https://example.com/a.woff2)}")
    #expect(external.diagnostics.contains { $0.reason.contains("not available") })
    let damaged = try document("@font-face{font-family:F;src:url(data:font/ttf;base64,AAAA)}")
    #expect(damaged.diagnostics.contains { $0.reason.contains("no usable font") })
    let empty = try document("@font-face{font-family:F}")
    #expect(empty.diagnostics.contains { $0.reason.contains("@font-face") })
    var options = SVGDocument.Options()
    let bytes = font(400)
    options.loadResource = { $0 == "a.ttf" ? bytes : nil }
    let loaded = try document("@font-face{font-family:F;src:url(a.ttf)}", options: options)
    #expect(19 - coveredBox(try loaded.render())[1] == 4)
  }

  @Test func traitsSelectAFace() throws {
    let rules = """
      @font-face{font-family:F;\(source(200))}
      @font-face{font-family:F;font-weight:600 900;\(source(300))}
      @font-face{font-family:F;font-style:italic;\(source(400))}
      @font-face{font-family:F;font-stretch:75%;\(source(500))}
      @media print { @font-face{font-family:F;\(source(700))} }
      """
    for (attributes, expected) in [
      ("", 2), ("font-weight='700'", 3), ("font-weight='500'", 2), ("font-weight='550'", 3), ("font-weight='950'", 3),
      ("font-weight='100'", 2), ("font-style='italic'", 4), ("font-style='oblique'", 4),
      ("font-stretch='condensed'", 5), ("font-stretch='expanded'", 2),
    ] {
      #expect(try height(rules, "font-family='F' \(attributes)") == expected, "\(attributes)")
    }
    // The last of equal rules wins.
    #expect(try height("@font-face{font-family:F;\(source(200))}@font-face{font-family:F;\(source(300))}") == 3)
  }

  @Test func rangesOfCharactersDivideAFamily() throws {
    let rules = """
      @font-face{font-family:F;unicode-range:U+20, U+61;\(source(300, letters: " ab"))}
      @font-face{font-family:F;unicode-range:u+6?;\(source(500, letters: " ab"))}
      """
    #expect(try height(rules, "font-family='F'", "b") == 5)
    let one = "@font-face{font-family:F;unicode-range:U+20,U+61-61;\(source(300, letters: " ab"))}"
    #expect(try height(one, "font-family='F'", "a") == 3)
    #expect(try height(one, "font-family='F'", "b") == 1)
    // A range that is not valid has no effect.
    #expect(try height("@font-face{font-family:F;unicode-range:U+9-1;\(source(300))}") == 3)
  }

  @Test func sizesAndMetricsAreAdjusted() throws {
    #expect(try height("@font-face{font-family:F;size-adjust:200%;\(source(300))}") == 6)
    // The top of the line is the ascent above the baseline; the font's is 0.8.
    func shift(_ descriptors: String) throws -> Int {
      let rules = "@font-face{font-family:F;\(descriptors);\(source(300))}"
      let text = "font-family='F' dominant-baseline='text-before-edge' transform='translate(0 -19)'"
      return coveredBox(try document(rules, text).render())[3] + 1
    }
    #expect(try shift("font-style:normal") == 8)
    #expect(try shift("ascent-override:120%") == 12)
    #expect(try shift("ascent-override:60%;size-adjust:200%") == 12)
  }

  @Test func fontsAreDecodedForText() throws {
    let many = String(repeating: "@font-face{font-family:F;src:url(data:font/ttf;base64,AAAA)}", count: 300)
    func failures(_ body: String) throws -> Int {
      let document = try SVGDocument(parsing: markup("<style>\(many)</style>\(body)"))
      return document.diagnostics.count { $0.reason.contains("no usable font") }
    }
    #expect(try failures("<rect/>") == 0)
    #expect(try failures("<text font-family='F'>a</text>") > 0)
    // The memory of the fonts counts.
    var limits = SVGDocument.Limits()
    limits.decoding.maximumByteCount = 8 << 20
    let rule = "@font-face{font-family:F;\(source(300))}"
    _ = try SVGDocument(parsing: markup("<style>\(rule)</style><text font-family='F'>a</text>"), limits: limits)
    let large = url(font(300) + [UInt8](repeating: 0, count: 3 << 20))
    let error = #expect(throws: CodecError.self) {
      try SVGDocument(
        parsing: markup("<style>@font-face{font-family:F;src:url(\(large))}</style><text font-family='F'>a</text>"),
        limits: limits)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// A font that is too large for the limits tells whether it is loaded.
  @Test(arguments: [
    ("", "font-family='G'", false), ("", "font-family='G, f'", true), ("", "style='font:10px F'", true),
    ("", "style='--x:F;font-family:var(--x)'", true), ("", "", false),
    ("unicode-range:U+62", "font-family='F'", false), ("unicode-range:U+60-70", "font-family='F'", true),
    ("unicode-range:U+41", "font-family='F'", false),
    ("unicode-range:U+41", "font-family='F' style='text-transform:uppercase'", true),
    ("unicode-range:U+41", "font-family='F' style='font-variant-caps:small-caps'", true),
  ])
  func onlyFontsInUseAreLoaded(_ descriptors: String, _ attributes: String, _ isLoaded: Bool) throws {
    var limits = SVGDocument.Limits()
    limits.decoding.maximumByteCount = 8 << 20
    let large = url(font(300) + [UInt8](repeating: 0, count: 3 << 20))
    let rules = """
      @font-face{font-family:F;\(descriptors);src:url(\(large))}
      @font-face{font-family:F;unicode-range:U+20;\(source(200))}
      """
    let bytes = markup("<style>\(rules)</style><g \(attributes)><text>a</text></g>")
    if isLoaded {
      #expect(throws: CodecError.self) { try SVGDocument(parsing: bytes, limits: limits) }
    } else {
      _ = try SVGDocument(parsing: bytes, limits: limits)
    }
  }

  @Test func lineGapsAreReplaced() throws {
    func bottom(_ descriptors: String) throws -> Int {
      let rules = "@font-face{font-family:F;\(descriptors);\(source(300))}"
      let body = "<style>\(rules)</style><text y='1lh' font-size='10' font-family='F'>a</text>"
      return coveredBox(try draw(body))[3] + 1
    }
    #expect(try bottom("line-gap-override:normal") == 10 && bottom("line-gap-override:50%") == 15)
    #expect(try bottom("line-gap-override:50%;size-adjust:120%") == 18)
  }

  @Test func traitsAreParsedAsProperties() throws {
    func weight(_ descriptor: String) throws -> Int {
      try height(
        "@font-face{font-family:F;\(source(200))}@font-face{font-family:F;\(descriptor);\(source(300))}",
        "font-family='F' font-weight='700' font-stretch='75%' style='font-synthesis:none'")
    }
    #expect(try weight("font-weight:bold;font-stretch:condensed") == 3)
    #expect(try weight("font-weight:650 calc(700);font-stretch:50% 80%") == 3)
    #expect(try weight("font-weight:normal bold;font-stretch:ultra-condensed normal") == 3)
    // Values relative to a parent are not valid in a descriptor, so that both rules have the same traits.
    #expect(try weight("font-weight:bolder;font-stretch:narrower") == 3)
    #expect(try weight("font-weight:800 1001") == 3)
  }

  /// Every beginning of a rule, and every byte of it changed.
  @Test func damagedRulesAreRead() throws {
    let rule = """
      @font-face{font-family:"F\\46";src:local("x"),url('data:,%41') format("woff2") tech(variations);\
      unicode-range:U+4??,U+1-2;font-weight:100 900;size-adjust:5%;ascent-override:1%}
      """
    let bytes = Array(rule.utf8)
    for index in bytes.indices {
      for replacement: [UInt8] in [[], [UInt8(ascii: "'")], [UInt8(ascii: "(")], [10]] {
        let changed = bytes[..<index] + replacement + (replacement.isEmpty ? [] : bytes[(index + 1)...])
        let text = String(decoding: changed, as: UTF8.self)
        _ = try document(text, "font-family='F'").render()
      }
    }
  }
}
