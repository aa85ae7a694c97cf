// Progressive files at an eighth of their size, decoded from DC coefficients alone.

import JPEGCodec
import TestSupport
import Testing

@Suite struct DCOnlyTests {
  private static func picture(_ format: PixelFormat) throws -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<131 {
      for x in 0..<203 {
        for channel in 0..<format.samplesPerPixel {
          pixels.append(UInt8(clamping: (x * (channel + 1) + y) % 320 - (x / 32 + y / 16) % 2 * 60))
        }
      }
    }
    return try Bitmap(width: 203, height: 131, format: format, pixels: pixels)
  }

  private static let options = DecodingOptions(targetSize: PixelSize(width: 26, height: 17))

  private static var approximate: JPEGDecoder {
    var decoder = JPEGDecoder()
    decoder.approximatesEighths = true
    return decoder
  }

  @Test(arguments: [JPEGEncoder.Options.Subsampling.yuv444, .gray], [0, 3])
  func withoutSubsamplingThePixelsAreThoseOfAllCoefficients(
    subsampling: JPEGEncoder.Options.Subsampling, restartRows: Int
  ) throws {
    var options = JPEGEncoder.Options(subsampling: subsampling, isProgressive: true)
    if restartRows > 0 { options.restartInterval = .rows(restartRows) }
    let file = try JPEGEncoder(options: options).encode(try Self.picture(.rgb8))
    let exact = try JPEGDecoder().decode(file, options: Self.options)
    let fast = try Self.approximate.decode(file, options: Self.options)
    #expect(fast.bitmap == exact.bitmap)
    #expect(fast.details == exact.details)
    #expect(fast.bitmap.pixelSize == PixelSize(width: 26, height: 17))
  }

  @Test(arguments: [JPEGEncoder.Options.Subsampling.yuv420, .yuv422, .yuv440, .yuv411])
  func subsampledChromaHasALowerResolution(subsampling: JPEGEncoder.Options.Subsampling) throws {
    let file = try JPEGEncoder(options: .init(subsampling: subsampling, isProgressive: true))
      .encode(try Self.picture(.rgb8))
    // Without colours, chroma is the same everywhere, and luma has all of its resolution.
    let gray = try JPEGEncoder(options: .init(subsampling: subsampling, isProgressive: true))
      .encode(try Self.picture(.gray8).converted(to: .rgb8))
    let exact = try JPEGDecoder().decode(gray, options: Self.options).bitmap
    #expect(try Self.approximate.decode(gray, options: Self.options).bitmap == exact)
    let colors = try Self.approximate.decode(file, options: Self.options)
    #expect(colors.bitmap.pixelSize == PixelSize(width: 26, height: 17))
    #expect(colors.isComplete && colors.diagnostics.isEmpty)
    // Other sizes and sequential files are decoded as always.
    let quarter = DecodingOptions(targetSize: PixelSize(width: 27, height: 17))
    #expect(
      try Self.approximate.decode(file, options: quarter).bitmap == JPEGDecoder().decode(file, options: quarter).bitmap)
    let sequential = try JPEGEncoder(options: .init(subsampling: subsampling)).encode(try Self.picture(.rgb8))
    #expect(
      try Self.approximate.decode(sequential, options: Self.options).bitmap
        == JPEGDecoder().decode(sequential, options: Self.options).bitmap)
  }

  @Test func partsOfTheFile() throws {
    let file = try JPEGEncoder(options: .init(isProgressive: true)).encode(try Self.picture(.rgb8))
    let whole = try Self.approximate.decode(file, options: Self.options)
    for size in [1, 7, 100, 1000] {
      let session = Self.approximate.makeSession(options: Self.options)
      for start in stride(from: 0, to: file.count, by: size) {
        try session.append(file.span.extracting(start..<min(start + size, file.count)))
      }
      let parts = try session.finish()
      #expect(parts.bitmap == whole.bitmap)
      #expect(parts.details == whole.details)
    }
    for count in 0..<file.count {
      let prefix = Array(file.prefix(count))
      _ = try? Self.approximate.decode(prefix, options: Self.options)
    }
    var random = TestRandom(3)
    for _ in 0..<2000 {
      var damaged = file
      damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      _ = try? Self.approximate.decode(damaged, options: Self.options)
    }
  }
}
