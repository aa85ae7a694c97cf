// From pixels to bytes by format, and the encoders of a pipeline.

import FoundationEssentials
import ImageCodecs
import Testing

@Suite struct EncodingTests {
  let bitmap: Bitmap

  init() throws {
    bitmap = try Bitmap(width: 2, height: 1, format: .rgba8, pixels: [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func oneLineThereAndBack() throws {
    let bytes = try bitmap.encoded(as: .png)
    #expect(AssetType(bytes) == .png)
    #expect(try Bitmap(decoding: bytes).packedPixels == bitmap.packedPixels)
    #expect(try Bitmap(decoding: Data(bytes)).packedPixels == bitmap.packedPixels)
    #expect(try ImageInfo(reading: Data(bytes)).size == bitmap.pixelSize)
    let smallest = try bitmap.encoded(as: .png(PNGEncoder.Options(compressionLevel: 9)))
    #expect(try Bitmap(decoding: smallest).packedPixels == bitmap.packedPixels)
  }

  @Test func transparencyMeansPNG() throws {
    let data = try #require(ImageEncoders.Default().encode(bitmap))
    #expect(AssetType(data) == .png)
  }

  @Test func opaqueImagesBecomeJPEGWhateverIsPreferred() throws {
    let opaque = bitmap.converted(to: .rgb8)
    for encoder in [ImageEncoders.Default(), ImageEncoders.Default(isHEIFPreferred: true)] {
      #expect(AssetType(try encoder.encoded(opaque)) == .jpeg)
    }
    #expect(ImageEncoders.ImageIO.isSupported(type: .jpeg))
    #expect(!ImageEncoders.ImageIO.isSupported(type: .heic))
  }

  @Test func qualityIsAFractionOrAnError() throws {
    let photo = try Bitmap(width: 64, height: 64, format: .rgb8) { pixels in
      for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* index / 97) }
    }
    func byteCount(_ quality: Double) throws -> Int { try photo.encoded(as: .jpeg(quality: quality)).count }
    #expect(try byteCount(0) < byteCount(0.5) && byteCount(0.5) < byteCount(1))
    #expect(try photo.encoded(as: .jpeg(quality: 0.8)) == photo.encoded(as: .jpeg))
    for wrong in [-0.01, 1.01, .nan, .infinity] {
      let error = #expect(throws: CodecError.self) { try byteCount(wrong) }
      #expect(error?.kind == .invalidArgument)
      #expect(ImageEncoders.Default(compressionQuality: wrong).encode(photo) == nil)
    }
    for wrong in [0, 101, .max, .min] {
      let error = #expect(throws: CodecError.self) { try photo.encoded(as: .jpeg(.init(quality: wrong))) }
      #expect(error?.kind == .invalidArgument)
    }
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
}
