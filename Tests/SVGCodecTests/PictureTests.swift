// Pictures that are drawn smaller than they are, compared with the resampling of whole bitmaps; and what they cost.

import Resampling
import SVGCodec
import Testing
import Threading

@Suite struct PictureTests {
  /// An opaque picture of noise.
  private static func noise(_ width: Int, _ height: Int) throws -> Bitmap {
    var state: UInt32 = 5
    let pixels = (0..<width * height * 4).map { index -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return index % 4 == 3 ? 255 : UInt8(state >> 24)
    }
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
  }

  private static func options(_ picture: Bitmap) -> SVGDocument.Options {
    SVGDocument.Options(decodeImage: { _, _ throws(CodecError) in picture })
  }

  private static func document(_ picture: Bitmap, _ body: String, _ attributes: String) throws -> SVGDocument {
    try SVGDocument(parsing: markup(body, attributes), options: options(picture))
  }

  /// At any ratio every pixel contributes: the drawing is that of a cubic filter as wide as the ratio.
  @Test(arguments: [(31, 40), (48, 48), (59, 20), (7, 3)])
  func reductionIsFiltered(width: Int, height: Int) throws {
    let picture = try Self.noise(60, 50)
    let document = try Self.document(
      picture, "<image href='data:,a' width='60' height='50' preserveAspectRatio='none'/>", "width='60' height='50'")
    let drawn = try document.render(width: width, height: height)
    let expected = try picture.resized(toWidth: width, height: height, filter: .bicubic)
    for y in 0..<height {
      for x in 0..<width {
        let (a, b) = (drawn[x, y], expected[x, y])
        #expect(a.alpha == 255)
        #expect([(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].allSatisfy { abs(Int($0.0) - Int($0.1)) <= 1 })
      }
    }
  }

  /// Lines that are too fine for the canvas become grey and not other lines.
  @Test func nothingAliases() throws {
    let width = 188
    let pixels = (0..<width * 4).map { index -> UInt8 in
      index % 4 == 3 ? 255 : index / 4 % 2 == 0 ? 0 : 255
    }
    let picture = try Bitmap(width: width, height: 1, format: .rgba8, pixels: pixels)
    let document = try Self.document(
      picture, "<image href='data:,a' width='188' height='20' preserveAspectRatio='none'/>", "width='188' height='20'")
    for target in [100, 110, 120] {
      let drawn = try document.render(width: target, height: 5)
      for x in 4..<target - 4 { #expect(abs(Int(drawn[x, 2].red) - 128) < 24, "\(target)") }
    }
  }

  /// Straight colours of transparent pixels do not show, and no sample exceeds its alpha.
  @Test func transparency() throws {
    let pixels = (0..<40 * 40).flatMap { index -> [UInt8] in
      index % 40 / 8 % 2 == 0 ? [255, 255, 255, 255] : [255, 0, 0, 0]
    }
    let picture = try Bitmap(width: 40, height: 40, format: .rgba8, pixels: pixels)
    let document = try Self.document(
      picture, "<image href='data:,a' width='40' height='40'/>", "width='40' height='40'")
    let drawn = try document.render(width: 27)
    for x in 0..<27 {
      let pixel = drawn[x, 9]
      #expect(pixel.red == pixel.green && pixel.red <= 255)
      #expect(pixel.alpha == 0 || pixel.green >= 250)
    }
  }

  @Test func pixelatedPicturesKeepTheirPixels() throws {
    let picture = try Self.noise(60, 50)
    var known: Set<RGBA8> = []
    for y in 0..<50 { for x in 0..<60 { known.insert(picture[x, y]) } }
    for value in ["pixelated", "optimizeSpeed", "crisp-edges"] {
      let document = try Self.document(
        picture, "<image href='data:,a' width='60' height='50' image-rendering='\(value)'/>", "width='60' height='50'")
      for width in [31, 60, 150] {
        let drawn = try document.render(width: width)
        for x in 1..<width - 1 { #expect(known.contains(drawn[x, drawn.height / 2])) }
      }
    }
    for value in ["auto", "optimizeQuality", "smooth", "high-quality"] {
      let document = try Self.document(
        picture, "<image href='data:,a' width='60' height='50' image-rendering='\(value)'/>", "width='60' height='50'")
      let drawn = try document.render(width: 31)
      #expect((1..<30).contains { !known.contains(drawn[$0, 9]) })
    }
  }

  /// A link is decoded once, however many elements have it.
  @Test func picturesAreDecodedOnce() throws {
    let picture = try Self.noise(30, 30)
    let count = Mutex(0)
    let options = SVGDocument.Options(
      decodeImage: { _, _ throws(CodecError) in
        count.withLock { $0 += 1 }
        return picture
      }, loadResource: { $0.hasSuffix(".png") ? [1, 2, 3] : nil })
    let body = """
      <image id='a' href='data:,a' width='9' height='9'/><image href=' data:,a ' x='9' width='5' height='5'/>
      <use href='#a' y='9'/><image href='b.png' width='2' height='2'/><image xlink:href='b.png' width='3' height='3'/>
      """
    _ = try SVGDocument(parsing: markup(body), options: options)
    #expect(count.withLock { $0 } == 2)
  }

  @Test func bandsAreTheSamePixels() throws {
    let picture = try Self.noise(900, 2_000)
    let body = """
      <image id='i' href='data:,a' width='190' height='590' preserveAspectRatio='none'/><use href='#i' x='3.3' y='7.7'
        transform='rotate(9) scale(.4)'/><pattern id='p' width='40' height='50' patternUnits='userSpaceOnUse'><image
        href='data:,a' width='40' height='50'/></pattern><rect y='300' width='150' height='222' fill='url(#p)'/>
      """
    let document = try Self.document(picture, body, "width='200' height='600'")
    let whole = try document.render(width: 200)
    for parallelism in [2, 4] { #expect(try document.render(width: 200, parallelism: parallelism) == whole) }
  }
}
