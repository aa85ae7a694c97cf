// Selectors, specificity, the cascade and inheritance, seen in the colour of a square.

import SVGCodec
import Testing

@Suite struct StyleTests {
  private func color(_ sheet: String, _ body: String) throws -> String {
    pixel(try draw("<style>\(sheet)</style>\(body)"), 10, 10)
  }

  private static let square = "<rect id='i' class='c d' width='20' height='20' data-x='one two' fill='#000'/>"

  @Test(arguments: [
    "rect", "*", ".c", ".c.d", "#i", "rect#i.c", "[data-x]", "[data-x='one two']", "[data-x~=two]", "[data-x^='one']",
    "[data-x$=two]", "[data-x*='e t']", "svg rect", "svg > rect", "style + rect", "style ~ rect", ":not(.e)",
    "rect:not(circle)", ":is(.e, .c)", ":where(rect)", "rect:nth-child(2)", "rect:nth-child(even)", "rect:last-child",
    "rect:first-of-type", "rect:only-of-type", "rect:nth-last-child(-n+1)", ":root rect", "circle, rect", "r\\65 ct",
    "svg|rect",
    "/* comment */rect", "RECT, rect",
  ])
  func selectorsThatMatch(selector: String) throws {
    #expect(try color("\(selector) { fill: #0f0 }", Self.square) == "00ff00ff", "\(selector)")
  }

  @Test(arguments: [
    "circle", ".e", "#j", "[data-y]", "[data-x=one]", "svg > g > rect", "rect + rect", ":not(rect)", "rect:hover",
    "rect::before", "rect:first-child", "rect:only-child", "rect:nth-child(3n)", "g rect", "rect..c", "rect,", "rect {",
  ])
  func selectorsThatDoNotMatch(selector: String) throws {
    #expect(try color("\(selector) { fill: #0f0 }", Self.square) == "000000ff", "\(selector)")
  }

  /// Pairs of which the first is the more specific one (Selectors 4, section 17).
  @Test(arguments: [
    ("#i", ".c.d"), (".c", "svg rect"), (".c.d", ".c"), ("svg rect", "rect"), ("rect", "*"), ("rect.c", ".c"),
    (":not(#i2)", ".c"), ("[data-x]", "rect"), ("rect:last-child", "rect"), ("rect", ":where(#i)"), ("svg > .c", ".c"),
  ])
  func specificity(stronger: String, weaker: String) throws {
    let first = "\(stronger) { fill: #0f0 }"
    let second = "\(weaker) { fill: #f00 }"
    #expect(try color(first + second, Self.square) == "00ff00ff", "\(stronger) > \(weaker)")
    #expect(try color(second + first, Self.square) == "00ff00ff", "\(stronger) > \(weaker)")
  }

  /// In a URL without quotes, marks of comments, quotes and brackets are part of it (CSS Syntax 3, 4.3.6).
  @Test(arguments: ["//a/*b", "a'b", "a\\)b", "(a", "a{b", "[;}"])
  func declarationsAfterURLs(url: String) throws {
    let sheet = ".c { mask: none; x: url(\(url)); fill: #0f0 }"
    #expect(try color(sheet, Self.square) == "00ff00ff")
    let styled = "<rect width='20' height='20' style=\"x:url( \(url) );fill:#0f0\"/>"
    #expect(try color("", styled) == "00ff00ff")
  }

  @Test func order() throws {
    #expect(try color(".c { fill: #f00 } .d { fill: #0f0 }", Self.square) == "00ff00ff")
    #expect(try color(".c { fill: #0f0 !important } #i { fill: #f00 }", Self.square) == "00ff00ff")
    let styled = "<rect width='20' height='20' fill='#f00' style='fill:#0f0'/>"
    #expect(try color("rect { fill: #00f }", styled) == "00ff00ff")
    #expect(try color("rect { fill: #00f !important }", styled) == "0000ffff")
    let both = "<rect width='20' height='20' style='fill:#0f0!important;fill:#f00'/>"
    #expect(try color("rect { fill: #00f }", both) == "00ff00ff")
  }

  /// Imported rules come before those of the sheet, in the order of the imports; the library follows no link itself.
  @Test func imports() throws {
    let sheets = [
      "a.css": "@import 'b.css'; .c { fill: #f00 }", "b.css": "rect { fill: #00f; stroke: #f00 }",
      "loop.css": "@import 'loop.css';",
    ]
    let options = SVGDocument.Options(loadResource: { sheets[$0].map { Array($0.utf8) } })
    func color(_ sheet: String) throws -> String {
      pixel(try draw("<style>\(sheet)</style>\(Self.square)", options: options), 10, 10)
    }
    #expect(try color("@import url(b.css);") == "0000ffff")
    #expect(try color("@import url( \"a.css\" );") == "ff0000ff")
    #expect(try color("@import 'a.css' print; .d { fill: #0f0 }") == "00ff00ff")
    #expect(try color("@import 'b.css' screen; @import 'loop.css';") == "0000ffff")
    #expect(try color(".d { fill: #0f0 } @import 'a.css';") == "00ff00ff")
    #expect(try color("@import url('data:text/css,rect{fill:%230f0}');") == "00ff00ff")
    let silent = try SVGDocument(parsing: markup("<style>@import 'b.css';</style>\(Self.square)"))
    #expect(silent.diagnostics.map(\.reason) == ["@import is not followed"])
  }

  @Test(arguments: [
    ("--x: #0f0", "var(--x)"), ("", "var(--x, #0f0)"), ("", "var(--x,var( --y , #0f0))"),
    ("--x: var(--y); --y: #0f0", "var(--x)"), ("--g: 255", "rgb(0, var(--g), var(--none,0))"),
    ("--x: #f00 !important; --x: #00f; --y: #0f0", "var(--y)"), ("--x: #0f0 !important; --x: #f00", "var(--x)"),
  ])
  func customProperties(declared: String, value: String) throws {
    #expect(try color("svg { \(declared) } rect { fill: \(value) }", Self.square) == "00ff00ff")
    let attribute = "<g style='\(declared)'><rect width='20' height='20' fill='\(value)'/></g>"
    #expect(try color("", attribute) == "00ff00ff")
  }

  /// A call that cannot be replaced makes the declaration invalid, which leaves what is inherited.
  @Test(arguments: ["var(--none)", "var(--a)", "var(x)", "var(", "var(--x"])
  func callsThatCannotBeReplaced(value: String) throws {
    let body = "<g fill='#0f0'><rect width='20' height='20' style='--a:var(--b);--b:var(--a);fill:\(value)'/></g>"
    #expect(try color("", body) == "00ff00ff")
  }

  @Test func customPropertiesAreBounded() throws {
    let doublings = (1..<200).map { "--p\($0):var(--p\($0 - 1)) var(--p\($0 - 1));" }.joined()
    let body = "<g style='--p0:aaaaaaaaaaaaaaaaaaaa;\(doublings)'><rect style='fill:var(--p199,red)'/></g>"
    let many = String(repeating: "<rect style='fill:var(--p9)'/>", count: 2_000)
    _ = try draw("<g style='--p0:aaaaaaaaaaaaaaaaaaaa;\(doublings)'>\(body)\(many)</g>")
  }

  /// Geometry is a matter of style since SVG 2.
  @Test func geometryProperties() throws {
    let sheet = "rect { width: 8px; height: 50%; x: 4 } circle { r: 3px; cx: 10px } path { d: path('M2 2h6v6h-6z') }"
    #expect(coveredBox(try draw("<style>\(sheet)</style><rect width='1' y='2'/>")) == [4, 2, 11, 11])
    #expect(coveredBox(try draw("<style>\(sheet)</style><circle cy='10' r='9'/>")) == [7, 7, 12, 12])
    #expect(coveredBox(try draw("<style>\(sheet)</style><path d='M0 0h20v20z'/>")) == [2, 2, 7, 7])
    #expect(coveredCount(try draw("<path style='d:none' d='M0 0h20v20z'/>")) == 0)
  }

  @Test func atRules() throws {
    #expect(try color("@media screen { rect { fill: #0f0 } }", Self.square) == "00ff00ff")
    #expect(try color("@media print { rect { fill: #f00 } } .c { fill: #0f0 }", Self.square) == "00ff00ff")
    #expect(try color("@import url(x.css); @font-face { a: b } rect { fill: #0f0 }", Self.square) == "00ff00ff")
    #expect(try color("<![CDATA[ rect { fill: #0f0 } ]]>", Self.square) == "00ff00ff")
    #expect(try color("} rect { fill: #0f0; ; bogus; x:y }", Self.square) == "00ff00ff")
  }

  @Test func inheritance() throws {
    let child = "<rect width='20' height='20'/>"
    #expect(try color("", "<g fill='#0f0'>\(child)</g>") == "00ff00ff")
    #expect(try color("", "<g fill='#0f0' opacity='0.5'>\(child)</g>") == "00ff0080")
    let inherits = "<g opacity='0.5'><rect width='20' height='20' fill='#0f0' opacity='inherit'/></g>"
    #expect(try color("", inherits) == "00ff0040")
    #expect(try color("", "<g fill='#f00'><rect width='20' height='20' fill='initial'/></g>") == "000000ff")
    #expect(try color("", "<g color='#0f0'><rect width='20' height='20' fill='currentColor'/></g>") == "00ff00ff")
    #expect(try color("", "<g fill='currentColor'><rect color='#0f0' width='20' height='20'/></g>") == "00ff00ff")
  }

  @Test func compositingPropertiesAreNoAttributes() throws {
    let body = "<rect width='20' height='20' fill='#f00'/><rect width='20' height='20' fill='#0f0' %/>"
    let attribute = body.split(separator: "%").joined(separator: "mix-blend-mode='multiply'")
    #expect(try color("", attribute) == "00ff00ff")
    let property = body.split(separator: "%").joined(separator: "style='mix-blend-mode:multiply'")
    #expect(try color("", property) == "000000ff")
  }

  @Test func conditionalProcessing() throws {
    let choice = """
      <switch><rect width='20' height='20' fill='#f00' systemLanguage='de'/>
      <rect width='20' height='20' fill='#0f0' systemLanguage='fr, en-GB'/><rect width='20' height='20'/></switch>
      """
    #expect(try color("", choice) == "00ff00ff")
    let german = try draw(choice, options: SVGDocument.Options(languages: ["de"]))
    #expect(pixel(german, 10, 10) == "ff0000ff")
  }
}
