// Whole files, against the pictures that they were made from.

import ImageCoding
import JPEG2000Codec
import TestSupport
import Testing

@Suite struct DecodingTests {
  private let decoder = JPEG2000Decoder()

  @Test func losslessFilesAreExact() throws {
    for file in EncodedFiles.grayFiles {
      let image = try decoder.decode(file, options: DecodingOptions(tolerance: .strict))
      #expect(image.bitmap.format == .gray8)
      #expect(image.bitmap.packedPixels == EncodedFiles.gray)
    }
    let image = try decoder.decode(EncodedFiles.color, options: DecodingOptions(tolerance: .strict))
    #expect(image.bitmap.format == .rgb8)
    #expect(image.bitmap.packedPixels == EncodedFiles.rgb)
    #expect(image.bitmap.colorSpace == .sRGB)
  }

  @Test func lossyFilesDifferByOneFromOpenJPEG() throws {
    let image = try decoder.decode(EncodedFiles.lossyColor)
    let pixels = image.bitmap.packedPixels
    #expect(pixels.count == EncodedFiles.lossyPixels.count)
    let difference = zip(pixels, EncodedFiles.lossyPixels).map { abs(Int($0) - Int($1)) }.max() ?? 256
    #expect(difference <= 1)
  }

  @Test func headersStateSizeAndColours() throws {
    let info = try decoder.info(EncodedFiles.color)
    #expect((info.width, info.height, info.bitDepth) == (13, 9, 8))
    #expect(info.colorModel == .rgb)
    #expect(!info.hasAlpha)
  }

  /// A region is equal to a part of the whole picture, for each wavelet.
  @Test func regionsAreCrops() throws {
    for file in [EncodedFiles.tiles, EncodedFiles.color, EncodedFiles.lossyColor] {
      let whole = try decoder.decode(file).bitmap
      for region in [
        PixelRegion(x: 0, y: 0, width: 1, height: 1), PixelRegion(x: 12, y: 8, width: 1, height: 1),
        PixelRegion(x: 3, y: 2, width: 7, height: 5), PixelRegion(x: 0, y: 8, width: 13, height: 1),
      ] {
        let part = try decoder.decode(file, options: DecodingOptions(region: region)).bitmap
        #expect(try part == whole.cropped(to: region))
      }
    }
  }

  @Test func smallTargetsAreReduced() throws {
    let options = DecodingOptions(targetSize: PixelSize(width: 4, height: 3))
    let image = try decoder.decode(EncodedFiles.plain, options: options)
    #expect((image.bitmap.width, image.bitmap.height) == (4, 3))
    #expect((image.info.width, image.info.height) == (13, 9))
  }

  /// Threads change neither the pixels nor the diagnostics.
  @Test func threadsDoNotChangeTheResult() throws {
    for file in [EncodedFiles.tiles, EncodedFiles.lossyColor, Array(EncodedFiles.layers.dropLast(40))] {
      let one = try decoder.decode(file)
      let several = try decoder.decode(file, options: DecodingOptions(parallelism: 3))
      #expect(several.bitmap == one.bitmap)
      #expect(several.details == one.details)
    }
  }

  @Test func contractIsKept() {
    #expect(DecoderContract(decoder, EncodedFiles.plain).violations().prefix(8) == [])
    #expect(DecoderContract(decoder, EncodedFiles.color).violations().prefix(8) == [])
  }

  /// Damage of all kinds neither traps nor exceeds the limits.
  @Test func damageIsTolerated() {
    let limits = DecodingLimits(maximumPixelCount: 1 << 16, maximumByteCount: 8 << 20, maximumWork: 50_000_000)
    for file in [EncodedFiles.allStyles, EncodedFiles.layers, EncodedFiles.tiles, EncodedFiles.lossyColor] {
      for count in 0..<file.count {
        _ = try? decoder.decode(Array(file.prefix(count)), options: DecodingOptions(limits: limits))
      }
      for bit in 0..<file.count * 8 {
        var bytes = file
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        _ = try? decoder.decode(bytes, options: DecodingOptions(limits: limits))
      }
    }
  }

  /// Of a file that is cut off, lenient decoding returns an incomplete picture, and strict decoding an error.
  @Test func truncatedFilesAreIncomplete() throws {
    let file = Array(EncodedFiles.layers.dropLast(40))
    let image = try decoder.decode(file)
    #expect(!image.isComplete)
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .truncated)
  }

  @Test func unsupportedFeaturesAreNamed() throws {
    // COD: a component transform of Part 2.
    var file = EncodedFiles.plain
    let marker = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0x52 })
    file[marker + 8] = 2
    let error = #expect(throws: CodecError.self) { try decoder.decode(file) }
    #expect(error?.kind == .unsupported)
    #expect(error?.reason.contains("Part 2") == true)
  }
}
