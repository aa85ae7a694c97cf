// The thumbnail of a file that arrives in many pieces: what was looked at is not looked at again.

import FoundationEssentials
import ImageCodecs
import Testing
import Threading

@Suite struct ThumbnailCostTests {
  /// A format without a thumbnail that counts how often its metadata is read.
  private struct CountingDecoder: ImageFormatDecoder {
    final class Counter: Sendable {
      let bytes = Mutex(0)
    }
    let counter = Counter()
    let types: [AssetType] = ["org.example.counting"]

    func probe(_ prefix: Span<UInt8>) -> ProbeResult {
      prefix.count < 4 ? .needs(byteCount: 4) : prefix[0] == 0x7B ? .yes(types[0]) : .no
    }
    func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
      ImageInfo(type: types[0], width: 1, height: 1)
    }
    func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
      let count = bytes.count
      counter.bytes.withLock { $0 += count }
      return ImageMetadata()
    }
    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails { throw CodecError(.unsupported, "nothing is decoded") }
  }

  @Test func metadataIsReadAFewTimesAltogether() throws {
    let counting = CountingDecoder()
    let token = ImageFormatRegistry.shared.register(counting)
    defer { ImageFormatRegistry.shared.unregister(token) }
    let data = Data([UInt8](repeating: 0x7B, count: 1_000_000))
    var context = ImageDecodingContext(request: ImageRequest(url: nil), data: data.prefix(10), isCompleted: false)
    context.previewPolicy = .thumbnail
    let decoder = try #require(ImageDecoders.Default(context: context))
    for count in stride(from: 1_000, to: data.count, by: 1_000) {
      #expect(decoder.decodePartiallyDownloadedData(data.prefix(count)) == nil)
    }
    // 1,000 prefixes are 500 MB.
    #expect(counting.counter.bytes.withLock { $0 } < 6 * data.count)
  }

  /// 8 MB of application segments in 6,000 pieces: 24 GB of prefixes.
  @Test func segmentsAreLookedAtOnce() throws {
    var file: [UInt8] = [0xFF, 0xD8]
    let segment: [UInt8] = [0xFF, 0xE5, 0x01, 0x00] + [UInt8](repeating: 7, count: 254)
    for _ in 0..<32_000 { file += segment }
    let data = Data(file)
    var context = ImageDecodingContext(request: ImageRequest(url: nil), data: data.prefix(10), isCompleted: false)
    context.previewPolicy = .thumbnail
    let decoder = try #require(ImageDecoders.Default(context: context))
    let time = ContinuousClock().measure {
      for count in stride(from: 1_400, to: data.count, by: 1_400) {
        #expect(decoder.decodePartiallyDownloadedData(data.prefix(count)) == nil)
      }
    }
    #expect(time < .seconds(10))
  }

  /// Many EXIF blocks whose thumbnails do not decode share one budget.
  @Test func attemptsAreCharged() {
    let toy = ToyDecoder.file(width: 0, height: 0)
    let big16 = { (value: Int) in [UInt8(value >> 8), UInt8(value & 255)] }
    let exif: [UInt8] =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 2]
      + [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44] + [2, 2, 0, 4, 0, 0, 0, 1, 0, 0, 0, UInt8(toy.count)] + [0, 0, 0, 0] + toy
    var file: [UInt8] = [0xFF, 0xD8]
    for _ in 0..<1_000 { file += [0xFF, 0xE1] + big16(exif.count + 2) + exif }
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 100)
    options.createThumbnailFromImageAlways = false
    options.createThumbnailFromImageIfAbsent = false
    let time = ContinuousClock().measure { #expect(options.makeThumbnail(with: Data(file)) == nil) }
    #expect(time < .seconds(5))
  }
}
