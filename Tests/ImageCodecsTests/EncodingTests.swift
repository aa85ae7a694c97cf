// From pixels to bytes by format.

import Foundation
import ImageCodecs
import Testing
import Threading

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
    #expect(try ImageFile(Data(bytes)).info().size == bitmap.pixelSize)
    let smallest = try bitmap.encoded(as: .png(PNGEncoder.Options(compressionLevel: 9)))
    #expect(try Bitmap(decoding: smallest).packedPixels == bitmap.packedPixels)
  }

  /// A profile that describes other components than those of the file is left out: pixels of CMYK become RGB in most
  /// formats.
  @Test(arguments: [AssetType.jpeg, .png, .gif, .webp, .tiff])
  func profilesOfOtherColorModelsAreLeftOut(type: AssetType) throws {
    func profile(_ colorSpace: String) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 128)
      bytes.replaceSubrange(16..<20, with: colorSpace.utf8)
      bytes.replaceSubrange(36..<40, with: "acsp".utf8)
      return bytes
    }
    let format = try #require(try EncodingFormat(type: type))
    for colorSpace in ["RGB ", "GRAY", "CMYK"] {
      for model in ["RGB ", "GRAY", "CMYK"] {
        let pixels: PixelFormat = model == "RGB " ? .rgb8 : model == "GRAY" ? .gray8 : .cmyk8
        var bitmap = try Bitmap(
          width: 1, height: 1, format: pixels, pixels: [UInt8](repeating: 9, count: pixels.bytesPerPixel))
        if colorSpace == model { bitmap.colorSpace = .icc(profile(model)) }
        var metadata = ImageMetadata()
        metadata.colorSpace = .icc(profile(colorSpace))
        let file = try ImageFile(bitmap.encoded(as: format, metadata: metadata))
        let stored: ImageInfo.StoredColorModel? = try file.info().colorModel
        let expected = stored == .gray ? "GRAY" : stored == .cmyk ? "CMYK" : "RGB "
        #expect(
          try file.metadata().colorSpace.iccProfile == (colorSpace == expected ? profile(colorSpace) : nil),
          "\(model) with a profile for \(colorSpace), stored as \(expected)")
      }
    }
  }

  /// Writes a constant.
  private struct ConstantEncoder: ImageFormatEncoder {
    let type: AssetType
    let byte: UInt8

    func encode(
      _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
    ) throws(CodecError) -> [UInt8] {
      [byte]
    }
  }

  /// A token is that of one registration, of a decoder or of an encoder.
  @Test func tokensOfEncodersIdentifyNoDecoders() throws {
    let formats = ImageFormatRegistry()
    let decoder = formats.register(TGADecoder())
    let encoder = formats.registerEncoder(of: .tga) { _ in ConstantEncoder(type: .tga, byte: 2) }
    #expect(decoder != encoder)
    formats.unregister(encoder)
    formats.unregisterEncoder(decoder)
    #expect(try formats.encoder(of: .tga)?.encode(bitmap) == [2])
  }

  @Test func encodersAreRegisteredAndTakePrecedence() throws {
    let formats = ImageFormatRegistry()
    #expect(try EncodingFormat(type: .tga, formats: formats) == nil)
    let first = formats.registerEncoder(of: .tga) { quality in
      ConstantEncoder(type: .tga, byte: UInt8((quality ?? 0) * 100))
    }
    let encoded = try #require(try EncodingFormat(type: .tga, quality: 0.5, formats: formats))
    #expect(try bitmap.encoded(as: encoded) == [50])
    let second = formats.registerEncoder(of: .tga) { _ in ConstantEncoder(type: .tga, byte: 2) }
    #expect(try formats.encoder(of: .tga)?.encode(bitmap) == [2])
    #expect(formats.encodableTypes == [.jpeg, .png, .gif, .webp, .tiff, .bmp, .ico, .pnm, .tga])
    formats.unregisterEncoder(second)
    #expect(try formats.encoder(of: .tga, quality: 1)?.encode(bitmap) == [100])
    formats.unregisterEncoder(first)
    #expect(try formats.encoder(of: .tga) == nil)
    #expect(try ImageFormatRegistry.shared.encoder(of: .tga) == nil)
  }

  @Test(arguments: [AssetType.jpeg, .png, .gif, .webp])
  func encodingIsCancelledBetweenRows(type: AssetType) throws {
    let noise = (0..<600 * 600).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let picture = try Bitmap(width: 600, height: 600, format: .gray8, pixels: noise)
    let format = try #require(try EncodingFormat(type: type))
    let calls = Mutex(0)
    let error = #expect(throws: CodecError.self) {
      try picture.encoded(
        as: format, limits: .unlimited,
        shouldCancel: {
          calls.withLock { count in
            count += 1
            return count == 5
          }
        })
    }
    #expect(error?.kind == .cancelled)
    #expect(calls.withLock { $0 } == 5)
    let whole = try picture.encoded(as: format, limits: .unlimited)
    #expect(try whole == picture.encoded(as: format))
  }

  @Test func aFailedWriteLeavesTheOldFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.png")
    try bitmap.write(to: file, as: .png)
    let old = try Data(contentsOf: file)
    #expect(try Bitmap(decoding: old).packedPixels == bitmap.packedPixels)
    #expect(throws: CodecError.self) { try Bitmap().write(to: file, as: .png) }
    #expect(throws: CodecError.self) { try bitmap.write(to: file, as: .jpeg(.init(quality: 0))) }
    #expect(try Data(contentsOf: file) == old)
    // A file in a folder that does not exist.
    #expect(throws: (any Error).self) { try bitmap.write(to: folder.appendingPathComponent("b/c.png"), as: .png) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.png"])
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
    }
    for wrong in [0, 101, .max, .min] {
      let error = #expect(throws: CodecError.self) { try photo.encoded(as: .jpeg(.init(quality: wrong))) }
      #expect(error?.kind == .invalidArgument)
    }
  }
}
