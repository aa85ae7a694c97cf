import SVGCodec
import Testing

/// Regions, inputs, colour spaces and the order in which effects are applied.
@Suite struct FilterRegionTests {
  private let flood = "<feFlood flood-color='red'/>"

  @Test func regions() throws {
    func box(_ region: String, _ element: String = "<rect x='5' y='5' width='10' height='10' filter='url(#f)'/>")
      throws -> [Int]
    {
      coveredBox(try draw("<filter id='f' \(region)>\(flood)</filter>\(element)"))
    }
    #expect(try box("") == [4, 4, 15, 15])
    #expect(try box("x='-.2' y='10%' width='1' height='.5'") == [3, 6, 12, 10])
    #expect(try box("filterUnits='userSpaceOnUse'") == [0, 0, 19, 19])
    #expect(try box("filterUnits='userSpaceOnUse' x='1' y='2' width='50%' height='4'") == [1, 2, 10, 5])
    #expect(try box("filterUnits='userSpaceOnUse' x='-1e9' y='-1e9' width='3e9' height='3e9'") == [0, 0, 19, 19])
    // Elements without content or without area.
    let own = "filterUnits='userSpaceOnUse' x='3' y='3' width='4' height='4'"
    #expect(try box(own, "<g filter='url(#f)'/>") == [3, 3, 6, 6])
    for element in ["<g filter='url(#f)'/>", "<path d='M1 1V9' stroke='red' filter='url(#f)'/>"] {
      #expect(coveredCount(try draw("<filter id='f'>\(flood)</filter>\(element)")) == 0)
    }
  }

  @Test func subregions() throws {
    func box(_ attributes: String, _ filter: String = "") throws -> [Int] {
      coveredBox(
        try draw(
          """
          <filter id='f' x='0' y='0' width='1' height='1' \(filter)><feFlood \(attributes)/></filter>
          <rect x='4' y='4' width='12' height='8' filter='url(#f)'/>
          """))
    }
    #expect(try box("x='6' width='3'") == [6, 4, 8, 11])
    #expect(try box("x='-6' width='90'") == [4, 4, 15, 11])
    #expect(try box("x='.5' width='.25' y='0' height='50%'", "primitiveUnits='objectBoundingBox'") == [10, 4, 12, 7])
    #expect(coveredCount(try filtered("<feFlood width='0'/>")) == 0)
    #expect(coveredCount(try filtered("<feFlood height='-1'/>")) == 0)
  }

  @Test func primitiveUnits() throws {
    let bitmap = try draw(
      """
      <filter id='f' primitiveUnits='objectBoundingBox' x='-1' y='-1' width='3' height='3'>
      <feOffset dx='.5' dy='-.25'/></filter><rect x='8' y='8' width='4' height='8' filter='url(#f)'/>
      """)
    #expect(coveredBox(bitmap) == [10, 6, 13, 13])
  }

  @Test func inputs() throws {
    // Of two results with one name the later one counts; unknown names mean the primitive before.
    let named = try filtered(
      """
      <feFlood flood-color='red' result='a'/><feFlood flood-color='lime' result='a'/>
      <feFlood flood-color='blue' result='b'/><feOffset in='a'/>
      """)
    #expect(pixel(named, 1, 1) == "00ff00ff")
    let unknown = try filtered("<feFlood flood-color='red'/><feOffset in='nothing'/>")
    #expect(pixel(unknown, 1, 1) == "ff0000ff")
    let first = try filtered("<feOffset in='nothing'/>")
    #expect(pixel(first, 10, 10) == "ff8000ff")
    let alpha = try filtered(
      "<feOffset in='SourceAlpha'/>", content: "<rect width='9' height='9' fill='red' opacity='.5'/>")
    #expect(pixel(alpha, 1, 1) == "00000080")
    for standIn in ["BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"] {
      #expect(try filtered("<feFlood/><feOffset in='\(standIn)'/>") == filtered("<feOffset/>"))
    }
  }

  @Test func colorSpaces() throws {
    // Half of the light of white and black is #bcbcbc in sRGB, half of their samples #808080.
    func middle(_ space: String) throws -> String {
      let bitmap = try draw(
        """
        <filter id='f' x='0' y='0' width='1' height='1' \(space)><feFlood flood-color='#fff' result='w'/>
        <feFlood result='b'/><feComposite in='w' in2='b' operator='arithmetic' k2='.5' k3='.5'/></filter>
        <rect width='20' height='20' filter='url(#f)'/>
        """)
      return pixel(bitmap, 10, 10)
    }
    #expect(try middle("") == "bcbcbcff")
    #expect(try middle("color-interpolation-filters='linearRGB'") == "bcbcbcff")
    #expect(try middle("color-interpolation-filters='sRGB'") == "808080ff")
    #expect(try middle("style='color-interpolation-filters: sRGB'") == "808080ff")
  }

  @Test func order() throws {
    // The clip cuts what the filter made; opacity is applied last.
    let bitmap = try draw(
      """
      <filter id='f' x='0' y='0' width='20' height='20' filterUnits='userSpaceOnUse'><feOffset dx='5'/></filter>
      <clipPath id='c'><rect x='8' width='4' height='20'/></clipPath>
      <mask id='m'><rect y='9' width='20' height='4' fill='#fff'/></mask>
      <rect x='5' y='5' width='10' height='10' fill='red' filter='url(#f)' clip-path='url(#c)' mask='url(#m)'
      opacity='.5'/>
      """)
    #expect(coveredBox(bitmap) == [10, 9, 11, 12])
    #expect(pixel(bitmap, 10, 10) == "ff000080")
  }

  @Test func scaledAndTurned() throws {
    let scaled = try draw(
      """
      <filter id='f' x='0' y='0' width='3' height='1'><feOffset dx='2'/></filter>
      <rect width='4' height='4' fill='red' transform='translate(2 2) scale(2)' filter='url(#f)'/>
      """)
    #expect(coveredBox(scaled) == [6, 2, 13, 9])
    // Offsets are along the element's own axes.
    let turned = try draw(
      """
      <filter id='f' x='-3' y='-3' width='7' height='7'><feOffset dx='5' dy='1'/></filter>
      <rect width='4' height='4' fill='red' transform='translate(10 4) rotate(90)' filter='url(#f)'/>
      """)
    #expect(coveredBox(turned) == [5, 9, 8, 12])
    let mirrored = try draw(
      """
      <filter id='f' x='-3' y='-3' width='7' height='7'><feOffset dx='5'/></filter>
      <rect width='4' height='4' fill='red' transform='translate(10 4) scale(-1 1)' filter='url(#f)'/>
      """)
    #expect(coveredBox(mirrored) == [1, 4, 4, 7])
  }

  /// Properties in the space outside of a rotated layer apply inside: paints of context elements, strokes that do not
  /// scale.
  @Test func turnedContexts() throws {
    func drawing(_ filter: String) throws -> Bitmap {
      try draw(
        """
        <filter id='f' x='-1' y='-1' width='3' height='3'><feOffset/></filter>
        <linearGradient id='g' gradientUnits='userSpaceOnUse' x2='10'><stop offset='.5' stop-color='red'/>
        <stop offset='.5' stop-color='blue'/></linearGradient>
        <defs><rect id='r' x='2' y='-18' width='16' height='16' fill='context-fill' stroke='lime' stroke-width='3'
        vector-effect='non-scaling-stroke' transform='rotate(90) scale(1 .5)' \(filter)/></defs>
        <use href='#r' fill='url(#g)'/>
        """)
    }
    let plain = try drawing("")
    let filtered = try drawing("filter='url(#f)'")
    for (x, y) in [(3, 10), (6, 10), (4, 1), (4, 19), (12, 10), (0, 10)] {
      #expect(pixel(filtered, x, y) == pixel(plain, x, y), "\(x) \(y)")
    }
    #expect(coveredBox(filtered) == coveredBox(plain))
  }

  @Test func references() throws {
    let rect = "<rect x='5' y='5' width='10' height='10' fill='red' filter='url(#f)'/>"
    // Filters that do nothing leave elements out; those that do not exist are ignored, as in browsers.
    for nothing in ["<filter id='f'/>", "<filter id='f'><g/></filter>", "<filter id='f' width='0'/>"] {
      #expect(coveredCount(try draw(nothing + rect)) == 0, "\(nothing)")
    }
    for missing in ["", "<g id='f'/>"] { #expect(coveredCount(try draw(missing + rect)) == 100, "\(missing)") }
    #expect(coveredCount(try draw("<filter id='f' href='#g'/><filter id='g'>\(flood)</filter>\(rect)")) == 144)
    #expect(coveredCount(try draw("<filter id='f' href='#g'/><filter id='g' href='#f'/>\(rect)")) == 0)
    // One that exists is enough.
    let list = "<rect x='5' y='5' width='10' height='10' filter='url(#no) url(#f) url(#nono)'/>"
    #expect(coveredCount(try draw("<filter id='f'>\(flood)</filter>\(list)")) == 144)
    // An element that its own filter shows has none.
    let own = "<filter id='f'><feImage href='#r'/></filter><rect id='r' width='4' height='3' filter='url(#f)'/>"
    #expect(coveredBox(try draw(own)) == [0, 0, 3, 2])
  }

  @Test func cycles() throws {
    let cycle = """
      <filter id='a'><feImage href='#y'/></filter><filter id='b'><feImage href='#x'/></filter>
      <rect id='x' width='9' height='9' filter='url(#a)'/><rect id='y' width='9' height='9' filter='url(#b)'/>
      """
    _ = try draw(cycle)
    let through = """
      <pattern id='p' width='1' height='1'><rect width='9' height='9' filter='url(#f)'/></pattern>
      <filter id='f'><feImage href='#x'/></filter><rect id='x' width='9' height='9' fill='url(#p)'/>
      """
    _ = try draw(through)
  }

  @Test func wholeDocument() throws {
    let text = """
      <svg xmlns='http://www.w3.org/2000/svg' width='20' height='20' viewBox='0 0 10 10' filter='url(#f)'>
      <filter id='f' x='0' y='0' width='2' height='2'><feOffset dx='1' dy='2'/></filter>
      <rect width='4' height='4' fill='red'/></svg>
      """
    #expect(coveredBox(try SVGDocument(parsing: Array(text.utf8)).render()) == [2, 4, 9, 11])
  }

  /// Threads that draw some rows each make only what those need, and yet the same pixels.
  @Test func bandsAreTheSamePixels() throws {
    let filters = [
      "<feGaussianBlur stdDeviation='9 4'/>", "<feGaussianBlur stdDeviation='.9' edgeMode='duplicate'/>",
      "<feOffset dx='30' dy='-50'/>", "<feDropShadow dx='20' dy='30' stdDeviation='5'/>",
      "<feTurbulence baseFrequency='.05' numOctaves='3' result='t'/><feDisplacementMap in='SourceGraphic' in2='t' scale='60'/>",
      "<feFlood width='23' height='31' flood-color='red'/><feOffset dx='7'/><feTile/>",
      "<feSpecularLighting surfaceScale='9' specularExponent='9'><fePointLight x='60' y='200' z='60'/></feSpecularLighting>",
      "<feMorphology operator='dilate' radius='9 17'/><feConvolveMatrix edgeMode='wrap' kernelMatrix='1 2 1 2 4 2 1 2 1'/>",
    ]
    let turns = ["", "rotate(20 100 300)", "scale(-1 1) translate(-200 0)", "skewX(20) translate(-80 0)"]
    for (index, primitives) in filters.enumerated() {
      let text = """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 600'><filter id='f'>\(primitives)</filter>
        <g transform='\(turns[index % 4])'><ellipse cx='90' cy='290' rx='83.3' ry='250.7' fill='#48c' filter='url(#f)'/></g>
        </svg>
        """
      let document = try SVGDocument(parsing: Array(text.utf8))
      let whole = try document.render(width: 200)
      #expect(try document.render(width: 200, parallelism: 3) == whole, "\(primitives)")
    }
  }

  /// A document without a size is as large as what it shows, not as what its filters may show.
  @Test func intrinsicSize() throws {
    let text = """
      <svg xmlns='http://www.w3.org/2000/svg'><g style='filter:invert()'><rect width='30' height='20'/></g></svg>
      """
    let document = try SVGDocument(parsing: Array(text.utf8))
    #expect(document.intrinsicSize == ImageSize(width: 30, height: 20))
  }

  /// Everything that a filter does not state is that of the filter it refers to.
  @Test func aReferenceInheritsAttributesAndPrimitives() throws {
    let base =
      "<filter id='a' x='2' y='3' width='10' height='8' filterUnits='userSpaceOnUse'><feFlood flood-color='red'/></filter>"
    func box(_ filter: String) throws -> [Int] {
      coveredBox(try draw("\(base)\(filter)<rect x='5' y='5' width='4' height='4' filter='url(#b)'/>"))
    }
    #expect(try box("<filter id='b' href='#a'/>") == [2, 3, 11, 10])
    #expect(try box("<filter id='b' href='#a' x='4' height='2'/>") == [4, 3, 13, 4])
    #expect(try box("<filter id='c' href='#a' y='6'/><filter id='b' href='#c'/>") == [2, 6, 11, 13])
    // 0.5 of the box, as the units are the filter's own.
    #expect(
      try box("<filter id='b' href='#a' filterUnits='objectBoundingBox' x='0' y='0' width='.5' height='.5'/>")
        == [5, 5, 6, 6])
  }

  /// A slope of 45 degrees has the same brightness at every size.
  @Test func theReliefOfLightingDoesNotDependOnTheSize() throws {
    let body = """
      <linearGradient id='g' gradientUnits='userSpaceOnUse' x1='0' x2='20'><stop stop-opacity='0'/><stop offset='1'/>
      </linearGradient><filter id='f' x='0' y='0' width='1' height='1' color-interpolation-filters='sRGB'>
      <feDiffuseLighting surfaceScale='20'><feDistantLight elevation='30' azimuth='180'/></feDiffuseLighting></filter>
      <rect width='20' height='20' fill='url(#g)' filter='url(#f)'/>
      """
    for scale in [1, 3, 8] {
      let bitmap = try SVGDocument(
        parsing: markup(body, "viewBox='0 0 20 20' width='\(20 * scale)' height='\(20 * scale)'")
      ).render()
      // The normal is (-1, 0, 1) / √2, the light (-cos 30°, 0, sin 30°).
      let expected = 255 * (0.8660254 + 0.5) / 1.4142136
      let middle = bitmap[10 * scale, 10 * scale]
      #expect(abs(Double(middle.red) - expected) < 12, "\(scale): \(middle.red)")
    }
  }
}
