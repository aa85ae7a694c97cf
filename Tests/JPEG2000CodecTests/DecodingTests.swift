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

  /// A region is equal to a part of the whole picture, for each wavelet, at all positions and at all sizes from a corner.
  @Test func regionsAreCrops() throws {
    for file in [EncodedFiles.tiles, EncodedFiles.layers, EncodedFiles.color, EncodedFiles.lossyColor] {
      let whole = try decoder.decode(file).bitmap
      for y in 0..<9 {
        for x in 0..<13 {
          for region in [
            PixelRegion(x: x, y: y, width: min(4, 13 - x), height: min(3, 9 - y)),
            PixelRegion(x: 0, y: 0, width: x + 1, height: y + 1),
          ] {
            let options = DecodingOptions(region: region, parallelism: 1 + x % 2)
            let part = try decoder.decode(file, options: options).bitmap
            guard try part == whole.cropped(to: region) else {
              Issue.record("the region \(region) differs")
              return
            }
          }
        }
      }
    }
  }

  /// A region of a large tile needs memory and work in proportion to it, on any number of threads.
  @Test func regionsOfLargeTilesAreCheap() throws {
    // One tile of 8192 × 8192 grey samples with six resolutions, whose packets are empty.
    let side: [UInt8] = [0, 0, 32, 0]
    let origin: [UInt8] = [0, 0, 0, 0]
    var file: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0] + side + side + origin + origin
    file += side + side + origin + origin + [0, 1, 7, 1, 1]
    file += [0xFF, 0x52, 0, 12, 0, 0, 0, 1, 0, 5, 4, 4, 0, 1]
    file += [0xFF, 0x5C, 0, 19, 0x40] + [UInt8](repeating: 0x40, count: 16)
    file += [0xFF, 0x90, 0, 10, 0, 0, 0, 0, 0, 20, 0, 1, 0xFF, 0x93] + [UInt8](repeating: 0, count: 6) + [0xFF, 0xD9]
    let limits = DecodingLimits(
      maximumPixelCount: 1 << 26, maximumByteCount: 1 << 20, maximumWork: 1_000_000, maximumWorkPerPixel: 0)
    for threads in [1, 2] {
      let region = PixelRegion(x: 5001, y: 7003, width: 21, height: 33)
      let part = try decoder.decode(
        file, options: DecodingOptions(tolerance: .strict, limits: limits, region: region, parallelism: threads)
      ).bitmap
      #expect(part.packedPixels == [UInt8](repeating: 128, count: 21 * 33))
      let error = #expect(throws: CodecError.self) {
        try decoder.decode(file, options: DecodingOptions(limits: limits, parallelism: threads))
      }
      #expect(error?.kind == .limitExceeded)
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

  /// The end marker may be missing, and the length of the last tile-part may be too large, while all packets are there.
  @Test func filesWithAllPacketsAreComplete() throws {
    for file in [EncodedFiles.plain, EncodedFiles.layers, EncodedFiles.tiles] {
      let whole = try decoder.decode(file)
      let image = try decoder.decode(Array(file.dropLast(2)))
      #expect(image.isComplete && image.bitmap == whole.bitmap)
      #expect(image.diagnostics.map(\.severity) == [.warning])
      #expect(throws: CodecError.self) {
        try decoder.decode(Array(file.dropLast(2)), options: DecodingOptions(tolerance: .strict))
      }
      #expect(try !decoder.decode(Array(file.dropLast(4))).isComplete)
    }
    var long = EncodedFiles.plain
    let part = try #require(long.indices.dropLast().first { long[$0] == 0xFF && long[$0 + 1] == 0x90 })
    long[part + 8] = 1
    let image = try decoder.decode(long)
    #expect(try image.isComplete && image.bitmap == decoder.decode(EncodedFiles.plain).bitmap)
  }

  /// Files in which a fourth channel is not defined: it is taken for opacity, with a diagnostic.
  @Test func undefinedChannelsAreReported() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, UInt8((content.count + 8) >> 8), UInt8(truncatingIfNeeded: content.count + 8)] + Array(type.utf8) + content
    }
    // Grey, in a space of which no channel is defined; then two components of a palette's columns.
    let start = [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10]
    let colors = box("colr", [1, 0, 0, 0, 0, 0, 17])
    let table = box("pclr", [0, 1, 2, 7, 7, 9, 200])
    let mapping = box("cmap", [0, 0, 1, 0, 0, 0, 1, 1])
    let file = start + box("jp2h", colors + table + mapping) + box("jp2c", EncodedFiles.plain)
    let image = try decoder.decode(file)
    #expect(image.bitmap.format.alpha == .straight && image.bitmap.packedPixels.prefix(2) == [9, 200])
    #expect(image.isComplete && image.diagnostics.contains { $0.reason.contains("does not define its last channel") })
  }

  @Test func samplesOfComponentsAreBytes() throws {
    let file = EncodedFiles.color
    let planes = try decoder.components(file.span)
    #expect(planes.map { $0.rawSamples().count } == [117, 117, 117])
    #expect(planes[1].rawSamples() == stride(from: 1, to: EncodedFiles.rgb.count, by: 3).map { EncodedFiles.rgb[$0] })
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
