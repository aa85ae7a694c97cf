// Text on bitmaps: where its ink is, and how it is blended.

import ImageCore
import TestSupport
import Testing
import TextDrawing
import TextShaping

@Suite struct BitmapTextTests {
  private func white(_ width: Int, _ height: Int, _ format: PixelFormat = .rgba8) throws -> Bitmap {
    var bitmap = try Bitmap(width: width, height: height, format: format)
    for y in 0..<height {
      for x in 0..<width { bitmap[wide: x, y] = RGBA16(red: 65535, green: 65535, blue: 65535, alpha: 65535) }
    }
    return bitmap
  }

  /// The box of pixels that are not white.
  private func ink(_ bitmap: Bitmap) -> (minX: Int, minY: Int, maxX: Int, maxY: Int)? {
    var box: (minX: Int, minY: Int, maxX: Int, maxY: Int)?
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width where bitmap[x, y].red < 250 {
        let old = box ?? (x, y, x, y)
        box = (min(old.minX, x), min(old.minY, y), max(old.maxX, x), max(old.maxY, y))
      }
    }
    return box
  }

  private func draw(_ text: String, _ frame: TextFrame, _ style: TextStyle = SampleText.style) throws -> Bitmap {
    var bitmap = try white(400, 300)
    try bitmap.draw(text, style: style, in: frame, fonts: SampleText.fonts)
    return bitmap
  }

  @Test func opacitiesThatAreNoNumbersAreRejected() throws {
    var style = SampleText.style
    style.opacity = .nan
    let error = #expect(throws: CodecError.self) {
      try draw("B", TextFrame(x: 0, y: 0, width: 100, height: 100), style)
    }
    #expect(error?.kind == .invalidArgument)
  }

  /// Blending takes 30 units for each pixel of the text's box.
  @Test func blendingIsCharged() throws {
    let style = TextStyle(families: SampleText.style.families, size: 300)
    let frame = TextFrame(x: 0, y: 0, width: 400, height: 300)
    func draw(_ work: Int) throws -> Bitmap {
      var bitmap = try white(400, 300)
      let limits = DecodingLimits(maximumWork: Int64(work), maximumWorkPerPixel: 0)
      try bitmap.draw("B", style: style, in: frame, fonts: SampleText.fonts, limits: limits)
      return bitmap
    }
    let ink = try #require(ink(try draw(.max)))
    let work = (ink.maxX - ink.minX) * (ink.maxY - ink.minY) * 30
    let error = #expect(throws: CodecError.self) { try draw(work) }
    #expect(error?.limit == .work)
  }

  @Test func alignsText() throws {
    let frame = TextFrame(x: 50, y: 40, width: 300, height: 200)
    let block = try SampleText.block("BB")
    let start = try #require(ink(try draw("BB", frame)))
    let shifts: [(TextFrame.HorizontalAlignment, Double)] = [
      (.left, 0), (.center, (300 - block.width) / 2), (.right, 300 - block.width), (.start, 0),
    ]
    for (alignment, shift) in shifts {
      var moved = frame
      moved.horizontalAlignment = alignment
      let box = try #require(ink(try draw("BB", moved)))
      #expect(abs(Double(box.minX - start.minX) - shift) <= 1)
      #expect(box.minY == start.minY)
    }
    for (alignment, shift) in [(TextFrame.VerticalAlignment.middle, 0.5), (.bottom, 1)] {
      var moved = frame
      moved.verticalAlignment = alignment
      let box = try #require(ink(try draw("BB", moved)))
      #expect(abs(Double(box.minY - start.minY) - (200 - block.height) * shift) <= 1)
    }
  }

  @Test func startsRightToLeftTextOnTheRight() throws {
    var frame = TextFrame(width: 400, height: 300)
    let start = try #require(ink(try draw("\u{628}\u{628}", frame)))
    frame.horizontalAlignment = .right
    let right = try #require(ink(try draw("\u{628}\u{628}", frame)))
    #expect(start == right)
    #expect(start.minX > 200)
  }

  @Test func turnsText() throws {
    // About the centre of the frame (200, 150): a quarter turn maps (x, y) to (350 - y, x - 50).
    var frame = TextFrame(x: 100, y: 50, width: 200, height: 200)
    let box = try #require(ink(try draw("B", frame)))
    frame.rotation = 90
    let turned = try #require(ink(try draw("B", frame)))
    #expect(abs(turned.minX - (349 - box.maxY)) <= 1 && abs(turned.maxX - (349 - box.minY)) <= 1)
    #expect(abs(turned.minY - (box.minX - 50)) <= 1 && abs(turned.maxY - (box.maxX - 50)) <= 1)
  }

  @Test func blendsInEveryFormat() throws {
    let frame = TextFrame(width: 400, height: 300)
    var style = SampleText.style
    style.color = RGBA8(red: 255, green: 0, blue: 0, alpha: 128)
    style.opacity = 0.5
    let solid = try draw("B", frame)
    let place = try #require((0..<300 * 400).first { solid[$0 % 400, $0 / 400] == RGBA8(red: 0, green: 0, blue: 0) })
    for format in [PixelFormat.rgba8, .rgb8, .rgba8.premultiplied, .rgba16] {
      var bitmap = try white(400, 300, format)
      try bitmap.draw("B", style: style, in: frame, fonts: SampleText.fonts)
      let pixel = bitmap[place % 400, place / 400]
      // A quarter of red over white.
      #expect(pixel.red == 255 && pixel.alpha == 255)
      #expect(abs(Int(pixel.green) - 191) <= 1 && abs(Int(pixel.blue) - 191) <= 1, "\(format)")
    }
  }

  @Test func leavesOtherPixelsAlone() throws {
    var bitmap = try Bitmap(width: 64, height: 64, format: .rgba16)
    for y in 0..<64 {
      for x in 0..<64 {
        bitmap[wide: x, y] = RGBA16(
          red: UInt16(x * 1021), green: UInt16(y * 1013), blue: UInt16(x * y), alpha: UInt16(x * 7 + y))
      }
    }
    let before = bitmap
    var style = SampleText.style
    for text in ["", " ", "\n"] {
      try bitmap.draw(text, style: style, in: TextFrame(width: 64, height: 64), fonts: SampleText.fonts)
    }
    try bitmap.draw("B", style: style, in: TextFrame(x: 500, y: 0, width: 64, height: 64), fonts: SampleText.fonts)
    style.opacity = 0
    try bitmap.draw("B", style: style, in: TextFrame(width: 64, height: 64), fonts: SampleText.fonts)
    #expect(bitmap == before)
  }

  @Test func drawsBeyondTheEdges() throws {
    for x in stride(from: -200.0, through: 500, by: 37) {
      for y in [-150.0, -40, 120, 290, 1e9] {
        _ = try draw("BAB oTo", TextFrame(x: x, y: y, width: 250, height: 50, rotation: x))
      }
    }
    #expect(throws: CodecError.self) { try draw("B", TextFrame(x: .nan, width: 100, height: 100)) }
    #expect(throws: CodecError.self) { try draw("B", TextFrame(width: .infinity, height: 100)) }
  }

  /// A glyph of 16,000 points, which is small in the file of the font.
  @Test func costlyOutlinesEndInAnError() throws {
    var font = RectangleFont(glyphs: [.init(character: "a", advance: 500, box: (0, 0, 500, 500))])
    font.glyphs[0].contourCount = 4_000
    var limits = DecodingLimits()
    limits.maximumByteCount = 16 << 20
    var bitmap = try Bitmap(width: 10, height: 10, format: .rgba8)
    let error = #expect(throws: CodecError.self) {
      try bitmap.draw(
        String(repeating: "a", count: 5_000), style: TextStyle(families: ["Boxes"], size: 9),
        in: TextFrame(width: 10, height: 10), fonts: FontProvider(data: [font.bytes]), limits: limits)
    }
    #expect(error?.kind == .limitExceeded)
  }
}
