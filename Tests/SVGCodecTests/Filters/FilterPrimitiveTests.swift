import SVGCodec
import Testing

/// Each primitive at places whose colours are easily worked out by hand; those of translucent pixels come from
/// premultiplied samples of 8 bits.
@Suite struct FilterPrimitiveTests {
  @Test func flood() throws {
    let bitmap = try filtered("<feFlood flood-color='lime' flood-opacity='0.4' x='2' y='3' width='4' height='5'/>")
    #expect(coveredBox(bitmap) == [2, 3, 5, 7])
    #expect(pixel(bitmap, 3, 4) == "00ff0066")
  }

  @Test func offset() throws {
    let bitmap = try filtered("<feOffset dx='-2' dy='3.9'/>")
    #expect(coveredBox(bitmap) == [3, 8, 12, 17])
    #expect(pixel(bitmap, 3, 8) == "ff8000ff")
  }

  @Test func merge() throws {
    let bitmap = try filtered(
      """
      <feFlood flood-color='blue' result='a' width='8'/><feFlood flood-color='lime' height='8' result='b'/>
      <feMerge><feMergeNode in='a'/><feMergeNode in='b'/><feMergeNode in='SourceGraphic'/><!-- --><feFlood/></feMerge>
      """)
    #expect(pixel(bitmap, 2, 2) == "00ff00ff")
    #expect(pixel(bitmap, 2, 12) == "0000ffff")
    #expect(pixel(bitmap, 10, 10) == "ff8000ff")
    #expect(pixel(bitmap, 18, 18) == "00000000")
  }

  @Test func composite() throws {
    func result(_ attributes: String) throws -> [String] {
      let bitmap = try filtered(
        "<feFlood flood-color='blue' width='10'/><feComposite in='SourceGraphic' in2='' \(attributes)/>")
      // Outside of both, in the flood, in both, in the rectangle.
      return [pixel(bitmap, 18, 2), pixel(bitmap, 2, 2), pixel(bitmap, 7, 7), pixel(bitmap, 12, 12)]
    }
    let (none, blue, orange) = ("00000000", "0000ffff", "ff8000ff")
    #expect(try result("operator='over'") == [none, blue, orange, orange])
    #expect(try result("operator='bogus'") == [none, blue, orange, orange])
    #expect(try result("operator='in'") == [none, none, orange, none])
    #expect(try result("operator='out'") == [none, none, none, orange])
    #expect(try result("operator='atop'") == [none, blue, orange, none])
    #expect(try result("operator='xor'") == [none, blue, none, orange])
    #expect(try result("operator='lighter'") == [none, blue, "ff80ffff", orange])
    #expect(try result("operator='arithmetic'") == [none, none, none, none])
    #expect(try result("operator='arithmetic' k2='1' k3='1'") == [none, blue, "ff80ffff", orange])
    #expect(try result("operator='arithmetic' k4='1'") == ["ffffffff", "ffffffff", "ffffffff", "ffffffff"])
  }

  @Test func blend() throws {
    func middle(_ mode: String) throws -> String {
      pixel(
        try filtered(
          "<feFlood flood-color='#808080' result='a'/><feBlend in='SourceGraphic' in2='a' mode='\(mode)'/>"), 10, 10)
    }
    #expect(try middle("multiply") == "804000ff")
    #expect(try middle("screen") == "ffc080ff")
    #expect(try middle("darken") == "808000ff")
    #expect(try middle("lighten") == "ff8080ff")
    #expect(try middle("difference") == "7f0080ff")
    #expect(try middle("normal") == "ff8000ff")
    #expect(try middle("bogus") == "ff8000ff")
  }

  @Test func colorMatrix() throws {
    func middle(_ attributes: String) throws -> String {
      pixel(try filtered("<feColorMatrix \(attributes)/>"), 10, 10)
    }
    #expect(try middle("values='0 1 0 0 0 1 0 0 0 0 0 0 0 0 .2 0 0 0 .5 0'") == "80ff3480")
    #expect(try middle("values='0 1 0'") == "ff8000ff")
    #expect(try middle("type='saturate' values='0'") == "929292ff")
    #expect(try middle("type='saturate' values='7'") == "ff8000ff")
    #expect(try middle("type='luminanceToAlpha'") == "00000092")
    #expect(try middle("type='hueRotate' values='360'") == "ff8000ff")
    let opaque = try filtered("<feColorMatrix values='1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1'/>")
    #expect(pixel(opaque, 0, 0) == "000000ff")
  }

  @Test func componentTransfer() throws {
    func middle(_ functions: String) throws -> String {
      pixel(try filtered("<feComponentTransfer>\(functions)</feComponentTransfer>"), 10, 10)
    }
    #expect(try middle("<feFuncR type='table' tableValues='1 0'/>") == "008000ff")
    #expect(try middle("<feFuncG type='discrete' tableValues='0 .2 1'/>") == "ff3300ff")
    #expect(try middle("<feFuncG type='linear' slope='.5' intercept='.1'/>") == "ff5a00ff")
    #expect(try middle("<feFuncG type='gamma' exponent='2' amplitude='2' offset='.1'/>") == "ff9a00ff")
    #expect(try middle("<feFuncA type='linear' slope='.2'/>") == "ff820033")
    #expect(try middle("<feFuncR type='table' tableValues='1 x'/><feFuncG type='bogus'/>") == "ff8000ff")
    #expect(try middle("<feFuncB type='table'/><feFuncB type='linear' intercept='1'/>") == "ff80ffff")
  }

  @Test func morphology() throws {
    #expect(coveredBox(try filtered("<feMorphology operator='dilate' radius='2 3'/>")) == [4, 3, 16, 17])
    #expect(coveredBox(try filtered("<feMorphology radius='2'/>")) == [7, 7, 13, 13])
    #expect(try filtered("<feMorphology radius='1'/>") == filtered("<feMorphology radius='-4'/>"))
    #expect(coveredCount(try filtered("<feMorphology radius='100'/>")) == 0)
  }

  @Test func convolveMatrix() throws {
    // The weight that moves everything: rotated by 180 degrees, the first one is after the target.
    let moved = try filtered("<feConvolveMatrix order='3' kernelMatrix='1 0 0 0 0 0 0 0 0' edgeMode='none'/>")
    #expect(coveredBox(moved) == [4, 4, 13, 13])
    let mean = try filtered("<feConvolveMatrix order='1 5' kernelMatrix='1 1 1 1 1' preserveAlpha='true'/>")
    #expect(coveredBox(mean) == [5, 5, 14, 14])
    for nonsense in [
      "order='3' kernelMatrix='1 2'", "kernelMatrix='1 1 1 1 1 1 1 1 1' divisor='0'",
      "kernelMatrix='1 1 1 1 1 1 1 1 1' targetX='3'", "",
    ] {
      #expect(coveredCount(try filtered("<feConvolveMatrix \(nonsense)/>")) == 0, "\(nonsense)")
    }
  }

  @Test func gaussianBlur() throws {
    let bitmap = try filtered("<feGaussianBlur stdDeviation='2 0'/>")
    #expect(coveredBox(bitmap)[1] == 5 && coveredBox(bitmap)[3] == 14)
    #expect(bitmap[4, 10].alpha > 80 && bitmap[4, 10].alpha < 127)
    #expect(Int(bitmap[4, 10].alpha) + Int(bitmap[5, 10].alpha) == 255)
    for same in ["", "stdDeviation='-1'", "stdDeviation='1 2 3'", "stdDeviation='x'"] {
      #expect(try filtered("<feGaussianBlur \(same)/>") == filtered("<feOffset/>"), "\(same)")
    }
    // With the edges going on, what fills the region does not fade.
    let full = "<rect width='20' height='20' fill='red'/>"
    for mode in ["duplicate", "wrap"] {
      let edges = try filtered("<feGaussianBlur stdDeviation='3' edgeMode='\(mode)'/>", content: full)
      #expect(pixel(edges, 0, 0) == "ff0000ff")
    }
    let faded = try filtered("<feGaussianBlur stdDeviation='3'/>", content: full)
    #expect(faded[0, 0].alpha < 100)
  }

  @Test func dropShadow() throws {
    let bitmap = try filtered("<feDropShadow dx='3' dy='4' stdDeviation='0' flood-color='blue' flood-opacity='.5'/>")
    #expect(pixel(bitmap, 5, 5) == "ff8000ff")
    #expect(pixel(bitmap, 16, 17) == "0000ff80")
    #expect(coveredBox(bitmap) == [5, 5, 17, 18])
  }

  @Test func tile() throws {
    let bitmap = try filtered(
      "<feFlood flood-color='red' x='2' y='2' width='3' height='4'/><feOffset dx='1' dy='2'/><feTile/>")
    for y in 0..<20 {
      for x in 0..<20 {
        let isInside = (x + 1) % 3 >= 1 && (y + 2) % 4 >= 2
        #expect(pixel(bitmap, x, y) == (isInside ? "ff0000ff" : "00000000"), "\(x) \(y)")
      }
    }
  }

  @Test func displacementMap() throws {
    let bitmap = try filtered(
      """
      <feFlood flood-color='rgb(255, 0, 128)' result='map'/>
      <feDisplacementMap in='SourceGraphic' in2='map' scale='8' xChannelSelector='R' yChannelSelector='G'/>
      """)
    #expect(coveredBox(bitmap) == [1, 9, 10, 18])
  }

  @Test func lighting() throws {
    let flat = "<rect width='20' height='20'/>"
    func middle(_ element: String) throws -> String { pixel(try filtered(element, content: flat), 10, 10) }
    let distant = "<feDistantLight elevation='30'/>"
    #expect(
      try middle("<feDiffuseLighting lighting-color='#f80'>\(distant)</feDiffuseLighting>") == "804400ff")
    #expect(
      try middle("<feDiffuseLighting diffuseConstant='9'><!-- -->\(distant)</feDiffuseLighting>") == "ffffffff")
    #expect(
      try middle("<feSpecularLighting><feDistantLight elevation='90'/></feSpecularLighting>") == "ffffffff")
    #expect(try middle("<feSpecularLighting specularExponent='0.9'>\(distant)</feSpecularLighting>") == "00000000")
    #expect(try middle("<feDiffuseLighting/>") == "00000000")
    #expect(
      try middle("<feDiffuseLighting><fePointLight x='10' y='10' z='1000'/></feDiffuseLighting>") == "ffffffff")
    let spot = "<feSpotLight x='10' y='10' z='20' pointsAtX='10' pointsAtY='10' limitingConeAngle='-20'/>"
    #expect(try middle("<feDiffuseLighting>\(spot)</feDiffuseLighting>") == "ffffffff")
    let beside = try filtered("<feDiffuseLighting>\(spot)</feDiffuseLighting>", content: flat)
    #expect(pixel(beside, 0, 10) == "000000ff")
  }

  @Test func turbulence() throws {
    let one = try filtered("<feTurbulence baseFrequency='.1' numOctaves='2' seed='3'/>")
    #expect(coveredCount(one) > 350)
    #expect(try filtered("<feTurbulence baseFrequency='.1' numOctaves='2' seed='3.9'/>") == one)
    #expect(try filtered("<feTurbulence baseFrequency='.1' numOctaves='2' seed='4'/>") != one)
    #expect(coveredCount(try filtered("<feTurbulence baseFrequency='-.1'/>")) == 0)
    #expect(coveredCount(try filtered("<feTurbulence/>")) == 0)
    let noise = try filtered("<feTurbulence type='fractalNoise'/>")
    #expect(pixel(noise, 4, 4) == "80808080")
  }

  @Test func imageOfAnElement() throws {
    // The element's origin is the corner of the subregion.
    let bitmap = try draw(
      """
      <filter id='f' x='0' y='0' width='1' height='1'><feImage href='#e'/></filter>
      <defs><rect id='e' x='2' y='1' width='5' height='30' fill='blue'/></defs>
      <rect x='5' y='5' width='10' height='10' filter='url(#f)'/>
      """)
    #expect(coveredBox(bitmap) == [7, 6, 11, 14])
    #expect(pixel(bitmap, 7, 6) == "0000ffff")
  }

  @Test func imageThatIsLinked() throws {
    let picture =
      "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'><rect width='2' height='1' fill='red'/></svg>"
    let link = "data:image/svg+xml,\(picture.replacing("<", with: "%3C").replacing("#", with: "%23"))"
    func box(_ attributes: String) throws -> [Int] {
      coveredBox(try filtered("<feImage href=\"\(link)\" \(attributes)/>"))
    }
    #expect(try box("") == [0, 5, 19, 14])
    #expect(try box("preserveAspectRatio='none'") == [0, 0, 19, 19])
    #expect(try box("x='4' y='2' width='8' height='8' preserveAspectRatio='xMinYMin'") == [4, 2, 11, 5])
    #expect(coveredCount(try filtered("<feImage href='#nothing'/>")) == 0)
    #expect(coveredCount(try filtered("<feImage/>")) == 0)
  }
}
