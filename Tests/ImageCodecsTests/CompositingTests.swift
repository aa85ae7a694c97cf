// Compositing, contact sheets and padded thumbnails, against slow definitions in floating point.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite struct CompositingTests {
  private func picture(_ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64) throws -> Bitmap {
    var random = TestRandom(seed)
    let bytes = random.bytes(width * height * PixelFormat.rgba8.bytesPerPixel)
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: bytes).converted(to: format)
  }

  /// Light above 1 and inks, which the mixture in RGB does not hold.
  @Test(arguments: [PixelFormat.rgbaFloat32, .rgbaFloat16, .cmyk8]) func otherPixelsDoNotChange(
    _ format: PixelFormat
  ) throws {
    var random = TestRandom(7)
    var below = try Bitmap(
      width: 9, height: 3, format: format, pixels: random.bytes(27 * format.bytesPerPixel))
    let original = below
    var above = try Bitmap(width: 9, height: 3, format: .rgba8)
    above[2, 1] = RGBA8(red: 1, green: 2, blue: 3, alpha: 255)
    above[3, 1] = RGBA8(red: 1, green: 2, blue: 3, alpha: 100)
    above[7, 1] = RGBA8(red: 1, green: 2, blue: 3, alpha: 1)
    try below.draw(above)
    let size = format.bytesPerPixel
    for pixel in 0..<27 {
      let bytes = pixel * size..<(pixel + 1) * size
      let isEqual = below.packedPixels[bytes] == original.packedPixels[bytes]
      #expect(isEqual == ![11, 12, 16].contains(pixel), "\(pixel)")
    }
  }

  /// The mixture of two straight colours of 0…1.
  private func over(_ top: [Double], _ bottom: [Double], opacity: Double) -> [Double] {
    let alpha = top[3] * opacity
    let result = alpha + bottom[3] * (1 - alpha)
    guard result > 0 else { return [0, 0, 0, 0] }
    let visible: Double = bottom[3] * (1 - alpha)
    var mixture: [Double] = []
    for channel in 0..<3 { mixture.append((top[channel] * alpha + bottom[channel] * visible) / result) }
    return mixture + [result]
  }

  private func color(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Double] {
    let color = bitmap[wide: x, y]
    return [color.red, color.green, color.blue, color.alpha].map { Double($0) / 65535 }
  }

  @Test(arguments: [
    PixelFormat.rgba8, .rgb8, .gray8, .bgra8, .grayAlpha8, .rgba16, .rgb16, PixelFormat.rgba8.premultiplied,
  ]) func drawsOver(_ format: PixelFormat) throws {
    for (x, y, opacity) in [(0, 0, 1.0), (3, 2, 0.3), (-4, -2, 1), (7, 6, 0.75), (-20, 0, 1), (0, 40, 1)] {
      let below = try picture(10, 9, format, seed: 1)
      let above = try picture(8, 7, .rgba8, seed: 2)
      var drawn = below
      try drawn.draw(above, x: x, y: y, opacity: opacity)
      for row in 0..<9 {
        for column in 0..<10 {
          guard (x..<x + 8).contains(column), (y..<y + 7).contains(row) else {
            #expect(drawn[wide: column, row] == below[wide: column, row])
            continue
          }
          let mixture = over(color(above, column - x, row - y), color(below, column, row), opacity: opacity)
          var found = color(drawn, column, row)
          if format.alpha == .premultiplied {
            // As stored: straight samples of little alpha are not precise.
            let start = (row * 10 + column) * 4
            found = drawn.packedPixels[start..<start + 4].map { Double($0) / 255 }
          }
          let distance = distance(found, mixture, format)
          #expect(distance < 1.02, "\(format) at \(column), \(row)")
        }
      }
    }
  }

  /// Returns the largest difference of a colour from the exact mixture, in what rounding may change.
  private func distance(_ found: [Double], _ mixture: [Double], _ format: PixelFormat) -> Double {
    let step = format.sampleType == .uint8 ? 1.0 / 255 : 1.0 / 65535
    var largest = abs(found[3] - (format.hasAlpha ? mixture[3] : 1)) / step
    // A colour with little alpha is not precise.
    guard mixture[3] > 0.02 else { return largest }
    if format.colorModel == .gray {
      // A weighted sum of three rounded numbers.
      return max(largest, abs(luma(found) - luma(mixture)) / (3 * step))
    }
    let factor = format.alpha == .premultiplied ? mixture[3] : 1
    for channel in 0..<3 { largest = max(largest, abs(found[channel] - mixture[channel] * factor) / step) }
    return largest
  }

  private func luma(_ color: [Double]) -> Double { 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2] }

  @Test func anOpaquePictureReplacesThePixels() throws {
    var drawn = try picture(6, 6, .rgba8, seed: 4)
    let opaque = try picture(3, 2, .rgb8, seed: 5)
    try drawn.draw(opaque, x: 2, y: 3)
    for y in 0..<2 {
      for x in 0..<3 { #expect(drawn[x + 2, y + 3] == opaque[x, y]) }
    }
    #expect(throws: CodecError.self) { try drawn.draw(opaque, opacity: 1.5) }
    let error = #expect(throws: CodecError.self) {
      try drawn.draw(opaque, limits: DecodingLimits(maximumWork: 50, maximumWorkPerPixel: 0))
    }
    #expect(error?.limit == .work)
    let before = drawn
    try drawn.draw(opaque, x: .min, y: .max)
    try drawn.draw(opaque, x: .max, y: .min)
    #expect(drawn == before)
  }

  @Test func coloursAreThoseOfTheBitmap() throws {
    var above = try picture(4, 4, .rgb8, seed: 6)
    above.colorSpace = .displayP3
    var drawn = try Bitmap(width: 4, height: 4, format: .rgb8)
    drawn.colorSpace = .sRGB
    try drawn.draw(above)
    #expect(drawn.packedPixels == (try above.converted(to: .sRGB)).packedPixels)
  }

  @Test func sheetsHavePicturesInTheirPlaces() throws {
    var sheet = try ContactSheet(
      count: 3, tile: PixelSize(width: 10, height: 8), columns: 2, gap: 2, background: RGBA8(red: 1, green: 2, blue: 3))
    #expect(sheet.bitmap.pixelSize == PixelSize(width: 22, height: 18))
    for color in [RGBA8.red, .green, .blue] {
      let samples = [color.red, color.green, color.blue]
      try sheet.add(Bitmap(width: 4, height: 8, format: .rgb8, pixels: (0..<32).flatMap { _ in samples }))
    }
    #expect(sheet.bitmap[3, 0] == .red && sheet.bitmap[2, 0] == RGBA8(red: 1, green: 2, blue: 3))
    #expect(sheet.bitmap[15, 7] == .green && sheet.bitmap[3, 10] == .blue)
    #expect(throws: CodecError.self) { try sheet.add(Bitmap(width: 1, height: 1, format: .rgb8)) }
    // Larger pictures are scaled.
    var small = try ContactSheet(count: 1, tile: PixelSize(width: 4, height: 4))
    try small.add(Bitmap(width: 40, height: 20, format: .gray8, pixels: [UInt8](repeating: 90, count: 800)))
    #expect((0..<4).map { small.bitmap[0, $0].alpha } == [0, 255, 255, 0])
    for (count, columns, gap) in [(0, 1, 0), (1, 0, 0), (1, 1, -1)] {
      #expect(throws: CodecError.self) {
        try ContactSheet(count: count, tile: PixelSize(width: 1, height: 1), columns: columns, gap: gap)
      }
    }
    let large = #expect(throws: CodecError.self) {
      try ContactSheet(count: .max, tile: PixelSize(width: .max, height: 9), gap: .max)
    }
    #expect(large?.kind == .limitExceeded)
  }

  @Test func paddedThumbnails() throws {
    let source = try picture(40, 20, .rgb8, seed: 7)
    let file = try ImageFile(source.encoded(as: .png))
    let inside = try file.thumbnail(Thumbnail(width: 10, height: 10)).bitmap
    #expect(inside.pixelSize == PixelSize(width: 10, height: 5))
    for (gravity, top) in [(Thumbnail.Gravity.top, 0), (.center, 2), (.bottom, 5)] {
      let padded = try file.thumbnail(Thumbnail(width: 10, height: 10, fit: .padded(gravity))).bitmap
      #expect(padded.pixelSize == PixelSize(width: 10, height: 10) && padded.format == .rgba8)
      for y in 0..<10 {
        let expected = (top..<top + 5).contains(y) ? inside[4, y - top] : .clear
        #expect(padded[4, y] == expected, "\(gravity), row \(y)")
      }
    }
    let colored = Thumbnail(width: 10, height: 10, fit: .padded, background: .green)
    let onGreen = try file.thumbnail(colored).bitmap
    #expect(onGreen.format == .rgb8 && onGreen[0, 0] == .green && onGreen[3, 4] == inside[3, 2])
    // JPEG has no transparency: the space is white, or of the colour.
    let jpeg = try file.encodedThumbnail(Thumbnail(width: 10, height: 10, fit: .padded), as: .jpeg(.init(quality: 100)))
    #expect(jpeg.size == PixelSize(width: 10, height: 10))
    #expect(try Bitmap(decoding: jpeg.bytes)[5, 0].red > 240)
    // Images smaller than the size are not enlarged, and a size of one side pads nothing.
    let tiny = try ImageFile(picture(2, 2, .gray8, seed: 8).encoded(as: .png))
    #expect(
      try tiny.thumbnail(Thumbnail(width: 6, height: 4, fit: .padded)).bitmap.pixelSize
        == PixelSize(width: 6, height: 4))
    #expect(try file.thumbnail(Thumbnail(width: 10, fit: .padded)).bitmap == inside)
    let session = try ThumbnailSession([colored])
    let bytes = try source.encoded(as: .bmp)
    try session.append(bytes.span)
    #expect(try session.finish()[0].bitmap == onGreen)
  }

  @Test func coloursAsText() throws {
    #expect(RGBA8(red: 0, green: 10, blue: 255).hex == "#000aff")
    #expect(RGBA8(red: 0, green: 10, blue: 255, alpha: 1).hex == "#000aff01")
    let hash = try ThumbHash(picture(9, 7, .rgb8, seed: 9))
    #expect(Data(base64Encoded: hash.base64) == Data(hash.bytes))
  }
}
