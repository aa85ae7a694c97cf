// Camera raw files through the entry points of the library. Tests of the codec are in its module.

import ImageCodecs
import TestSupport
import Testing

@Suite struct CameraRawTests {
  private func jpeg(_ color: UInt8, width: Int, height: Int) throws -> [UInt8] {
    let pixels = [UInt8](repeating: color, count: width * height * 3)
    return try JPEGEncoder().encode(try Bitmap(width: width, height: height, format: .rgb8, pixels: pixels))
  }

  /// A file with pictures of 96 × 64 (grey 60), 48 × 32 (grey 120) and, with black bars, 32 × 24 (grey 180), turned by 90°.
  private func arw() throws -> [UInt8] {
    TIFFBytes(directories: [
      [
        .long(254, [1]), .ascii(271, "SONY"), .ascii(272, "ILCE-7"), .short(274, [6]), .long(330, [0]),
        .blob(offset: 513, count: 514, try jpeg(60, width: 96, height: 64)),
      ],
      [.long(254, [1]), .blob(offset: 513, count: 514, try jpeg(120, width: 48, height: 32))],
      [.long(254, [1]), .blob(offset: 513, count: 514, try jpeg(180, width: 32, height: 24))],
    ]).bytes
  }

  private func grey(_ bitmap: Bitmap) throws -> Int {
    Int(try bitmap.converted(to: .gray8).row(bitmap.height / 2)[bitmap.width / 2])
  }

  @Test func filesAreIdentifiedByContent() throws {
    let file = try arw()
    let type = try #require(AssetType(file))
    #expect(type.isCameraRaw && type.formatName == "ARW" && type.filenameExtension == "arw")
    #expect(type.mimeType == "image/x-sony-arw" && AssetType(filenameExtension: "ARW") == type)
    #expect(try ImageFile(file).info().type == type)
    // A developed picture keeps the names of the camera, and is a TIFF.
    let plain = TIFFBytes(directories: [
      [
        .long(256, [1]), .long(257, [1]), .short(258, [8]), .short(262, [1]), .ascii(271, "SONY"),
        .ascii(272, "ILCE-7"), .blob(offset: 273, count: 279, [7]),
      ]
    ]).bytes
    #expect(AssetType(plain) == .tiff)
    #expect(try Bitmap(decoding: plain).packedPixels == [7])
    #expect(AssetType(DNGBytes(width: 4, height: 4, samples: DNGBytes.noise(16)).bytes) == .dng)
    #expect(!AssetType.tiff.isCameraRaw && AssetType.dng.isCameraRaw)
  }

  @Test func embeddedPicturesAreListed() throws {
    let file = try arw()
    let info = try ImageFile(file).info()
    #expect(info.size == PixelSize(width: 96, height: 64) && info.orientation == .right)
    #expect(info.thumbnails.map(\.size.width) == [96, 48, 32])
    #expect(info.thumbnails.map(\.kind) == [.preview, .thumbnail, .fullSize])
    for picture in info.thumbnails { #expect(AssetType(Array(file[picture.range])) == .jpeg) }
  }

  @Test func theLargestPictureIsDecoded() throws {
    let image = try ImageFile(arw()).decode()
    #expect(image.bitmap.pixelSize == PixelSize(width: 64, height: 96))
    #expect(try grey(image.bitmap) == 60)
    #expect(image.diagnostics.count == 1 && image.isComplete)
    let options = DecodingOptions(requiresSensorData: true)
    #expect {
      try ImageFile(arw(), options: options).decode()
    } throws: {
      ($0 as? CodecError)?.kind == .unsupported
    }
  }

  /// They are made of the smallest picture that is large enough and has no black bars.
  @Test(arguments: [(64, 60), (34, 60), (32, 120), (10, 120)])
  func thumbnailsAreMadeOfSmallPictures(width: Int, color: Int) throws {
    let image = try ImageFile(arw()).thumbnail(Thumbnail(width: width, height: width * 3 / 2))
    #expect(image.bitmap.pixelSize == PixelSize(width: width, height: width * 3 / 2))
    #expect(try abs(grey(image.bitmap) - color) <= 1)
  }

  /// A preview suffices unless the data of the sensor is requested.
  @Test func reducedPicturesOfDNG() throws {
    let samples = [UInt16](repeating: 20_000, count: 64 * 48)
    var file = DNGBytes(width: 64, height: 48, samples: samples)
    file.further = [.blob(offset: 513, count: 514, try jpeg(200, width: 32, height: 24))]
    func pixel(_ options: DecodingOptions) throws -> Int {
      try grey(ImageFile(file.bytes, options: options).decode().bitmap)
    }
    let target = PixelSize(width: 30, height: 20)
    let developed = try pixel(DecodingOptions())
    #expect(abs(developed - 200) > 20)
    #expect(try abs(pixel(DecodingOptions(targetSize: target)) - 200) <= 1)
    #expect(try abs(pixel(DecodingOptions(targetSize: target, requiresSensorData: true)) - developed) <= 1)
    #expect(try abs(pixel(DecodingOptions(targetSize: target, rawRendering: .toned)) - 200) > 1)
    #expect(try abs(pixel(DecodingOptions(targetSize: PixelSize(width: 33, height: 20))) - developed) <= 1)
  }

  /// The EXIF block of a file whose metadata are those of its embedded picture.
  @Test func metadataOfAnEmbeddedPicture() throws {
    let bitmap = try Bitmap(width: 24, height: 16, format: .rgb8)
    let block = TIFFBytes(directories: [[.ascii(271, "FUJIFILM"), .short(274, [8])]]).bytes
    var metadata = ImageMetadata()
    metadata.exif = block
    let picture = try JPEGEncoder().encode(bitmap, metadata: metadata)
    var file = Array("FUJIFILMCCD-RAW 0201".utf8)
    file += [UInt8](repeating: 0, count: 84 - file.count) + [0, 0, 0, 108] + SampleFiles.big32(UInt32(picture.count))
    file += [UInt8](repeating: 0, count: 108 - file.count) + picture
    let exif = try #require(try ImageFile(file).metadata().exif)
    #expect(try EXIFMetadata(exif)[.image, .make] == .text("FUJIFILM"))
  }

  /// Tables for the development are not part of the metadata: they would not fit into a JPEG file.
  @Test func tablesOfDNGAreNotKept() throws {
    var file = DNGBytes(width: 4, height: 4, samples: DNGBytes.noise(16))
    file.further = [.ascii(272, "Model"), .undefined(50982, [UInt8](repeating: 7, count: 70_000))]
    let image = try ImageFile(file.bytes).decode()
    let exif = try EXIFMetadata(try #require(image.metadata.exif))
    #expect(exif[.image, .make] == .text("Maker") && exif[.image, .model] == .text("Model"))
    #expect(exif[.image, EXIFTag(rawValue: 50982)] == nil && exif[.image, EXIFTag(rawValue: 50721)] == nil)
    #expect(try JPEGEncoder().encode(image.bitmap.converted(to: .rgb8), metadata: image.metadata).count > 0)
  }

  @Test func sessionsDecodeAtTheEnd() throws {
    let file = DNGBytes(width: 64, height: 48, samples: DNGBytes.noise(64 * 48)).bytes
    let whole = try ImageFile(file).decode()
    let session = ImageSession()
    for start in stride(from: 0, to: file.count, by: 100) {
      try session.append(file.span.extracting(start..<min(start + 100, file.count)))
    }
    #expect(try session.finish().bitmap == whole.bitmap)
  }
}
