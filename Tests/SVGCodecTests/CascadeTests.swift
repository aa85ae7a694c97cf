// Validity, layers, nesting, conditions and the functions of values, seen in the colour of a square.

import SVGCodec
import Testing

@Suite struct CascadeTests {
  private func color(_ sheet: String, _ body: String) throws -> String {
    let escaped = sheet.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return pixel(try draw("<style>\(escaped)</style>\(body)"), 10, 10)
  }

  private static let square = "<g class='g'><rect id='i' class='c' width='20' height='20' data-x='Ab' fill='#00f'/></g>"

  /// An invalid declaration does not override a valid one (CSS Cascade 4, section 4.2).
  @Test(arguments: [
    "fill:#0f0;fill:bogus(1)", "fill:#0f0;fill:rgb(1,2%,3)", "fill:#0f0;display:bogus", "fill:#0f0;visibility:bogus",
    "fill:#0f0;width:min(2px,bogus)", "fill:#0f0;transform:bogus", "fill:#0f0;clip-path:bogus", "fill:#0f0;opacity:x",
    "fill:#0f0 !important;fill:#f00", "fill:#f00;fill:#0f0", "fill:#0f0;mask:bogus()", "fill:#0f0;filter:bogus",
  ])
  func validity(style: String) throws {
    #expect(pixel(try draw("<rect width='20' height='20' fill='#f00' style='\(style)'/>"), 10, 10) == "00ff00ff")
  }

  @Test(arguments: [
    "@layer a{rect{fill:#f00}} @layer b{rect{fill:#0f0}}",
    "@layer a,b; @layer b{rect{fill:#0f0}} @layer a{#i{fill:#f00}}",
    "@layer a{#i{fill:#f00}} rect{fill:#0f0}", "@layer a{rect{fill:#0f0 !important}} #i{fill:#f00 !important}",
    "@layer a{@layer b{#i{fill:#f00}} rect{fill:#0f0}}", "@layer a.b{rect{fill:#f00}} @layer a{rect{fill:#0f0}}",
    "@layer a{rect{fill:#0f0}} rect{fill:revert-layer}", "@layer{rect{fill:#f00}} @layer{rect{fill:#0f0}}",
  ])
  func layers(sheet: String) throws {
    #expect(try color(sheet, Self.square) == "00ff00ff", "\(sheet)")
  }

  @Test(arguments: [
    "g{rect{fill:#0f0}}", ".c{fill:#f00; &#i{fill:#0f0}}", ".g{> rect{fill:#0f0}}", "rect{.g &{fill:#0f0}}",
    ".g{.c{&:not(.x){fill:#0f0}}}", "g{@media screen{rect{fill:#0f0}}}", "rect{@media all{fill:#0f0}}",
    "rect{fill:#f00; .x{fill:#f00} fill:#0f0}", ".g{& rect, .z{fill:#0f0}}",
  ])
  func nesting(sheet: String) throws {
    #expect(try color(sheet, Self.square) == "00ff00ff", "\(sheet)")
  }

  @Test(arguments: [
    "@supports (fill:red){rect{fill:#0f0}}", "@supports not (fill:bogus()){rect{fill:#0f0}}",
    "@supports (no-such:1) or (fill:red){rect{fill:#0f0}}", "@supports selector(:has(a)){rect{fill:#0f0}}",
    "@media (min-width:20px){rect{fill:#0f0}}", "@media (width<=20px) and (height>10px){rect{fill:#0f0}}",
    "@media print, (10px<width<30px){rect{fill:#0f0}}", "@media not print{rect{fill:#0f0}}",
    "@media (prefers-color-scheme:light){rect{fill:#0f0}}", "@media screen and (orientation:portrait){rect{fill:#0f0}}",
  ])
  func conditionsThatHold(sheet: String) throws {
    #expect(try color(sheet, Self.square) == "00ff00ff", "\(sheet)")
  }

  @Test(arguments: [
    "@supports (fill:bogus()){rect{fill:#0f0}}", "@supports not (fill:red){rect{fill:#0f0}}",
    "@supports (fill:red) and (no-such:1){rect{fill:#0f0}}", "@media (min-width:21px){rect{fill:#0f0}}",
    "@media (prefers-color-scheme:dark){rect{fill:#0f0}}", "@media print{rect{fill:#0f0}}",
    "@media (no-such:1){rect{fill:#0f0}}", "@media not (no-such:1){rect{fill:#0f0}}",
  ])
  func conditionsThatDoNotHold(sheet: String) throws {
    #expect(try color(sheet, Self.square) == "0000ffff", "\(sheet)")
  }

  @Test(arguments: [
    "[data-x='aB' i]", "g:has(rect) rect", "g:has(> .c) rect", "style:has(+ g) ~ g rect", ":nth-child(1 of .c)",
    ":lang(en)", ":lang('*-US')", "rect:is(g rect)", "rect:not(svg > rect)",
  ])
  func selectors(selector: String) throws {
    let body = "<g class='g' xml:lang='en-US'><path/><rect class='c' width='20' height='20' data-x='Ab'/></g>"
    #expect(try color("\(selector){fill:#0f0}", body) == "00ff00ff", "\(selector)")
  }

  @Test(arguments: ["g:has(circle) rect", "[data-x='aB' s]", ":lang(de)", "rect:nth-child(1 of .x)", "g:has(> g) rect"])
  func selectorsThatDoNotMatch(selector: String) throws {
    #expect(try color("\(selector){fill:#0f0}", Self.square) == "0000ffff", "\(selector)")
  }

  /// Values from CSS Color 5: the specification's own examples where it has any, otherwise exact cases.
  @Test(arguments: [
    ("color-mix(in srgb, #0f0 100%, #fff)", "00ff00ff"), ("color-mix(in srgb, #f00, #00f)", "800080ff"),
    ("color-mix(in srgb, #f00 25%, #00f)", "4000bfff"), ("color-mix(in srgb, #f00 20%, #00f 20%)", "80008066"),
    ("color-mix(in hsl, #f00, #0f0)", "ffff00ff"), ("color-mix(in hsl longer hue, #f00, #0f0)", "0000ffff"),
    ("color-mix(in srgb-linear, #000, #fff)", "bcbcbcff"), ("light-dark(#0f0, #f00)", "00ff00ff"),
    ("rgb(from #0f0 r g b)", "00ff00ff"), ("rgb(from #123456 b g r / 0.5)", "56341280"),
    ("hsl(from #f00 calc(h + 120) s l)", "00ff00ff"), ("rgb(from #ff0 calc(r / 3) g 0)", "55ff00ff"),
    ("color-mix(in srgb, color-mix(in srgb, #f00, #f00), #f00)", "ff0000ff"),
    ("rgb(min(255, 300) max(0, -5) clamp(0, 51, 100))", "ff0033ff"), ("oklab(from #0f0 l a b)", "00ff00ff"),
    ("lch(from #00f l c h)", "0000ffff"), ("color(from #123456 display-p3 r g b)", "123456ff"),
  ])
  func colors(value: String, expected: String) throws {
    #expect(try fillColor(value) == expected, "\(value)")
  }

  @Test(arguments: [
    ("min(12px, 50%)", 10), ("max(12px, 50%)", 12), ("clamp(5px, 100%, 15px)", 15), ("calc(50% + 1em - 20px)", 6),
    ("calc((1em + 4px) / 2)", 10), ("min(10px, max(2px, 8px))", 8), ("abs(-7px)", 7), ("calc(2 * (3px + 25%))", 16),
    ("calc(sign(-2px) * -9px)", 9),
  ])
  func lengths(value: String, expected: Int) throws {
    let bitmap = try draw("<rect height='20' style='width:\(value);font-size:16px'/>")
    #expect(coveredBox(bitmap)[2] == expected - 1, "\(value)")
  }

  @Test func customPropertiesThroughUse() throws {
    let body = """
      <defs><rect id='r' width='20' height='20' style='fill:var(--c, #f00)'/></defs><use href='#r' style='--c:#0f0'/>
      """
    #expect(pixel(try draw(body), 10, 10) == "00ff00ff")
    #expect(pixel(try draw(body.replacing("--c:#0f0", with: "--c:initial")), 10, 10) == "ff0000ff")
  }

  @Test func linkedStyleSheets() throws {
    let document = """
      <?xml-stylesheet type="text/css" href="data:text/css,rect{fill:%230f0}"?>
      <svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20'/></svg>
      """
    #expect(pixel(try SVGDocument(parsing: Array(document.utf8)).render(), 10, 10) == "00ff00ff")
  }
}
