// Resized bitmaps against slow implementations, and streaming against whole bitmaps.

import ImageCore
import Resampling
import TestSupport
import Testing

private let sizes = [(1, 1), (2, 3), (7, 5), (16, 16), (17, 33), (40, 9), (5, 70)]
private let targets = [(1, 1), (3, 2), (5, 7), (16, 15), (23, 50), (64, 4)]
private let filtering = ResamplingFilter.allCases.filter { $0 != .nearest }

/// Random pixels; floating-point samples are in 0…1.
func randomBitmap(_ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64) throws -> Bitmap {
  var random = TestRandom(seed)
  let integers = format.with(format.sampleType == .uint8 ? .uint8 : .uint16)
  let count = width * height * integers.bytesPerPixel
  // Every other picture has only extreme samples, which make filters overshoot.
  let bytes = random.bytes(count).map { seed % 2 == 0 ? $0 : $0 & 1 == 0 ? 0 : 255 }
  return try Bitmap(width: width, height: height, format: integers, pixels: bytes).converted(to: format)
}

@Suite struct ResizingTests {
  @Test(arguments: filtering) func byteKernelsEqualPillowsAlgorithm(_ filter: ResamplingFilter) throws {
    for format in [PixelFormat.gray8, .rgb8, .cmyk8, .rgba8.premultiplied, PixelFormat(.cmyk, alpha: .premultiplied)] {
      for (index, (width, height)) in sizes.enumerated() {
        let bitmap = try randomBitmap(width, height, format, seed: UInt64(index))
        for (newWidth, newHeight) in targets {
          let expected = SlowResampler.resize(Samples(bitmap), newWidth, newHeight, filter, fixedPoint: true)
          let resized = try bitmap.resized(toWidth: newWidth, height: newHeight, filter: filter)
          #expect(Samples(resized) == expected, "\(bitmap) to \(newWidth) × \(newHeight)")
        }
      }
    }
  }

  @Test(arguments: [PixelFormat.grayAlpha8, .rgba8, .bgra8, PixelFormat(.cmyk, alpha: .straight)])
  func straightAlphaIsPremultipliedAsInPillow(_ format: PixelFormat) throws {
    let last = format.samplesPerPixel - 1
    for (index, (width, height)) in sizes.enumerated() {
      let bitmap = try randomBitmap(width, height, format, seed: UInt64(index))
      for (newWidth, newHeight) in targets where (newWidth, newHeight) != (width, height) {
        let premultiplied = Samples(bitmap).mapPixels { pixel in
          pixel.prefix(last).map { color in (color * pixel[last] / 255).rounded() } + [pixel[last]]
        }
        let filtered = SlowResampler.resize(premultiplied, newWidth, newHeight, .lanczos3, fixedPoint: true)
        let expected = filtered.mapPixels { pixel in
          let alpha = pixel[last]
          if alpha == 0 || alpha == 255 { return pixel }
          return pixel.prefix(last).map { min(255, ($0 * 255 / alpha).rounded(.down)) } + [alpha]
        }
        let resized = try bitmap.resized(toWidth: newWidth, height: newHeight)
        #expect(Samples(resized) == expected, "\(bitmap) to \(newWidth) × \(newHeight)")
      }
    }
  }

  @Test(arguments: filtering) func deepSamplesEqualDoublePrecision(_ filter: ResamplingFilter) throws {
    for type in [SampleType.uint16, .float16, .float32] {
      for model in PixelFormat.ColorModel.allCases {
        let format = PixelFormat(model, sampleType: type)
        let bitmap = try randomBitmap(31, 23, format, seed: 4)
        for (width, height) in [(9, 8), (40, 50), (31, 7), (1, 1)] {
          let expected = SlowResampler.resize(Samples(bitmap), width, height, filter, fixedPoint: false)
          let actual = Samples(try bitmap.resized(toWidth: width, height: height, filter: filter))
          for (value, exact) in zip(actual.values, expected.values) {
            switch type {
            case .uint16: #expect(abs(value - min(65535, max(0, exact))) < 0.52)
            // Half precision has eleven bits.
            case .float16: #expect(abs(value - exact) < max(abs(exact), 0.01) / 2000)
            default: #expect(abs(value - exact) < 1e-6)
            }
          }
        }
      }
    }
  }

  @Test func deepStraightAlphaWeighsColor() throws {
    for type in [SampleType.uint16, .float32] {
      let bitmap = try randomBitmap(20, 20, PixelFormat(.rgb, alpha: .straight, sampleType: type), seed: 6)
      let full = Double(type.maximum)
      let premultiplied = Samples(bitmap).mapPixels { p in p.prefix(3).map { $0 * p[3] / full } + [p[3]] }
      let filtered = SlowResampler.resize(premultiplied, 7, 33, .mitchell, fixedPoint: false)
      let actual = Samples(try bitmap.resized(toWidth: 7, height: 33, filter: .mitchell))
      for index in stride(from: 0, to: actual.values.count, by: 4) {
        let alpha = min(full, max(0, filtered.values[index + 3]))
        #expect(abs(actual.values[index + 3] - alpha) < full * 1e-5)
        // The division magnifies errors.
        guard alpha > full / 10 else { continue }
        for channel in index..<index + 3 {
          let exact = filtered.values[channel] * full / alpha
          let limited = type == .uint16 ? min(full, max(0, exact)) : exact
          #expect(abs(actual.values[channel] - limited) < full * 2e-5)
        }
      }
    }
  }

  @Test func nearestCopiesThePixelAtTheCenter() throws {
    for format in PixelFormat.all {
      let bitmap = try randomBitmap(13, 7, format, seed: 8)
      for (width, height) in [(4, 3), (30, 20), (13, 1), (1, 14)] {
        let resized = try bitmap.resized(toWidth: width, height: height, filter: .nearest)
        let size = format.bytesPerPixel
        for y in 0..<height {
          for x in 0..<width {
            let (sourceX, sourceY) = ((2 * x + 1) * 13 / (2 * width), (2 * y + 1) * 7 / (2 * height))
            for byte in 0..<size {
              #expect(resized.row(y)[x * size + byte] == bitmap.row(sourceY)[sourceX * size + byte])
            }
          }
        }
      }
    }
  }

  @Test func blackAndWhiteAverageToHalfTheLight() throws {
    // Black and white average to half the light, which sRGB encodes as 188 (IEC 61966-2-1).
    let pixels: [UInt8] = [0, 0, 0, 255, 255, 255]
    let bitmap = try Bitmap(width: 2, height: 1, format: .rgb8, pixels: pixels)
    #expect(try bitmap.resized(toWidth: 1, height: 1, filter: .box).packedPixels == [128, 128, 128])
    #expect(try bitmap.resized(toWidth: 1, height: 1, filter: .box, light: .linear).packedPixels == [188, 188, 188])
    let deep = try bitmap.converted(to: .rgb16).resized(toWidth: 1, height: 1, filter: .box, light: .linear)
    #expect(abs(Int(deep.row16(0)[0]) - 48192) <= 1)
    let exact = try bitmap.converted(to: .rgbaFloat32).resized(toWidth: 1, height: 1, filter: .box, light: .linear)
    #expect(abs(Samples(exact).values[0] - 0.735357) < 1e-6)
    // Alpha is averaged as stored; the colour of clear pixels does not count.
    let clear = try Bitmap(width: 2, height: 1, format: .rgba8, pixels: [9, 9, 9, 0, 200, 100, 50, 255])
    #expect(
      try clear.resized(toWidth: 1, height: 1, filter: .box, light: .linear).packedPixels == [200, 100, 50, 128])
    // Premultiplied colour is divided by alpha before it is decoded.
    let half = try Bitmap(width: 1, height: 1, format: .rgba8.premultiplied, pixels: [64, 32, 16, 128])
    #expect(
      try half.resized(toWidth: 2, height: 1, filter: .box, light: .linear).packedPixels
        == [64, 32, 16, 128, 64, 32, 16, 128])
    let ink = try Bitmap(width: 2, height: 1, format: .cmyk8, pixels: [0, 0, 0, 0, 255, 255, 255, 255])
    #expect(try ink.resized(toWidth: 1, height: 1, filter: .box, light: .linear).packedPixels == [128, 128, 128, 128])
  }

  @Test(arguments: [PixelFormat.gray8, .rgb16, .rgba8]) func uniformImagesStayUniform(_ format: PixelFormat) throws {
    for value in [UInt8(0), 1, 77, 254, 255] {
      var pixels = [UInt8](repeating: value, count: 12 * 9 * format.bytesPerPixel)
      if format.hasAlpha { for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 } }
      let bitmap = try Bitmap(width: 12, height: 9, format: format, pixels: pixels)
      for filter in ResamplingFilter.allCases {
        for light in ResamplingLight.allCases {
          let resized = try bitmap.resized(toWidth: 5, height: 31, filter: filter, light: light)
          #expect(resized.packedPixels == (0..<155).flatMap { _ in bitmap.packedPixels.prefix(format.bytesPerPixel) })
        }
      }
    }
  }

  @Test func tagsAreKept() throws {
    var bitmap = try randomBitmap(4, 4, .rgb8, seed: 1)
    bitmap.colorSpace = .sRGB
    bitmap.orientation = .right
    let resized = try bitmap.resized(toWidth: 3, height: 2)
    #expect(resized.colorSpace == .sRGB && resized.orientation == .right)
    #expect(try bitmap.resized(toWidth: 4, height: 4) == bitmap)
  }
}
