// Stripping and replacing metadata: pixels stay, and nothing else.

import ImageCore
import MetadataFormats
import TIFFCodec
import TestSupport
import Testing

@Suite struct RewritingTests {
  private func metadata() -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.exif = exif(isBigEndian: true)
    metadata.xmp = Array("<x:xmpmeta>secret</x:xmpmeta>".utf8)
    metadata.iptc = [0x1C, 2, 5, 0, 6] + Array("secret".utf8)
    metadata.density = .init(x: 72, y: 72, unit: .perInch)
    return metadata
  }

  private func contains(_ file: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return file.indices.contains { file[$0...].starts(with: text) }
  }

  @Test(arguments: [false, true], [false, true]) func metadataIsStripped(_ isBigEndian: Bool, _ isTiled: Bool) throws {
    var random = TestRandom(1)
    var pages: [Bitmap] = []
    for _ in 0..<2 {
      var page = try Bitmap(width: 30, height: 20, format: .rgb8, pixels: random.bytes(1800))
      page.orientation = .left
      page.colorSpace = .icc(Array("a profile of some length".utf8))
      pages.append(page)
    }
    let options = TIFFEncoder.Options(
      tileSize: isTiled ? PixelSize(width: 16, height: 16) : nil, isBigEndian: isBigEndian, isBig: isTiled)
    let file = try TIFFEncoder(options: options).encode(pages: pages, metadata: metadata())
    #expect(contains(file, "secret") && contains(file, "Maker"))
    let stripped = try TIFFMetadataRewriter(keepsUnknownFields: false).rewrite(file.span, metadata: ImageMetadata())
    #expect(!contains(stripped, "secret") && !contains(stripped, "Maker"))
    for (index, page) in pages.enumerated() {
      let strict = DecodingOptions(orientation: .report, tolerance: .strict, imageIndex: index)
      #expect(try decoder.decode(stripped, options: strict).bitmap == page)
    }
    let left = try decoder.metadata(stripped)
    #expect(left.xmp == nil && left.iptc == nil && left.density == nil)
    let twice = try TIFFMetadataRewriter(keepsUnknownFields: false).rewrite(stripped.span, metadata: ImageMetadata())
    #expect(twice == stripped)

    let restored = try TIFFMetadataRewriter().rewrite(stripped.span, metadata: metadata())
    let again = try decoder.decode(restored, options: DecodingOptions(orientation: .report, tolerance: .strict))
    #expect(again.bitmap == pages[0])
    #expect(again.metadata.xmp == metadata().xmp && again.metadata.iptc == metadata().iptc)
    #expect(again.metadata.density == metadata().density && again.metadata.exifTags?.cameraMake == "Maker")
  }

  @Test(arguments: ReferencePicture.all.filter { !$0.name.contains("wide") })
  func filesByLibtiffKeepTheirPixels(_ picture: ReferencePicture) throws {
    let file = try TIFFMetadataRewriter(keepsUnknownFields: false).rewrite(picture.file.span, metadata: ImageMetadata())
    let image = try decoder.decode(file, options: DecodingOptions(tolerance: .strict))
    #expect(fnv1a(image.bitmap.littleEndianSamples) == picture.pixelHash)
  }

  @Test func truncatedAndOldFilesAreRefused() throws {
    var tiff = SmallTIFF(width: 2, height: 2)
    tiff.byteCounts = [1 << 20]
    let error = #expect(throws: CodecError.self) {
      try TIFFMetadataRewriter().rewrite(tiff.file([[1, 2, 3, 4]]).span, metadata: ImageMetadata())
    }
    #expect(error?.kind == .truncated)
    tiff.compression = 6
    let other = #expect(throws: CodecError.self) {
      try TIFFMetadataRewriter().rewrite(tiff.file([[1, 2, 3, 4]]).span, metadata: ImageMetadata())
    }
    #expect(other?.kind == .unsupported)
  }
}
