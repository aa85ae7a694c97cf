// Versions of reduced resolution, and their selection.

import ImageCoding
import TIFFCodec
import Testing

@Suite struct ReducedImageTests {
  /// A file of 64 × 48 with a version of half the size as the second page.
  private func pyramid() -> [UInt8] {
    let large = [UInt8](repeating: 10, count: 64 * 48)
    let small = [UInt8](repeating: 20, count: 32 * 24)
    var reduced = SmallTIFF(width: 32, height: 24)
    reduced.longs = [(254, [1])]
    let second = reduced.file([small])
    // The second file follows the first one, so its offsets are moved.
    var first = SmallTIFF(width: 64, height: 48)
    var file = first.file([large])
    let base = file.count
    reduced.offsets = [base + 8]
    let moved = reduced.file([small])
    let directory = Int(second[4]) | Int(second[5]) << 8
    first.next = base + directory
    file = first.file([large])
    // Values of the directory are at most 4 bytes each, so that no other offset has to be moved.
    return file + moved
  }

  @Test func aReducedVersionIsDecodedIfItIsLargeEnough() throws {
    let file = pyramid()
    #expect(try decoder.info(file, options: InfoOptions(indexesFrames: true)).imageCount == 2)
    for (target, width) in [
      (PixelSize(width: 32, height: 24), 32), (PixelSize(width: 5, height: 5), 32),
      (PixelSize(width: 33, height: 24), 64),
    ] {
      let image = try decoder.decode(file, options: DecodingOptions(targetSize: target))
      #expect(image.info.width == 64 && image.bitmap.width == width)
    }
    let thumbnail = try decoder.thumbnail(file.span, options: DecodingOptions())
    #expect(thumbnail?.width == 32)
    #expect(try decoder.decode(file, options: DecodingOptions(imageIndex: 1)).bitmap.packedPixels[0] == 20)
  }
}
