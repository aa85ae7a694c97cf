import SVGCodec
import Testing

/// The functions of the `filter` property.
@Suite struct FilterFunctionTests {
  private func middle(_ value: String) throws -> String { pixel(try filtered(by: value), 10, 10) }

  @Test func adjustments() throws {
    #expect(try middle("brightness(50%)") == "804000ff")
    #expect(try middle("brightness(2)") == "ffff00ff")
    #expect(try middle("contrast(0)") == "808080ff")
    #expect(try middle("contrast()") == "ff8000ff")
    #expect(try middle("invert(100%)") == "007fffff")
    #expect(try middle("invert(.5)") == "808080ff")
    #expect(try middle("opacity(25%)") == "ff800040")
    #expect(try middle("opacity(7)") == "ff8000ff")
    #expect(try middle("grayscale(1)") == "929292ff")
    #expect(try middle("saturate(0)") == "929292ff")
    #expect(try middle("sepia(0)") == "ff8000ff")
    #expect(try middle("sepia(900%)") == "c7b18aff")
    #expect(try middle("hue-rotate(1turn)") == "ff8000ff")
    #expect(try middle("hue-rotate()") == "ff8000ff")
    #expect(try middle("hue-rotate(0)") == "ff8000ff")
    #expect(try filtered(by: "hue-rotate(calc(20deg + 25deg))") == filtered(by: "hue-rotate(45deg)"))
  }

  @Test func lists() throws {
    #expect(try middle("invert(1) invert(1)") == "ff8000ff")
    #expect(try middle("grayscale(1)opacity(.5)") == "91919180")
    #expect(try middle(" none ") == "ff8000ff")
  }

  /// One error makes the whole value invalid: the element is drawn as it is.
  @Test(arguments: [
    "bogus(1)", "brightness(-1)", "brightness(1 2)", "brightness(1", "blur(5%)", "blur(-1px)", "blur(1px 2px)",
    "invert(1) x", "invert(1), invert(1)", "drop-shadow()", "drop-shadow(1px)", "drop-shadow(1px 1px 1px 1px)",
    "drop-shadow(1px 1px -1px)", "drop-shadow(10% 1px)", "drop-shadow(red 1px 1px red)", "drop-shadow(1px red 1px)",
    "hue-rotate(1px)", "hue-rotate(45)", "hue-rotate(calc(45))", "hue-rotate(-1e-9)", "hue-rotate(45%)",
    "brightness(1px)", "contrast(1deg)", "opacity(50px)", "sepia(1turn)", "blur(1deg)", "blur(1s)",
    "drop-shadow(1deg 1px)", "url(f)",
  ])
  func errors(_ value: String) throws {
    #expect(try filtered(by: value) == filtered(by: "none"))
  }

  @Test func blur() throws {
    let bitmap = try filtered(by: "blur(1px)")
    #expect(coveredBox(bitmap) == [2, 2, 17, 17])
    #expect(try filtered(by: "blur()") == filtered(by: "none"))
    #expect(
      try filtered(by: "blur(.5em)")
        == draw("<rect x='5' y='5' width='10' height='10' fill='#ff8000' style='filter: blur(8px)'/>"))
  }

  @Test func dropShadow() throws {
    for value in ["drop-shadow(blue 4px 3px)", "drop-shadow(4px 3px 0 blue)", "drop-shadow( 4px 3px blue )"] {
      let bitmap = try filtered(by: value)
      #expect(coveredBox(bitmap) == [5, 5, 18, 17])
      #expect(pixel(bitmap, 18, 17) == "0000ffff")
      #expect(pixel(bitmap, 14, 14) == "ff8000ff")
    }
    let current = try draw(
      "<g color='lime'><rect width='4' height='4' style='filter: drop-shadow(9px 9px)'/></g>")
    #expect(pixel(current, 10, 10) == "00ff00ff")
    // In sRGB: the shadow's colour is what was written.
    #expect(pixel(try filtered(by: "drop-shadow(4px 4px #345)"), 17, 17) == "334455ff")
  }

  /// There is no region: what leaves the canvas may come back.
  @Test func noRegion() throws {
    let bitmap = try filtered(by: "drop-shadow(-300px 0 red) drop-shadow(305px 0 blue)")
    #expect(pixel(bitmap, 17, 10) == "0000ffff")
    #expect(coveredBox(bitmap) == [5, 5, 19, 14])
  }
}
