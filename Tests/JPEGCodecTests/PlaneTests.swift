// The planes of a file, against the rows that its decode converts to pixels.

import ImageCoding
import JPEGCodec
import PixelPlanes
import TestSupport
import Testing

@Suite struct PlaneTests {
  @Test(arguments: [JPEGEncoder.Options.Subsampling.yuv444, .yuv422, .yuv420, .yuv440, .yuv411, .gray], [false, true])
  func planesBecomeThePixelsOfADecode(subsampling: JPEGEncoder.Options.Subsampling, isProgressive: Bool) throws {
    var random = TestRandom(4)
    let bitmap = try Bitmap(width: 53, height: 37, format: .rgb8, pixels: random.bytes(53 * 37 * 3))
    var options = JPEGEncoder.Options()
    options.subsampling = subsampling
    options.isProgressive = isProgressive
    let file = try JPEGEncoder(options: options).encode(bitmap)
    let picture = try JPEGDecoder().planes(file.span)
    var budget = ResourceBudget(.default)
    let pixels = try picture.bitmap(format: .rgb8, arithmetic: .libjpeg, budget: &budget)
    let expected = try JPEGDecoder().decode(file, options: DecodingOptions(pixelFormat: .rgb8)).bitmap
    #expect(pixels.packedPixels == expected.packedPixels)
  }

  @Test func inksAreUnsupported() throws {
    var random = TestRandom(5)
    let inks = try Bitmap(width: 9, height: 9, format: .cmyk8, pixels: random.bytes(9 * 9 * 4))
    let file = try JPEGEncoder().encode(inks)
    let error = #expect(throws: CodecError.self) { try JPEGDecoder().planes(file.span) }
    #expect(error?.kind == .unsupported)
  }
}
