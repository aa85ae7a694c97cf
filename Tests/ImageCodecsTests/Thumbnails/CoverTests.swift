// The cropping by `cover`, compared with sums over all pixels in double precision.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite struct CoverTests {
  /// The weight of a pixel at a distance from the centre of a new pixel of width 1.
  private static func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }

  /// The weights of all pixels of a side for one new pixel: those of the part only, and of pixels at its ends the share
  /// that is inside.
  private static func weights(
    _ count: Int, part: ClosedRange<Double>, target: Int, of targetCount: Int, isAverage: Bool
  ) -> [Double] {
    let scale = (part.upperBound - part.lowerBound) / Double(targetCount)
    let left = part.lowerBound + Double(target) * scale
    let center = left + scale / 2
    let weights = (0..<count).map { pixel -> Double in
      let (start, end) = (Double(pixel), Double(pixel) + 1)
      if isAverage { return max(0, min(end, left + scale) - max(start, left)) }
      let inside = max(0, min(end, part.upperBound) - max(start, part.lowerBound))
      return inside * lanczos((start + 0.5 - center) / max(scale, 1))
    }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The middle of a gray picture that has the proportions of the size.
  private static func cover(_ picture: Bitmap, _ size: PixelSize, isAverage: Bool) -> [Double] {
    let factor = max(Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
    func part(_ count: Int, _ kept: Int) -> ClosedRange<Double> {
      let length = min(Double(count), Double(kept) / factor)
      return (Double(count) - length) / 2...(Double(count) + length) / 2
    }
    let (columns, rows) = (part(picture.width, size.width), part(picture.height, size.height))
    let samples = picture.packedPixels
    return (0..<size.height).flatMap { y in
      let down = weights(picture.height, part: rows, target: y, of: size.height, isAverage: isAverage)
      return (0..<size.width).map { x in
        let across = weights(picture.width, part: columns, target: x, of: size.width, isAverage: isAverage)
        var sum = 0.0
        for row in 0..<picture.height where down[row] != 0 {
          for column in 0..<picture.width {
            sum += down[row] * across[column] * Double(samples[row * picture.width + column])
          }
        }
        return min(max(sum, 0), 255)
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases, [ResamplingFilter.lanczos3, .area])
  func smallSizesAreMadeOfTheExactCrop(orientation: ImageOrientation, filter: ResamplingFilter) throws {
    for source in [
      PixelSize(width: 61, height: 97), PixelSize(width: 97, height: 61), PixelSize(width: 40, height: 33),
    ] {
      let upright = try ThumbnailPictures.photo(width: source.width, height: source.height, .gray8)
      let file = try ThumbnailPictures.stored(upright, as: orientation).encoded(as: .png)
      for size in [(1, 1), (2, 1), (3, 2), (1, 2), (20, 13)].map({ PixelSize(width: $0, height: $1) }) {
        let expected = Self.cover(upright, size, isAverage: filter == .area)
        let made = try ImageFile(file).thumbnail(
          Thumbnail(width: size.width, height: size.height, fit: .cover, filter: filter)
        ).bitmap
        #expect(made.pixelSize == size)
        // Both passes round.
        let differences = zip(made.packedPixels, expected).map { abs(Double($0) - $1) }
        #expect(differences.max() ?? .infinity <= 1.3, "\(source) \(size) \(orientation) \(filter)")
      }
    }
  }

  @Test func cropsWithoutScalingCopyPixels() throws {
    let picture = try ThumbnailPictures.photo(width: 31, height: 20, .rgb8)
    for filter in [ResamplingFilter.lanczos3, .area, .nearest, .box] {
      let made = try picture.thumbnail(Thumbnail(width: 20, height: 40, fit: .cover, filter: filter, color: .source))
      #expect(
        made.packedPixels == (try picture.cropped(to: PixelRegion(x: 5, y: 0, width: 20, height: 20))).packedPixels)
    }
  }

  @Test func samplesOfSixteenBitsAndLinearLightUseTheSameCrop() throws {
    let gray = try ThumbnailPictures.photo(width: 61, height: 97, .gray8)
    let expected = Self.cover(gray, PixelSize(width: 3, height: 2), isAverage: false)
    let deep = try gray.converted(to: .gray16)
    let made = try deep.thumbnail(Thumbnail(width: 3, height: 2, fit: .cover, color: .source))
    let small = try made.converted(to: .gray8).packedPixels
    #expect(zip(small, expected).allSatisfy { abs(Double($0) - $1) <= 1 })
    let nearest = try gray.thumbnail(Thumbnail(width: 1, height: 1, fit: .cover, filter: .nearest, color: .source))
    #expect(nearest.packedPixels == [gray.packedPixels[48 * 61 + 30]])
  }
}
