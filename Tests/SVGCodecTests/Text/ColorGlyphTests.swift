// Colour glyphs: layers of COLR, pictures of sbix, documents of the SVG table.

import SVGCodec
import TestSupport
import Testing

@Suite struct ColorGlyphTests {
  /// `a` is the glyph in colours; `b` and `c` are boxes of half an em and a quarter of it.
  private static var font: RectangleFont {
    RectangleFont(glyphs: [
      .init(character: "a", advance: 1000, box: (0, 0, 1000, 1000)),
      .init(character: "b", advance: 500, box: (0, 0, 500, 500)),
      .init(character: "c", advance: 500, box: (0, 0, 250, 500)),
    ])
  }

  private func draw(_ font: RectangleFont, _ attributes: String = "") throws -> Bitmap {
    let red = try Bitmap(width: 2, height: 2, format: .rgba8, pixels: [UInt8](repeating: 255, count: 16))
    var options = options(fonts: font)
    options.decodeImage = { bytes, _ throws(CodecError) in
      guard bytes == [1, 2, 3] else { throw CodecError(.malformed, "not the picture of the font") }
      return red
    }
    return try SVGCodecTests.draw("<text x='5' y='15' font-size='10' \(attributes)>a</text>", options: options)
  }

  @Test func layers() throws {
    var font = Self.font
    let colors = font.big16(0) + font.big16(1) + font.big32(14) + font.big32(20) + font.big16(2)
    let records = font.big16(1) + font.big16(0) + font.big16(2)
    let layers = font.big16(2) + font.big16(0) + font.big16(3) + font.big16(0xffff)
    let palette =
      font.big16(0) + font.big16(1) + font.big16(1) + font.big16(1) + font.big32(14) + font.big16(0) + [0, 0, 255, 255]
    font.extraTables = [("COLR", colors + records + layers), ("CPAL", palette)]
    let bitmap = try draw(font, "fill='#00f'")
    // The larger box in the colour of the palette, the smaller one on it in that of the text.
    #expect(coveredBox(bitmap) == [5, 10, 9, 14])
    #expect(pixel(bitmap, 9, 12) == "ff0000ff" && pixel(bitmap, 6, 12) == "0000ffff")
  }

  @Test func pictures() throws {
    var font = Self.font
    let picture: [UInt8] = font.big16(0) + font.big16(0) + Array("png ".utf8) + [1, 2, 3]
    let offsets = [0, 0, picture.count, picture.count, picture.count].flatMap { font.big32(24 + $0) }
    let strike = font.big16(4) + font.big16(72) + offsets + picture
    font.extraTables = [("sbix", font.big16(1) + font.big16(1) + font.big32(1) + font.big32(12) + strike)]
    let bitmap = try draw(font)
    // Two of four pixels an em: five units, from the origin up.
    #expect(coveredBox(bitmap) == [5, 10, 9, 14] && pixel(bitmap, 7, 12) == "ffffffff")
  }

  @Test func documents() throws {
    var font = Self.font
    let text =
      "<svg xmlns='http://www.w3.org/2000/svg'><rect width='900' height='900'/><g id='glyph1'><rect y='-500' width='500' height='500' fill='#0f0'/></g></svg>"
    let list = font.big16(1) + font.big16(1) + font.big16(1) + font.big32(14) + font.big32(text.utf8.count)
    font.extraTables = [("SVG ", font.big16(0) + font.big32(10) + font.big32(0) + list + Array(text.utf8))]
    let bitmap = try draw(font)
    #expect(coveredBox(bitmap) == [5, 10, 9, 14] && pixel(bitmap, 7, 12) == "00ff00ff")
  }
}
