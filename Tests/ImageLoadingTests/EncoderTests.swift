// The encoders of pipelines.

import Foundation
import ImageLoading
import Testing

@Suite struct EncoderTests {
  let bitmap: Bitmap

  init() throws {
    bitmap = try Bitmap(width: 2, height: 1, format: .rgba8, pixels: [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func transparencyMeansPNG() throws {
    let data = try #require(ImageEncoders.Default().encode(bitmap))
    #expect(AssetType(data) == .png)
  }

  @Test func opaqueImagesBecomeJPEG() throws {
    let opaque = try bitmap.converted(to: .rgb8)
    #expect(AssetType(try ImageEncoders.Default().encoded(opaque)) == .jpeg)
    #expect(ImageEncoders.ImageIO.isSupported(type: .jpeg))
    #expect(!ImageEncoders.ImageIO.isSupported(type: .heic))
  }

  @Test func aPreferredEncoderThatIsAbsentIsNilOrAnError() throws {
    let opaque = try bitmap.converted(to: .rgb8)
    let encoder = ImageEncoders.Default(isHEIFPreferred: true)
    #expect(encoder.encode(opaque) == nil)
    let error = #expect(throws: CodecError.self) { try encoder.encoded(opaque) }
    #expect(error?.kind == .unsupported)
    // Images with an alpha channel never become HEIC.
    #expect(encoder.encode(bitmap).flatMap { AssetType($0) } == .png)
  }

  @Test func anUnknownTypeIsNilOrAnError() throws {
    let encoder = ImageEncoders.ImageIO(type: .heif)
    #expect(encoder.encode(bitmap) == nil)
    #expect(throws: CodecError.self) { try encoder.encoded(bitmap) }
  }

  @Test func aGIFIsItsOwnData() throws {
    let image = bitmap
    let context = ImageEncodingContext(request: ImageRequest(url: nil), image: image)
    let encoder = ImageEncoders.Default()
    #expect(
      encoder.encode(ImageContainer(image: image, type: .gif, data: Data([1, 2])), context: context) == Data([1, 2]))
    #expect(encoder.encode(ImageContainer(image: image, type: .gif), context: context) == nil)
    #expect(encoder.encode(ImageContainer(image: image, type: .png), context: context) != nil)
  }

  @Test(arguments: [-0.01, 1.01, .nan, .infinity])
  func qualityIsAFraction(_ wrong: Double) throws {
    #expect(ImageEncoders.Default(compressionQuality: wrong).encode(try bitmap.converted(to: .rgb8)) == nil)
  }
}
