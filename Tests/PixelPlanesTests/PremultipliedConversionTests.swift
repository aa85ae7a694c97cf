// Pictures whose colours are multiplied by alpha, against quotients in double precision and in integers.

import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct PremultipliedConversionTests {
  private static let size = (width: 37, height: 5)

  private func plane(
    _ width: Int, _ height: Int, depth: Int, _ value: (Int) -> Int
  ) throws -> SamplePlane {
    let samples = (0..<width * height).map { UInt16(value($0)) }
    return depth == 8
      ? try SamplePlane(width: width, height: height, samples: samples.map { UInt8($0) })
      : try SamplePlane(width: width, height: height, bitDepth: depth, samples: samples)
  }

  /// A picture of BT.601 in full range with one chroma colour and many values of alpha, in particular small ones.
  private func picture(_ format: ChromaFormat, depth: Int, alphaDepth: Int, seed: UInt64) throws -> PlanarPicture {
    var noise = TestRandom(seed)
    let (width, height) = Self.size
    func random(_ maximum: Int) -> Int { Int(noise.next() % UInt64(maximum + 1)) }
    let (full, alphaFull) = (1 << depth - 1, 1 << alphaDepth - 1)
    let luma = try plane(width, height, depth: depth) { _ in random(full) }
    let coding = PlanarPicture.Coding(matrix: .bt601, range: .full)
    let (cb, cr) = (random(full), random(full))
    let (chromaWidth, chromaHeight) = (format.chromaWidth(width), format.chromaHeight(height))
    var picture =
      format == .monochrome
      ? try PlanarPicture(chromaFormat: format, coding: coding, luma: luma)
      : try PlanarPicture(
        chromaFormat: format, coding: coding, luma: luma,
        cb: plane(chromaWidth, chromaHeight, depth: depth) { _ in cb },
        cr: plane(chromaWidth, chromaHeight, depth: depth) { _ in cr })
    try picture.setAlpha(
      plane(width, height, depth: alphaDepth) { random(min(alphaFull, [0, 3, 20, alphaFull][$0 % 4])) })
    picture.isPremultiplied = true
    return picture
  }

  private func sample(_ bitmap: Bitmap, _ x: Int, _ y: Int, _ channel: Int) -> Int {
    let index = x * bitmap.format.samplesPerPixel + channel
    return bitmap.format.bitsPerSample == 16 ? Int(bitmap.row16(y)[index]) : Int(bitmap.row(y)[index])
  }

  /// The quotients at a pixel, 0…1, and alpha.
  private func straight(_ picture: PlanarPicture, _ x: Int, _ y: Int) -> [Double] {
    let full = Double(1 << picture.bitDepth - 1)
    let center = Double(1 << (picture.bitDepth - 1))
    let luma = Double(picture.luma[x, y]) / full
    let cb = picture.cb.map { (Double($0[0, 0]) - center) / full } ?? 0
    let cr = picture.cr.map { (Double($0[0, 0]) - center) / full } ?? 0
    let alpha = picture.alpha.map { Double($0[x, y]) / Double($0.maximumValue) } ?? 1
    let (red, blue) = (luma + 1.402 * cr, luma + 1.772 * cb)
    let green = (luma - 0.299 * red - 0.114 * blue) / 0.587
    return [red, green, blue].map { alpha == 0 ? 0 : min(min(max($0, 0), 1) / alpha, 1) } + [alpha]
  }

  @Test(arguments: [ChromaFormat.yuv420, .yuv422], [8, 12])
  func colorsOfInterpolatedChromaAreDividedBeforeTheyAreRounded(format: ChromaFormat, depth: Int) throws {
    for (alphaDepth, target) in [(8, PixelFormat.rgba8), (8, .rgba16), (10, .rgba8), (12, .rgba16), (8, .rgb8)] {
      let picture = try picture(format, depth: depth, alphaDepth: alphaDepth, seed: UInt64(depth + alphaDepth))
      var budget = ResourceBudget(.default)
      let bitmap = try picture.bitmap(format: target, budget: &budget)
      let maximum = target.bitsPerSample == 16 ? 65535.0 : 255
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          for (channel, value) in straight(picture, x, y).prefix(target.samplesPerPixel).enumerated() {
            #expect(abs(Double(sample(bitmap, x, y, channel)) - value * maximum) <= 0.55, "\(x), \(y)")
          }
        }
      }
    }
  }

  @Test(arguments: [ChromaFormat.yuv444, .monochrome], [8, 12])
  func otherPixelsAreThePremultipliedOnesDivided(format: ChromaFormat, depth: Int) throws {
    for target in [PixelFormat.rgba8, .rgba16] {
      let picture = try picture(format, depth: depth, alphaDepth: depth, seed: UInt64(depth))
      var budget = ResourceBudget(.default)
      let straight = try picture.bitmap(format: target, budget: &budget)
      let premultiplied = try picture.bitmap(format: target.premultiplied, budget: &budget)
      let maximum = target.bitsPerSample == 16 ? 65535 : 255
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let alpha = sample(premultiplied, x, y, 3)
          #expect(sample(straight, x, y, 3) == alpha)
          for channel in 0..<3 {
            let color = sample(premultiplied, x, y, channel)
            let expected = alpha == 0 ? 0 : min((2 * color * maximum + alpha) / (2 * alpha), maximum)
            #expect(sample(straight, x, y, channel) == expected, "\(x), \(y)")
          }
        }
      }
    }
  }

  @Test(arguments: [ChromaFormat.yuv420, .yuv444]) func premultipliedPixelsAreNotDivided(format: ChromaFormat) throws {
    var picture = try picture(format, depth: 8, alphaDepth: 8, seed: 3)
    var budget = ResourceBudget(.default)
    let premultiplied = try picture.bitmap(format: .rgba8.premultiplied, budget: &budget).packedPixels
    picture.isPremultiplied = false
    #expect(try picture.bitmap(format: .rgba8, budget: &budget).packedPixels == premultiplied)
  }
}
