// TIFF through the umbrella: registry, encoders, metadata, thumbnails, embedded formats.

import ImageCodecs
import TestSupport
import Testing

@Suite struct TIFFTests {
  private func picture(_ seed: UInt64, width: Int = 40, height: Int = 30) throws -> Bitmap {
    var random = TestRandom(seed)
    return try Bitmap(width: width, height: height, format: .rgb8, pixels: random.bytes(width * height * 3))
  }

  @Test func theRegistryReadsAndWritesPages() throws {
    let pages = [try picture(1), try picture(2, width: 7)]
    let file = try TIFFEncoder().encode(pages: pages)
    #expect(AssetType(file) == .tiff)
    #expect(try Bitmap(decoding: file) == pages[0])
    #expect(try Bitmap(decoding: file, options: DecodingOptions(imageIndex: 1)) == pages[1])
    let encoder = try #require(try ImageFormatRegistry.shared.encoder(of: .tiff))
    #expect(try Bitmap(decoding: encoder.encode(pages[0])) == pages[0])
    #expect(try Bitmap(decoding: pages[0].encoded(as: .tiff(.init(compression: .deflate(level: 9))))) == pages[0])
  }

  @Test func metadataIsStrippedAndReplaced() throws {
    let page = try picture(3)
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta>secret</x:xmpmeta>".utf8)
    let file = try TIFFEncoder().encode(page, metadata: metadata)
    let stripped = try ImageFile(file).stripped()
    #expect(try ImageFile(stripped).metadata().xmp == nil)
    #expect(try Bitmap(decoding: stripped) == page)
    let restored = try ImageFile(stripped).replacingMetadata(with: metadata)
    #expect(try ImageFile(restored).metadata().xmp == metadata.xmp)
    #expect(try Bitmap(decoding: restored) == page)
  }
}
