import ImageCore
import Placeholders
import TestSupport
import Testing

private func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> RGBA8) throws -> Bitmap {
  var bitmap = try Bitmap(width: width, height: height, format: .rgba8)
  for y in 0..<height {
    for x in 0..<width { bitmap[x, y] = color(x, y) }
  }
  return bitmap
}

private func kind(_ body: () throws(CodecError) -> Void) -> CodecError.Kind? {
  do throws(CodecError) {
    try body()
    return nil
  } catch {
    return error.kind
  }
}

@Suite struct PlaceholderTests {
  static let red = RGBA8(red: 250, green: 20, blue: 10)
  static let blue = RGBA8(red: 10, green: 30, blue: 240)

  @Test func averagesAreOfVisibleColors() throws {
    let halves = try picture(10, 4) { x, _ in x < 5 ? Self.red : RGBA8(red: 9, green: 9, blue: 9, alpha: 0) }
    #expect(try halves.averageColor() == RGBA8(red: 250, green: 20, blue: 10, alpha: 128))
    let clear = try Bitmap(width: 3, height: 3, format: .rgba8)
    #expect(try clear.averageColor() == RGBA8(red: 0, green: 0, blue: 0, alpha: 0))
    #expect(try clear.dominantColors().isEmpty)
  }

  @Test func dominantColorsAreThoseOfTheAreas() throws {
    // Larger than what is examined.
    let flag = try picture(288, 192) { x, y in
      y < 60 ? Self.blue : x < 99 ? Self.red : RGBA8(red: 0, green: 200, blue: 80)
    }
    let colors = try flag.dominantColors(maximumCount: 3)
    #expect(colors.map(\.color) == [RGBA8(red: 0, green: 200, blue: 80), Self.blue, Self.red])
    #expect(zip(colors, [0.451, 0.3125, 0.236]).allSatisfy { abs($0.share - $1) < 0.02 })
    #expect(try flag.dominantColors(maximumCount: 32).reduce(0) { $0 + $1.share } > 0.999)
    #expect(try picture(8, 8) { _, _ in Self.red }.dominantColors() == [DominantColor(color: Self.red, share: 1)])
  }

  @Test func summariesOfLargePicturesAreSimilar() throws {
    let scene = { (scale: Int) in
      try picture(60 * scale, 40 * scale) { x, y in
        RGBA8(
          red: UInt8(x * 255 / (60 * scale)), green: UInt8((x / scale / 7 * 37 + y / scale / 5 * 91) % 256),
          blue: x / scale < 30 ? 30 : 220)
      }
    }
    let (small, large) = (try scene(1), try scene(9))
    #expect(try PerceptualHash(small).distance(to: PerceptualHash(large)) <= 4)
    let (thumb, again) = (try ThumbHash(small), try ThumbHash(large))
    #expect(abs(thumb.aspectRatio - again.aspectRatio) < 0.01 && abs(thumb.aspectRatio - 1.5) < 0.3)
    let (average, color) = (try large.averageColor(), again.averageColor)
    #expect(abs(Int(color.red) - Int(average.red)) < 10 && abs(Int(color.blue) - Int(average.blue)) < 10)
  }

  @Test func everyPixelFormatIsSummarized() throws {
    let base = try picture(24, 16) { x, y in RGBA8(red: UInt8(x * 10), green: UInt8(y * 15), blue: 90) }
    let opaque = try base.converted(to: .rgb8)
    for format in PixelFormat.all {
      let converted = try opaque.converted(to: format)
      let hash = try PerceptualHash(converted)
      if format.colorModel == .rgb { #expect(try hash.distance(to: PerceptualHash(opaque)) <= 2, "\(format)") }
      _ = try ThumbHash(converted).makeBitmap()
      _ = try BlurHash(converted)
      _ = try converted.dominantColors()
    }
  }

  @Test func textsOfHashesComeBack() throws {
    let hash = PerceptualHash(rawValue: 0xAB)
    #expect(hash.description == "00000000000000ab" && hash.distance(to: PerceptualHash(rawValue: 0xAA)) == 1)
    for text in ["", "L", "LEHV6nWB2y", "LEHV6nWB2yk8pyo0adR*.7kCMd\"j", "~~~~~~"] {
      #expect(kind { () throws(CodecError) in _ = try BlurHash(text: text) } == .malformed, "\(text)")
    }
    #expect(try BlurHash(text: "LEHV6nWB2yk8pyo0adR*.7kCMdnj").horizontalTermCount == 4)
  }

  @Test func damagedThumbHashesAreMalformedOrDrawn() throws {
    var random = TestRandom(3)
    for count in 0..<40 {
      let bytes = random.bytes(count)
      guard let hash = try? ThumbHash(bytes: bytes) else { continue }
      let drawn = try hash.makeBitmap()
      #expect(max(drawn.width, drawn.height) == 32 && hash.bytes.count <= bytes.count)
    }
    #expect(kind { () throws(CodecError) in _ = try ThumbHash(bytes: [1, 2, 3]) } == .malformed)
  }

  @Test func argumentsAndLimitsAreChecked() throws {
    let dot = try picture(1, 1) { _, _ in Self.red }
    #expect(kind { () throws(CodecError) in _ = try BlurHash(dot, horizontalTermCount: 10) } == .invalidArgument)
    #expect(kind { () throws(CodecError) in _ = try ThumbHash(Bitmap()) } == .invalidArgument)
    #expect(kind { () throws(CodecError) in _ = try PerceptualHash(Bitmap()) } == .invalidArgument)
    #expect(kind { () throws(CodecError) in _ = try dot.dominantColors(maximumCount: 0) } == .invalidArgument)
    let hash = try BlurHash(dot)
    #expect(kind { () throws(CodecError) in _ = try hash.makeBitmap(width: 0, height: 5) } == .invalidArgument)
    #expect(
      kind { () throws(CodecError) in _ = try hash.makeBitmap(width: 1 << 20, height: 1 << 20) } == .limitExceeded)
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: 1000))
    let large = try picture(400, 400) { _, _ in Self.red }
    #expect(kind { () throws(CodecError) in _ = try ThumbHash(large, budget: &budget) } == .limitExceeded)
  }
}
