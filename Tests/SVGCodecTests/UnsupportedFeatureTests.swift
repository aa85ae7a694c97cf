// Every feature that is not supported, and the diagnostic that names it: what is dropped is never dropped in silence.

import SVGCodec
import Testing

@Suite struct UnsupportedFeatureTests {
  private func diagnostics(_ body: String) throws -> [String] {
    try SVGDocument(parsing: markup(body)).diagnostics.map(\.reason)
  }

  @Test(arguments: [
    ("fill:bogus(1)", "the value bogus(1) of fill is not valid"),
    ("no-such:1", "the property no-such is not known"), ("fill:", "the value  of fill is not valid"),
    ("fill red", "a declaration of fill without a value is ignored"), ("backdrop-filter:blur(2px)", "backdrop-filter"),
    ("mask:bogus-gradient(red)", "not valid"), ("mask-image:url(a.png)", "the picture a.png is not available"),
    ("background-blend-mode:screen", "background-blend-mode"), ("stroke-linejoin:arcs", "joins of the kind arcs"),
    ("vector-effect:fixed-position", "vector-effect"), ("font-size-adjust:0.5", ""),
    ("hyphens:auto", "hyphens: auto"),
    ("text-indent:1em hanging", "text-indent"), ("font-variant:swash(a)", "font-variant-alternates"),
    ("font-palette:light", ""),
    ("text-emphasis:dot", ""), ("hyphens:none", ""), ("font-palette:palette-mix(in srgb, light, dark)", ""),
    ("font-synthesis:none", ""),
    ("text-combine-upright:all", "text-combine-upright"),
    ("perspective:10px", "perspective"), ("transform:perspective(10px)", "not valid"), ("zoom:2", "zoom"),
    ("offset-path:none", ""), ("offset-path:path('M0 0h1')", "offset-path"), ("box-shadow:1px 1px", "box-shadow"),
    ("shape-inside:circle(1px)", "shape-inside"), ("all:unset", "all"),
    ("filter:url(#none)", "a filter that is referred to does not exist"),
  ])
  func properties(style: String, expected: String) throws {
    let found = try diagnostics("<rect width='9' height='9' style=\"\(style)\"/>")
    #expect(expected.isEmpty ? found.isEmpty : found.contains { $0.contains(expected) }, "\(style): \(found)")
  }

  @Test(arguments: [
    ("@font-face{font-family:a}", "@font-face"), ("@keyframes a{to{x:1}}", "@keyframes"),
    ("@container (width>1px){rect{fill:red}}", "@container"), ("@scope (g){rect{fill:red}}", "@scope"),
    ("@property --a{syntax:'*'}", "@property"), ("@import 'a.css';", "@import is not followed"),
    ("rect:dir(ltr){fill:red}", ":dir()"), ("rect:nonsense{fill:red}", ":nonsense"),
    ("rect..a{fill:red}", "a rule with the selector rect..a is not valid"),
    ("@media (no-such:1){rect{fill:red}}", "the media feature no-such is not known"),
    ("rect{fill:bogus}", "the value bogus of fill is not valid"), ("rect{no-such:1}", "no-such is not known"),
  ])
  func styleSheets(sheet: String, expected: String) throws {
    let found = try diagnostics("<style>\(sheet.replacing("<", with: "&lt;"))</style><rect width='9' height='9'/>")
    #expect(found.contains { $0.contains(expected) }, "\(sheet): \(found)")
  }

  @Test(arguments: [
    ("<script>x()</script>", "scripts are not run"), ("<foreignObject/>", "foreignObject is not drawn"),
    ("<rect><animate attributeName='x'/></rect>", "animations are drawn at time 0"),
    ("<rect><set attributeName='x' to='1'/></rect>", "animations are drawn at time 0"),
    ("<font/>", "SVG fonts are not used"), ("<mesh/>", "the element mesh is not known"),
    ("<hatch/>", "the element hatch is not known"), ("<rect nonsense='1'/>", "the attribute nonsense is not known"),
    ("<rect fill='bogus'/>", "the value bogus of fill is not valid"),
    ("<pattern overflow='visible'/>", "patterns are cut to their tiles"),
    ("<filter><feGaussianBlur in='BackgroundImage'/></filter>", "BackgroundImage is replaced"),
    ("<filter><feMorphology kernelUnitLength='1'/></filter>", "kernelUnitLength"),
    ("<image width='9' height='9' href='a.png'/>", "the picture a.png is not available"),
    ("<text>a</text>", "there is no font"), ("<style type='text/x'>a{}</style>", "another language"),
    ("<use href='other.svg#a'/>", "links to another document are not followed"),
    ("<rect width='9' height='9' fill='url(a.svg#b)'/>", "links to another document are not followed"),
  ])
  func elements(body: String, expected: String) throws {
    let found = try diagnostics(body)
    #expect(found.contains { $0.contains(expected) }, "\(body): \(found)")
  }

  /// Files of editors carry private attributes, and declarations that the drawing does not need.
  @Test func harmlessMarkup() throws {
    let body = """
      <rect id='a' data-x='1' aria-label='b' onclick='c()' role='img' width='9' height='9'
        style='fill:red;-inkscape-stroke:none;line-height:1;cursor:pointer;pointer-events:none'/>
      """
    #expect(try diagnostics(body) == [])
  }

  /// Pictures are no documents to which links would have to be followed.
  @Test(arguments: [
    "style='mask:url(\(Self.onePixel))'", "style='mask-image:url(\(Self.onePixel))'", "mask='url(\(Self.onePixel))'",
    "style='cursor:url(hand.cur),auto'",
  ])
  func pictures(attribute: String) throws {
    let found = try diagnostics("<rect \(attribute) width='9' height='9'/>")
    #expect(!found.contains { $0.contains("another document") }, "\(found)")
  }

  /// A GIF of one opaque pixel.
  private static let onePixel = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
}
