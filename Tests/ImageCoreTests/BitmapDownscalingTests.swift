// Area averages against a slow twin that computes every overlap in floating point.

import ImageCore
import Testing

@Suite struct BitmapDownscalingTests {
  /// The average over a target pixel's area, of straight samples weighted by alpha; `nil` where it is too close to a
  /// half for floating point to tell.
  private func average(_ bitmap: Bitmap, to size: PixelSize, x: Int, y: Int, sample: Int) -> Int? {
    let count = bitmap.format.samplesPerPixel
    let isColour = bitmap.format.alpha == .straight && sample < count - 1
    var sum = 0.0
    var weights = 0.0
    for sourceY in 0..<bitmap.height {
      for sourceX in 0..<bitmap.width {
        func overlap(_ source: Int, _ target: Int, _ from: Int, _ to: Int) -> Double {
          let scale = Double(from) / Double(to)
          return max(
            0, min(Double(source + 1), Double(target + 1) * scale) - max(Double(source), Double(target) * scale))
        }
        var weight = overlap(sourceX, x, bitmap.width, size.width) * overlap(sourceY, y, bitmap.height, size.height)
        func value(_ index: Int) -> Double {
          bitmap.format.bitsPerSample == 16
            ? Double(bitmap.row16(sourceY)[sourceX * count + index])
            : Double(bitmap.row(sourceY)[sourceX * count + index])
        }
        if isColour { weight *= value(count - 1) }
        sum += weight * value(sample)
        weights += weight
      }
    }
    if weights == 0 { return 0 }
    let exact = sum / weights
    return abs(exact - exact.rounded(.down) - 0.5) < 1e-6 ? nil : Int(exact.rounded())
  }

  @Test(arguments: [PixelFormat.gray8, .rgba8, .rgb16, .rgba16, .rgba8.premultiplied, .cmyk8])
  func everyPixelIsTheAverageOfItsArea(_ format: PixelFormat) throws {
    var state: UInt32 = 7
    let bytes = (0..<13 * 11 * format.bytesPerPixel).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let bitmap = try Bitmap(width: 13, height: 11, format: format, pixels: bytes)
    for size in [PixelSize(width: 5, height: 4), PixelSize(width: 13, height: 1), PixelSize(width: 1, height: 11)] {
      let small = bitmap.downscaled(to: size)
      #expect(small.pixelSize == size)
      for y in 0..<size.height {
        for index in 0..<size.width * format.samplesPerPixel {
          let (x, sample) = index.quotientAndRemainder(dividingBy: format.samplesPerPixel)
          guard let expected = average(bitmap, to: size, x: x, y: y, sample: sample) else { continue }
          let found = format.bitsPerSample == 16 ? Int(small.row16(y)[index]) : Int(small.row(y)[index])
          #expect(found == expected)
        }
      }
    }
  }

  @Test func nothingGrowsAndTagsStay() throws {
    var bitmap = try Bitmap(width: 4, height: 2, format: .gray8, pixels: [UInt8](repeating: 9, count: 8))
    bitmap.orientation = .left
    bitmap.scale = 2
    #expect(bitmap.downscaled(to: PixelSize(width: 8, height: 8)) == bitmap)
    let small = bitmap.downscaled(to: PixelSize(width: 2, height: 9))
    #expect(small.pixelSize == PixelSize(width: 2, height: 2))
    #expect(small.orientation == .left && small.scale == 2)
    #expect(Bitmap().downscaled(to: PixelSize(width: 1, height: 1)).isEmpty)
  }
}
