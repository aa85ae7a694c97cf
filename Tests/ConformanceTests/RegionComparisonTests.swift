// Which decoded regions count as parts of the whole picture.

import ConformanceKit
import ImageCore
import Testing

@Suite struct RegionComparisonTests {
  /// Each pixel differs from its neighbours.
  private static func picture() throws -> Bitmap {
    let pixels: [UInt8] = (0..<77).map { index in
      let (x, y): (Int, Int) = (index % 11, index / 11)
      return UInt8(truncatingIfNeeded: x * 3 + y * 40)
    }
    return try Bitmap(width: 11, height: 7, format: .gray8, pixels: pixels)
  }

  @Test func partsAreEqual() throws {
    let whole = try Self.picture()
    #expect(
      try RegionComparison(with: whole).difference { (region) throws(CodecError) in try whole.cropped(to: region) }
        == nil)
  }

  /// A decoder whose region is off by one pixel, in any direction in which there are pixels.
  @Test func displacementsAreFound() throws {
    let whole = try Self.picture()
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
      let difference = try RegionComparison(with: whole).difference { (region) throws(CodecError) in
        var moved = region
        moved.x += dx
        moved.y += dy
        return try whole.cropped(to: moved.fits(in: whole.pixelSize) ? moved : region)
      }
      #expect(difference?.contains("differs from the whole") == true)
    }
  }

  @Test func wrongSizesAndPixelsAreFound() throws {
    let whole = try Self.picture()
    let larger = try RegionComparison(with: whole).difference { (region) throws(CodecError) in
      try whole.cropped(to: PixelRegion(x: 0, y: 0, width: min(11, region.width + 1), height: region.height))
    }
    #expect(larger != nil)
    // Only the last pixel.
    let changed = try RegionComparison(with: whole).difference { (region) throws(CodecError) in
      if region.width > 1 { return try whole.cropped(to: region) }
      return try Bitmap(width: 1, height: 1, format: .gray8, pixels: [0])
    }
    #expect(changed == "the region 1 × 1 at (10, 6) differs from the whole")
  }
}
