// References, viewports, paint servers, clips, masks, markers and pictures, in scenes whose pixels can be told by hand.

import SVGCodec
import Testing

@Suite struct StructureTests {
  @Test func useShiftsAndInherits() throws {
    let bitmap = try draw("<defs><rect id='r' width='4' height='4'/></defs><use href='#r' x='3' y='5' fill='#0f0'/>")
    #expect(coveredBox(bitmap) == [3, 5, 6, 8])
    #expect(pixel(bitmap, 3, 5) == "00ff00ff")
  }

  @Test func symbolsAreFittedAndClipped() throws {
    let bitmap = try draw(
      "<symbol id='s' viewBox='0 0 2 2'><rect width='9' height='9'/></symbol><use xlink:href='#s' x='2' width='8' height='8'/>"
    )
    #expect(coveredBox(bitmap) == [2, 0, 9, 7])
    #expect(try coveredCount(draw("<symbol><rect width='9' height='9'/></symbol>")) == 0)
  }

  @Test func nestedViewports() throws {
    let clipped = try draw("<svg x='5' y='5' width='10' height='10'><rect x='-5' width='100%' height='50%'/></svg>")
    #expect(coveredBox(clipped) == [5, 5, 9, 9])
    let visible = try draw(
      "<svg x='5' y='5' width='10' height='10' overflow='visible'><rect x='-5' width='100%' height='50%'/></svg>")
    #expect(coveredBox(visible) == [0, 5, 9, 9])
  }

  /// The size of `use` replaces that of the symbol; what it leaves out is the symbol's own, or the whole viewport.
  @Test(arguments: [
    ("", "", [0, 0, 19, 19]), ("", "width='8' height='6'", [0, 0, 7, 5]), ("width='8' height='6'", "", [0, 0, 7, 5]),
    ("width='8' height='6'", "width='4'", [0, 0, 3, 5]),
    ("width='8' height='6'", "width='50%' height='4'", [0, 0, 9, 3]),
    ("x='3' y='2' width='8' height='6'", "x='1'", [4, 2, 11, 7]),
    ("width='8' height='6'", "style='width:5px'", [0, 0, 4, 5]),
    ("width='8' height='6'", "width='auto'", [0, 0, 7, 5]), ("width='8' height='6'", "width='0'", []),
  ])
  func sizesOfSymbols(symbol: String, use: String, expected: [Int]) throws {
    for element in ["symbol", "svg"] {
      let body =
        "<defs><\(element) id='s' viewBox='0 0 2 2' preserveAspectRatio='none' \(symbol)><rect width='9' height='9'/></\(element)></defs><use href='#s' \(use)/>"
      let drawn = try draw(body)
      #expect(coveredCount(drawn) == 0 ? expected.isEmpty : coveredBox(drawn) == expected, "\(element) \(use)")
    }
  }

  /// Percentages of a clip path and of a mask are those of the viewport of the element that refers to it.
  @Test(arguments: [
    "<clipPath id='c'><rect width='4' height='100%'/></clipPath>",
    "<mask id='c' maskUnits='userSpaceOnUse' x='0' y='0' width='50%' height='100%'><rect width='9' height='99' fill='#fff'/></mask>",
  ])
  func viewportsShareResources(resource: String) throws {
    let name = resource.hasPrefix("<mask") ? "mask" : "clip-path"
    let body = """
      \(resource)<svg width='8' height='10'><rect width='8' height='10' \(name)='url(#c)'/></svg>
      <svg y='10' width='10' height='10' viewBox='0 0 20 20'><rect width='20' height='20' \(name)='url(#c)'/></svg>
      """
    let drawn = try draw(body)
    func columns(_ y: Int) -> Int { (0..<20).filter { drawn[$0, y].alpha == 255 }.count }
    #expect(columns(5) == 4)
    // Of 20 units, half of which are a pixel each.
    #expect(columns(15) == (name == "mask" ? 4 : 2))
  }

  /// A filter that does not exist is left out of the list; one without primitives leaves nothing.
  @Test func missingFilters() throws {
    #expect(try coveredCount(draw("<rect width='9' height='9' filter='url(#none)'/>")) == 81)
    let shifted = try draw("<rect width='4' height='4' style='filter:url(#none) drop-shadow(9px 0 0 red)'/>")
    #expect(coveredBox(shifted) == [0, 0, 12, 3])
    #expect(try coveredCount(draw("<filter id='f'/><rect width='9' height='9' filter='url(#f)'/>")) == 0)
    #expect(try coveredCount(draw("<g id='f'/><rect width='9' height='9' filter='url(#f)'/>")) == 81)
  }

  /// A pattern that is moved by a fraction of a pixel is interpolated, and not moved to whole pixels.
  @Test func patternsAtFractionsOfPixels() throws {
    func alphas(_ attributes: String) throws -> [Int] {
      let drawn = try draw(
        "<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse' \(attributes)><rect width='2' height='4'/></pattern><rect width='20' height='20' fill='url(#p)'/>"
      )
      return (8..<12).map { Int(drawn[$0, 9].alpha) }
    }
    #expect(try alphas("") == [255, 255, 0, 0])
    #expect(try alphas("x='1'") == [0, 255, 255, 0])
    for (attributes, expected) in [
      ("x='.5'", [128, 255, 128, 0]), ("patternTransform='translate(.25 .5)'", [191, 255, 64, 0]),
      ("transform='translate(9)' patternTransform='translate(-.25)'", [255, 191, 0, 64]),
    ] {
      #expect(zip(try alphas(attributes), expected).allSatisfy { abs($0 - $1) <= 2 }, "\(attributes)")
    }
  }

  @Test func cyclesAreCut() throws {
    #expect(try coveredCount(draw("<g id='g'><use href='#g'/><rect width='2' height='2'/></g>")) == 4)
    #expect(try coveredCount(draw("<use id='a' href='#b'/><use id='b' href='#a'/>")) == 0)
    let pattern = """
      <pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse'><rect width='4' height='4' fill='url(#p)'/>
      <rect width='2' height='4' fill='#0f0'/></pattern><rect width='20' height='20' fill='url(#p)'/>
      """
    #expect(try coveredCount(draw(pattern)) == 200)
    _ = try draw(
      "<mask id='m' mask='url(#m)'><rect width='9' height='9' fill='#fff'/></mask><rect width='9' height='9' mask='url(#m)'/>"
    )
    _ = try draw("<clipPath id='c' clip-path='url(#c)'><rect width='9' height='9'/></clipPath><g clip-path='url(#c)'/>")
    _ = try draw(
      "<linearGradient id='l' href='#k'/><linearGradient id='k' href='#l'/><rect width='9' height='9' fill='url(#l)'/>")
    _ = try draw(
      "<marker id='k'><path d='M0 0L1 1' marker-end='url(#k)'/></marker><path d='M0 0L5 5' marker-end='url(#k)'/>")
  }

  @Test func sizes() throws {
    func size(_ attributes: String, _ body: String = "") throws -> ImageSize {
      try SVGDocument(parsing: markup(body, attributes)).intrinsicSize
    }
    #expect(try size("width='30' height='20'") == ImageSize(width: 30, height: 20))
    #expect(try size("viewBox='0 0 30 20'") == ImageSize(width: 30, height: 20))
    #expect(try size("viewBox='0 0 30 20' width='60'") == ImageSize(width: 60, height: 40))
    #expect(try size("viewBox='0 0 30 20' width='50%' height='1in'") == ImageSize(width: 15, height: 96))
    #expect(try size("", "<rect x='5' y='5' width='10' height='3'/>") == ImageSize(width: 15, height: 8))
    let document = try SVGDocument(parsing: markup("", "width='30' height='20'"))
    #expect(document.pixelSize(width: 60) == PixelSize(width: 60, height: 40))
    #expect(document.pixelSize(height: 10) == PixelSize(width: 15, height: 10))
    #expect(document.pixelSize(scale: 1.5) == PixelSize(width: 45, height: 30))
    #expect(document.pixelSize(width: 5, height: 5) == PixelSize(width: 5, height: 5))
  }

  @Test func oneDocumentAtManySizes() throws {
    let document = try SVGDocument(parsing: markup("<rect width='10' height='20' fill='#0f0'/>"))
    for width in [1, 2, 20, 100] {
      let bitmap = try document.render(width: width, background: RGBA8(red: 255, green: 0, blue: 0))
      #expect(bitmap.width == width && bitmap.height == width)
      #expect(pixel(bitmap, width - 1, 0) == (width == 1 ? "7f8000ff" : "ff0000ff") || width == 1)
      if width > 1 { #expect(pixel(bitmap, 0, width - 1) == "00ff00ff") }
    }
  }

  @Test func gradients() throws {
    let stops = "<stop stop-color='#000'/><stop offset='1' stop-color='#fff'/>"
    let bitmap = try draw(
      "<linearGradient id='l'>\(stops)</linearGradient><rect width='20' height='20' fill='url(#l)'/>")
    for x in 0..<20 {
      let expected = (Double(x) + 0.5) / 20 * 255
      #expect(abs(Double(bitmap[x, 3].red) - expected) <= 1)
    }
    let inherited = try draw(
      "<linearGradient id='a'>\(stops)</linearGradient><linearGradient id='b' href='#a' x1='0' x2='0' y2='1'/><rect width='20' height='20' fill='url(#b)'/>"
    )
    #expect(inherited[0, 0].red < 10 && inherited[19, 0].red < 10 && inherited[0, 19].red > 245)
    #expect(try fillColor("url(#none) #0f0") == "00ff00ff")
    #expect(try fillColor("url(#none)") == "00000000")
    #expect(
      try pixel(
        draw(
          "<linearGradient id='l'><stop stop-color='#0f0'/></linearGradient><rect width='9' height='9' fill='url(#l)'/>"
        ), 1, 1) == "00ff00ff")
  }

  @Test func patternsRepeat() throws {
    let bitmap = try draw(
      "<pattern id='p' x='1' width='4' height='20' patternUnits='userSpaceOnUse'><rect width='2' height='20' fill='#0f0'/></pattern><rect width='20' height='20' fill='url(#p)'/>"
    )
    for x in 0..<20 {
      #expect(pixel(bitmap, x, 7) == ((x + 3) % 4 < 2 ? "00ff00ff" : "00000000"))
    }
  }

  @Test func clips() throws {
    let rect = "<rect width='20' height='20'"
    let clip = "<clipPath id='c'><rect x='2' y='3' width='4' height='5'/></clipPath>"
    #expect(try coveredBox(draw("\(clip)\(rect) clip-path='url(#c)'/>")) == [2, 3, 5, 7])
    let box = "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='.25'/></clipPath>"
    #expect(try coveredBox(draw("\(box)\(rect) clip-path='url(#c)'/>")) == [0, 0, 9, 4])
    #expect(try coveredCount(draw("<clipPath id='c'/>\(rect) clip-path='url(#c)'/>")) == 0)
    #expect(try coveredCount(draw("\(rect) clip-path='url(#none)'/>")) == 400)
    let nested = clip + "<clipPath id='d' clip-path='url(#c)'><rect width='4' height='20'/></clipPath>"
    #expect(try coveredBox(draw("\(nested)\(rect) clip-path='url(#d)'/>")) == [2, 3, 3, 7])
  }

  @Test func masks() throws {
    let rect = "<rect width='20' height='20' fill='#0f0'"
    let mask =
      "<mask id='m'><rect width='10' height='20' fill='#fff'/><rect x='10' width='10' height='20' fill='#808080'/></mask>"
    let bitmap = try draw("\(mask)\(rect) mask='url(#m)'/>")
    #expect(pixel(bitmap, 5, 5) == "00ff00ff" && pixel(bitmap, 15, 5) == "00ff0080")
    let alpha = "<mask id='m' mask-type='alpha'><rect width='10' height='20' fill='#000' opacity='.5'/></mask>"
    #expect(try pixel(draw("\(alpha)\(rect) mask='url(#m)'/>"), 5, 5) == "00ff0080")
    let region =
      "<mask id='m' maskUnits='userSpaceOnUse' x='4' y='4' width='4' height='4'><rect width='20' height='20' fill='#fff'/></mask>"
    #expect(try coveredBox(draw("\(region)\(rect) mask='url(#m)'/>")) == [4, 4, 7, 7])
  }

  @Test func groupOpacityIsAppliedOnce() throws {
    let squares = "<rect width='20' height='20' fill='#f00'/><rect width='20' height='20' fill='#0f0'/>"
    #expect(try pixel(draw("<g opacity='.5'>\(squares)</g>"), 4, 4) == "00ff0080")
    #expect(
      try pixel(draw("<rect width='20' height='20' fill='#0f0' stroke='#0f0' opacity='.5'/>"), 0, 4) == "00ff0080")
  }

  @Test func markers() throws {
    let marker =
      "<marker id='k' refX='1' refY='1' markerWidth='2' markerHeight='2' markerUnits='userSpaceOnUse'><rect width='2' height='2'/></marker>"
    let path = "<path d='M4 4H10V16' fill='none'"
    #expect(try coveredCount(draw("\(marker)\(path) marker-start='url(#k)'/>")) == 4)
    #expect(try coveredBox(draw("\(marker)\(path) marker-mid='url(#k)'/>")) == [9, 3, 10, 4])
    #expect(try coveredCount(draw("\(marker)\(path) style='marker:url(#k)'/>")) == 12)
  }

  @Test func paintOrder() throws {
    let shape = "<rect x='5' y='5' width='10' height='10' fill='#0f0' stroke='#f00' stroke-width='4'"
    #expect(try pixel(draw("\(shape)/>"), 5, 10) == "ff0000ff")
    #expect(try pixel(draw("\(shape) paint-order='stroke'/>"), 5, 10) == "00ff00ff")
  }

  /// A line 2 units long in its author's count, 20 in the document's: dashes of 1 are 10 long.
  @Test func pathLengthScalesDashes() throws {
    let line = "d='M0 10h20' stroke='#000' stroke-width='2'"
    #expect(coveredBox(try draw("<path \(line) stroke-dasharray='1' pathLength='2'/>")) == [0, 9, 9, 10])
    #expect(
      coveredBox(try draw("<path \(line) stroke-dasharray='.5 9' stroke-dashoffset='-.5' pathLength='2'/>"))
        == [5, 9, 9, 10])
    let circle = "<circle r='5' cx='10' cy='10' fill='none' stroke='#000' stroke-width='2' stroke-dasharray='1 3' "
    // The first quarter of four, clockwise from the right; its ends are within 1/255 of their places.
    let quarter = try draw(circle + "pathLength='4'/>")
    #expect(quarter[14, 10].alpha == 255 && quarter[10, 14].alpha == 255)
    #expect(quarter[14, 9].alpha <= 1 && quarter[9, 14].alpha <= 1 && quarter[5, 9].alpha == 0)
    for invalid in ["0", "-1", "x", "10%"] {
      #expect(try draw(circle + "pathLength='\(invalid)'/>") == draw(circle + "/>"))
    }
  }

  /// Lines of 2 units in a drawing of 20 × 20, whatever stretches their paths.
  @Test func fixedStrokesKeepTheirWidth() throws {
    let effect = "stroke='#000' stroke-width='2' vector-effect='non-scaling-stroke'"
    let stretched = "<g transform='scale(10 100)'><path d='M0 .1h2' \(effect)/></g>"
    #expect(coveredBox(try draw(stretched)) == [0, 9, 19, 10])
    let viewBox = "<svg width='20' height='20' viewBox='0 0 .02 .02'><path d='M0 .01h.02' \(effect)/></svg>"
    #expect(coveredBox(try draw(viewBox)) == [0, 9, 19, 10])
    // At twice the size it is twice as wide: the unit is the document's, not the pixel.
    let document = try SVGDocument(parsing: markup(stretched))
    #expect(coveredBox(try document.render(width: 40)) == [0, 18, 39, 21])
    // The paint stays in user space: half of the path's box is red.
    let gradient =
      "<linearGradient id='g' x2='1' gradientUnits='userSpaceOnUse'><stop offset='.5' stop-color='red'/>"
      + "<stop offset='.5' stop-color='lime'/></linearGradient>"
    let painted = try draw(
      gradient + "<path transform='scale(20)' d='M0 .5h1' stroke='url(#g)' stroke-width='2' "
        + "style='vector-effect:non-scaling-stroke'/>")
    #expect(pixel(painted, 9, 9) == "ff0000ff" && pixel(painted, 10, 10) == "00ff00ff")
  }

  @Test func contextPaint() throws {
    let bitmap = try draw(
      "<g id='g'><rect width='10' height='20' fill='context-fill'/><rect x='10' width='10' height='20' fill='context-stroke'/></g><use href='#g' fill='#0f0' stroke='#f00'/>"
    )
    #expect(pixel(bitmap, 5, 5) == "00ff00ff" && pixel(bitmap, 15, 5) == "ff0000ff")
  }

  @Test func pictures() throws {
    let red = try Bitmap(width: 1, height: 1, format: .rgba8, pixels: [255, 0, 0, 255])
    let options = SVGDocument.Options(decodeImage: { _, _ throws(CodecError) in red })
    let image = "<image x='2' y='2' width='4' height='4' href='data:image/png;base64,AAAA'/>"
    let bitmap = try draw(image, options: options)
    #expect(coveredBox(bitmap) == [2, 2, 5, 5] && pixel(bitmap, 3, 3) == "ff0000ff")
    let silent = try SVGDocument(parsing: markup(image))
    #expect(silent.diagnostics.count == 1)
    let linked = "<image width='4' height='4' href='file.png'/>"
    #expect(try SVGDocument(parsing: markup(linked), options: options).diagnostics.count == 1)
    let resolved = SVGDocument.Options(
      decodeImage: options.decodeImage, loadResource: { $0 == "file.png" ? [1, 2, 3] : nil })
    #expect(try coveredCount(draw(linked, options: resolved)) == 16)
  }

  @Test func picturesInPicturesEndAtDepthOne() throws {
    func percentEncoded(_ text: String) -> String {
      text.utf8.map { byte in
        let digits = String(byte, radix: 16)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      }.joined()
    }
    let open = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'>"
    let innermost = open + "<rect width='4' height='4'/></svg>"
    let middle =
      open
      + "<image width='2' height='2' href='data:image/svg+xml,\(percentEncoded(innermost))'/><rect y='2' width='4' height='2'/></svg>"
    let bitmap = try draw("<image width='4' height='4' href='data:,\(percentEncoded(middle))'/>")
    #expect(coveredBox(bitmap) == [0, 2, 3, 3])
  }

  /// Each unsupported feature has one diagnostic, at its first use; supported ones have none.
  @Test(arguments: [
    ("<path d='M0 0h9' stroke-linejoin='arcs'/><path d='M0 0h9' stroke-linejoin='arcs'/>", "arcs"),
    ("<path d='M0 0h9' vector-effect='fixed-position'/>", "vector-effect"),
    ("<text font-size-adjust='.5'/>", "font-size-adjust"),
    ("<linearGradient id='g' color-interpolation='linearRGB'/>", ""),
    ("<pattern id='p' overflow='visible'/>", "patterns"),
    ("<text><tspan opacity='.5'/></text>", ""),
    ("<filter id='f'><feConvolveMatrix kernelUnitLength='2'/></filter>", "kernelUnitLength"),
    ("<filter id='f'><feBlend in='SourceGraphic' in2='BackgroundImage'/></filter>", "BackgroundImage"),
    ("<path d='M0 0h9' stroke-linejoin='round' vector-effect='non-scaling-stroke' overflow='visible'/>", ""),
    ("<g color-interpolation='linearRGB' opacity='.5'/><text font-size-adjust='none'><tspan opacity='1'/></text>", ""),
  ])
  func whatHasNoEffectIsReported(body: String, word: String) throws {
    let reasons = try SVGDocument(parsing: markup(body), options: SVGDocument.Options(fonts: FontProvider()))
      .diagnostics.map(\.reason).filter { !$0.contains("font,") }
    #expect(reasons.count == (word.isEmpty ? 0 : 1) && reasons.allSatisfy { $0.contains(word) }, "\(reasons)")
  }

  @Test func unsupportedFeaturesAreReported() throws {
    for body in ["<text>x</text>", "<foreignObject/>", "<g filter='url(#f)'/>"] {
      #expect(try SVGDocument(parsing: markup(body)).diagnostics.count == 1, "\(body)")
    }
  }

  /// Of masks that refer to each other, the reference that closes the circle is dropped; the others apply.
  @Test(arguments: ["content", "property"])
  func theReferenceThatClosesACircleOfMasksIsDropped(kind: String) throws {
    func mask(_ name: String, _ other: String, _ opacity: Double) -> String {
      let reference = "mask='url(#\(other))'"
      return """
        <mask id='\(name)' x='0' y='0' width='1' height='1' \(kind == "property" ? reference : "")>
        <rect width='20' height='20' fill='white' fill-opacity='\(opacity)' \(kind == "content" ? reference : "")/></mask>
        """
    }
    let bitmap = try draw(
      "\(mask("a", "b", 0.5))\(mask("b", "a", 0.4))<rect width='10' height='20' mask='url(#a)'/>"
        + "<rect x='10' width='10' height='20' mask='url(#b)'/>")
    // The first mask is met first: it uses the second, which does not use it again.
    #expect(abs(Int(bitmap[5, 10].alpha) - 51) <= 1)
    #expect(abs(Int(bitmap[15, 10].alpha) - 102) <= 1)
  }
}
