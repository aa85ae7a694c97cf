// The thumbnail of a file that arrives in many pieces: what was looked at is not looked at again.

import FoundationEssentials
import ImageLoading
import Testing
import Threading

// Two tests register a decoder of the same format: the one must not count what the other decodes.
@Suite(.serialized) struct ThumbnailCostTests {
  /// A format without a thumbnail that counts the bytes of metadata that are read, and its decodings, which are costly.
  private struct CountingDecoder: ImageFormatDecoder {
    final class Counter: Sendable {
      let bytes = Mutex(0)
      let decodings = Mutex(0)
    }
    let counter = Counter()
    let types: [AssetType] = ["org.example.counting"]

    func probe(_ prefix: Span<UInt8>) -> ProbeResult {
      prefix.count < 4 ? .needs(byteCount: 4) : prefix[0] == 0x7B ? .yes(types[0]) : .no
    }
    func info(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      ImageInfo(type: types[0], width: 1, height: 1)
    }
    func metadata(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageMetadata {
      let count = bytes.count
      counter.bytes.withLock { $0 += count }
      return ImageMetadata()
    }
    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      for _ in 0..<3 { try budget.chargeWork(100_000_000) }
      counter.decodings.withLock { $0 += 1 }
      throw CodecError(.unsupported, "nothing is decoded")
    }
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

  /// 8 MB of application segments in 6,000 pieces. Pieces that have been read are overwritten, so that a decoder that
  /// reads them again finds no thumbnail at the end.
  @Test func segmentsAreLookedAtOnce() throws {
    var file: [UInt8] = [0xFF, 0xD8]
    let segment: [UInt8] = [0xFF, 0xE5, 0x01, 0x00] + [UInt8](repeating: 7, count: 254)
    for _ in 0..<32_000 { file += segment }
    file += exifSegment(thumbnail: try Bitmap(width: 8, height: 8, format: .gray8).encoded(as: .jpeg))
    var data = Data(file)
    var context = ImageDecodingContext(request: ImageRequest(url: nil), data: data.prefix(10), isCompleted: false)
    context.previewPolicy = .thumbnail
    let decoder = try #require(ImageDecoders.Default(context: context))
    let pieceByteCount = 1_400
    for count in stride(from: pieceByteCount, to: 32_000 * segment.count, by: pieceByteCount) {
      #expect(decoder.decodePartiallyDownloadedData(data.prefix(count)) == nil)
      let seen = max(0, count - pieceByteCount - segment.count)..<max(0, count - segment.count)
      data.replaceSubrange(seen, with: Data(count: seen.count))
    }
    #expect(decoder.decodePartiallyDownloadedData(data)?.image.width == 8)
  }

  /// Many EXIF blocks whose thumbnails do not decode share one budget, which is enough for six of them.
  @Test func attemptsAreCharged() {
    let counting = CountingDecoder()
    let token = ImageFormatRegistry.shared.register(counting)
    defer { ImageFormatRegistry.shared.unregister(token) }
    let exif = exifSegment(thumbnail: [UInt8](repeating: 0x7B, count: 40))
    var file: [UInt8] = [0xFF, 0xD8]
    for _ in 0..<1_000 { file += exif }
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 100)
    options.createThumbnailFromImageAlways = false
    options.createThumbnailFromImageIfAbsent = false
    #expect(options.makeThumbnail(with: Data(file)) == nil)
    #expect((1...6).contains(counting.counter.decodings.withLock { $0 }))
  }

  private func exifSegment(thumbnail: [UInt8]) -> [UInt8] {
    let big16 = { (value: Int) in [UInt8(value >> 8), UInt8(value & 255)] }
    let exif: [UInt8] =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 2] + [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44]
      + [2, 2, 0, 4, 0, 0, 0, 1, 0, 0] + big16(thumbnail.count) + [0, 0, 0, 0] + thumbnail
    return [0xFF, 0xE1] + big16(exif.count + 2) + exif
  }
}
