// Hostile text: it ends in a drawing or in a typed error, and soon.

import SVGCodec
import TestSupport
import Testing

@Suite struct TextRobustnessTests {
  private static let fonts = options(fonts: .squares(" abcdefghijklmnopqrstuvwxyz\u{5d0}\u{627}"))
  private static let open = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200' font-size='10'>"

  private func outcome(_ body: String, _ limits: SVGDocument.Limits = SVGDocument.Limits()) -> CodecError.Kind? {
    do throws(CodecError) {
      _ = try SVGDocument(parsing: Array((Self.open + body + "</svg>").utf8), limits: limits, options: Self.fonts)
        .render(width: 200, height: 200)
      return nil
    } catch {
      return error.kind
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test func characterLimit() {
    var limits = SVGDocument.Limits()
    limits.maximumCharacterCount = 10
    #expect(outcome("<text y='9'>abcdefghij</text>", limits) == nil)
    #expect(outcome("<text y='9'>abcdefghijk</text>", limits) == .limitExceeded)
    #expect(outcome("<text id='t' y='9'>abcdef</text><use href='#t'/>", limits) == .limitExceeded)
  }

  @Test(.timeLimit(.minutes(1))) func muchText() {
    #expect(outcome("<text y='9'>\(repeated("a", 1_000_000))</text>") == .limitExceeded)
    #expect(outcome("<text y='9'>\(repeated("a ", 90_000))</text>") == nil)
    let list = repeated("1 ", 100_000)
    #expect(outcome("<text x='\(list)' y='\(list)' rotate='\(list)'>\(repeated("a", 100_000))</text>") == nil)
    #expect(outcome("<text x='\(list)' dx='\(list)'>a</text>") == nil)
  }

  @Test(.timeLimit(.minutes(1))) func depth() {
    let spans = repeated("<tspan baseline-shift='1' rotate='5' text-decoration='underline' unicode-bidi='embed'>", 1000)
    #expect(outcome("<text>\(spans)\(repeated("a", 10_000))\(repeated("</tspan>a", 1000))</text>") == nil)
    #expect(outcome("<text>\(repeated("<tspan>", 100_000))") == .limitExceeded)
    let wide = repeated("<tspan textLength='9'>ab</tspan>", 20_000)
    #expect(outcome("<text>\(wide)</text>") == nil)
  }

  @Test(.timeLimit(.minutes(2))) func costlyProperties() {
    func ends(_ body: String) {
      let result = outcome(body)
      #expect(result == nil || result == .limitExceeded, "\(body.prefix(80))")
    }
    ends("<text y='9' style='text-shadow:1e300px 1px 1e300px red'>a</text>")
    let words = repeated("ab ", 30_000)
    ends("<text y='9' style='inline-size:20px;text-overflow:ellipsis'>\(words)\(repeated("a", 30_000))</text>")
    ends("<text y='9' style='inline-size:20px;line-break:anywhere'>\(repeated("a", 90_000))</text>")
    ends("<text y='9' style='white-space:pre'>\(repeated("a\n\t", 30_000))</text>")
    let spans = repeated("<tspan>a</tspan>", 2_000)
    ends("<text y='9' style='white-space:pre-line'>\(spans)\(repeated("a \n", 30_000))</text>")
    ends("<text y='9' style='text-shadow:\(repeated("1px 1px 9px red,", 31))1px 1px'>\(spans)</text>")
    for style in ["dotted", "dashed", "wavy", "double"] {
      let nested = repeated("<tspan text-decoration='underline overline \(style) .001px'>", 8)
      ends("<text y='9'>\(nested)\(repeated("<tspan>a</tspan>", 500))\(repeated("</tspan>", 8))</text>")
    }
    ends("<text y='9'>\(repeated("<tspan opacity='.5'>a", 900))\(repeated("</tspan>", 900))</text>")
    ends("<text y='9' lang='el' style='text-transform:uppercase'>\(repeated("\u{3AE}\u{301}", 40_000))</text>")
  }

  /// A glyph of 16,000 points, which is small in the file of the font.
  @Test func costlyOutlines() {
    var font = RectangleFont(glyphs: [.init(character: "a", advance: 500, box: (0, 0, 500, 500))])
    font.glyphs[0].contourCount = 4_000
    var limits = SVGDocument.Limits()
    limits.maximumPathSegmentCount = 500_000
    let text = repeated("a", 20_000)
    for body in ["<text y='9'>\(text)</text>", "<text y='9' style='text-emphasis:\"a\"'>\(text)</text>"] {
      let error = #expect(throws: CodecError.self) {
        try SVGDocument(parsing: markup(body), limits: limits, options: options(fonts: font))
      }
      #expect(error?.kind == .limitExceeded)
    }
  }

  @Test func extremes() {
    for attributes in [
      "style='inline-size:1e300px'", "style='inline-size:1e-300px;overflow-wrap:anywhere'",
      "style='white-space:pre;tab-size:1e300'", "style='line-height:1e300;white-space:pre'",
      "style='text-decoration:underline wavy 1e300px'", "style='text-decoration:underline dotted 1e-300px'",
      "style='font-size:1e300ch'",
      "font-size='1e9'", "font-size='1e300'", "font-size='1e-300'", "x='1e300' dx='-1e300'", "rotate='1e300'",
      "textLength='1e300'", "textLength='1e300' lengthAdjust='spacingAndGlyphs'", "letter-spacing='1e300'",
      "letter-spacing='-1e300'", "word-spacing='1e308'", "baseline-shift='1e300'", "font-weight='1000'",
      "font-stretch='1e9%'", "stroke='red' stroke-width='1e9' font-size='1e9'",
      "text-decoration='underline' font-size='1e9'",
    ] { #expect(outcome("<text y='9' \(attributes)>ab <tspan \(attributes)>c</tspan></text>") == nil, "\(attributes)") }
    let path = "<path id='p' d='M0 0C1e9 1e9 -1e9 1e9 1e300 9'/>"
    #expect(outcome("\(path)<text><textPath href='#p' startOffset='1e300%'>abc</textPath></text>") == nil)
  }

  @Test func cycles() {
    #expect(outcome("<text id='t'>a<tref href='#t'/></text>") == nil)
    #expect(outcome("<text id='t'>a<textPath href='#t'>b</textPath></text>") == nil)
    #expect(
      outcome("<clipPath id='c'><text clip-path='url(#c)'>a</text></clipPath><text clip-path='url(#c)'>a</text>") == nil
    )
    #expect(
      outcome(
        "<pattern id='p' width='.5' height='.5'><text fill='url(#p)'>a</text></pattern><text fill='url(#p)'>a</text>")
        == nil)
    let laughs = repeated("<tref href='#t'/>", 1000)
    #expect(outcome("<text id='t'>\(repeated("a", 1000))</text><text>\(laughs)</text>") == .limitExceeded)
  }

  /// Every prefix and many changed bytes of a document with all that text has.
  @Test func damage() {
    let sample =
      Self.open + """
        <style>text{font:bold 8px/1 "Boxes",serif}</style><path id="p" d="M0 9q9 9 90 0z"/><text x="1 2,3" dy="1" rotate="3 4"
        text-anchor="middle" direction="rtl" xml:lang="he">a &#x5d0;<tspan dx="2" baseline-shift="sub" textLength="30"
        letter-spacing="1">bc</tspan><textPath href="#p" startOffset="5%">def</textPath><tref href="#q"/></text><text id="q"
        writing-mode="tb" font-variation-settings="'wght' 3" font-feature-settings="'liga' off" text-decoration="underline"
        fill="url(#p) red" unicode-bidi="bidi-override">ghi&#x627;</text></svg>
        """
    let bytes = Array(sample.utf8)
    func attempt(_ bytes: [UInt8]) {
      do throws(CodecError) {
        _ = try SVGDocument(parsing: bytes, options: Self.fonts).render(width: 16, height: 16)
      } catch {
        #expect(error.format == SVGDecoder.type, "\(error)")
      }
    }
    for count in stride(from: 0, through: bytes.count, by: 3) { attempt(Array(bytes[..<count])) }
    for index in bytes.indices {
      for change in [UInt8(1), 16, 128, UInt8(ascii: "9") ^ bytes[index]] {
        var changed = bytes
        changed[index] ^= change
        attempt(changed)
      }
    }
  }
}
