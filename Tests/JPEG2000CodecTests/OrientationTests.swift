// The orientation that an EXIF block states.

import ImageCoding
import JPEG2000Codec
import TestSupport
import Testing

@Suite struct OrientationTests {
  private let decoder = JPEG2000Decoder()

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, UInt8((content.count + 8) >> 8), UInt8(truncatingIfNeeded: content.count + 8)] + Array(type.utf8) + content
  }

  /// A grey file with an EXIF block, which contains only the orientation, before or after the codestream.
  private static func file(orientation: UInt8, precedesCodestream: Bool = true) -> [UInt8] {
    let directory: [UInt8] = [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    let exif = box("uuid", Array("JpgTiffExif->JP2".utf8) + [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory)
    let codestream = box("jp2c", EncodedFiles.plain)
    let start = [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10]
    return start + box("jp2h", box("colr", [1, 0, 0, 0, 0, 0, 17]))
      + (precedesCodestream ? exif + codestream : codestream + exif)
  }

  /// The stored pixel that an upright picture shows at a place.
  private static func storedPixel(_ orientation: UInt8, x: Int, y: Int) -> UInt8 {
    let (right, bottom) = (EncodedFiles.width - 1, EncodedFiles.height - 1)
    let (column, row) =
      switch orientation {
      case 2: (right - x, y)
      case 3: (right - x, bottom - y)
      case 4: (x, bottom - y)
      case 5: (y, x)
      case 6: (y, bottom - x)
      case 7: (right - y, bottom - x)
      case 8: (right - y, x)
      default: (x, y)
      }
    return EncodedFiles.gray[row * EncodedFiles.width + column]
  }

  @Test func picturesAreUpright() throws {
    for orientation in 1...8 as ClosedRange<UInt8> {
      for precedesCodestream in [true, false] {
        let file = Self.file(orientation: orientation, precedesCodestream: precedesCodestream)
        let image = try decoder.decode(file)
        let (width, height) = orientation > 4 ? (9, 13) : (13, 9)
        #expect((image.bitmap.width, image.bitmap.height) == (width, height))
        let expected = (0..<height).flatMap { y in
          (0..<width).map { x in Self.storedPixel(orientation, x: x, y: y) }
        }
        #expect(image.bitmap.packedPixels == expected)
        #expect(image.info.orientation.rawValue == orientation)
      }
    }
  }

  @Test func regionsReferToUprightPictures() throws {
    let region = PixelRegion(x: 2, y: 3, width: 4, height: 5)
    for orientation in 1...8 as ClosedRange<UInt8> {
      let part = try decoder.decode(
        Self.file(orientation: orientation), options: DecodingOptions(region: region)
      ).bitmap
      let expected = (3..<8).flatMap { y in (2..<6).map { x in Self.storedPixel(orientation, x: x, y: y) } }
      #expect((part.width, part.height) == (4, 5))
      #expect(part.packedPixels == expected)
    }
  }

  /// Without being applied, the orientation is a tag. Reduced sizes refer to upright pictures.
  @Test func orientationIsReported() throws {
    let file = Self.file(orientation: 6)
    let image = try decoder.decode(file, options: DecodingOptions(orientation: .report))
    #expect(image.bitmap.packedPixels == EncodedFiles.gray)
    #expect(image.bitmap.orientation == .right)
    #expect(try decoder.info(file).orientation == .right)
    // Of a block after the codestream, headers tell nothing.
    #expect(try decoder.info(Self.file(orientation: 6, precedesCodestream: false)).orientation == .up)
    let target = DecodingOptions(targetSize: PixelSize(width: 5, height: 7))
    let reduced = try decoder.decode(file, options: target).bitmap
    #expect((reduced.width, reduced.height) == (5, 7))
  }

  /// Only the orientation remains of the EXIF block of a file without metadata.
  @Test func orientationSurvivesStripping() throws {
    let rewriter = try #require(decoder.metadataRewriter(of: JPEG2000Decoder.type))
    for precedesCodestream in [true, false] {
      let file = Self.file(orientation: 6, precedesCodestream: precedesCodestream)
      let stripped = try rewriter.rewrite(file.span, metadata: ImageMetadata())
      #expect(try decoder.decode(stripped).bitmap == decoder.decode(file).bitmap)
      let upright = try rewriter.rewrite(file.span, metadata: ImageMetadata(), orientation: .up)
      #expect(try decoder.metadata(upright).exif == nil)
      #expect(try decoder.decode(upright).bitmap.packedPixels == EncodedFiles.gray)
    }
  }
}
