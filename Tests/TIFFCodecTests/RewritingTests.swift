// Stripping and replacing metadata: pixels stay, and nothing else.

import ImageCoding
import JPEGCodec
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
    let stripped = try TIFFMetadataRewriter(keepsUnknownParts: false).rewrite(file.span, metadata: ImageMetadata())
    #expect(!contains(stripped, "secret") && !contains(stripped, "Maker"))
    for (index, page) in pages.enumerated() {
      let strict = DecodingOptions(orientation: .report, tolerance: .strict, imageIndex: index)
      #expect(try decoder.decode(stripped, options: strict).bitmap == page)
    }
    let left = try decoder.metadata(stripped)
    #expect(left.xmp == nil && left.iptc == nil && left.density == nil)
    let twice = try TIFFMetadataRewriter(keepsUnknownParts: false).rewrite(stripped.span, metadata: ImageMetadata())
    #expect(twice == stripped)

    let restored = try TIFFMetadataRewriter().rewrite(stripped.span, metadata: metadata())
    let again = try decoder.decode(restored, options: DecodingOptions(orientation: .report, tolerance: .strict))
    #expect(again.bitmap == pages[0])
    #expect(again.metadata.xmp == metadata().xmp && again.metadata.iptc == metadata().iptc)
    #expect(again.metadata.density == metadata().density && again.metadata.exifTags?.cameraMake == "Maker")
  }

  @Test(arguments: ReferencePicture.all.filter { !$0.name.contains("wide") })
  func filesByLibtiffKeepTheirPixels(_ picture: ReferencePicture) throws {
    let file = try strip(picture.file)
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

  // MARK: Bytes that decoders do not use

  private static let secret = Array("SECRET".utf8)

  private func strip(_ file: [UInt8]) throws -> [UInt8] {
    let rewriter = TIFFMetadataRewriter(keepsUnknownParts: false, jpegRewriter: JPEGMetadataRewriter())
    return try rewriter.rewrite(file.span, metadata: ImageMetadata())
  }

  /// Checks that a secret in a file is removed and that the picture stays.
  private func checkSecretIsRemoved(_ file: [UInt8], _ place: String) throws {
    #expect(contains(file, "SECRET"), "\(place)")
    let stripped = try strip(file)
    #expect(!contains(stripped, "SECRET"), "\(place)")
    #expect(try decoder.decode(stripped).bitmap == decoder.decode(file).bitmap, "\(place)")
    #expect(try strip(stripped) == stripped, "\(place)")
  }

  @Test(arguments: [TIFFEncoder.Options.Compression.none, .packBits, .lzw, .deflate(level: 6), .group4])
  func bytesAfterCompressedStripsAreRemoved(_ compression: TIFFEncoder.Options.Compression) throws {
    var random = TestRandom(9)
    let pixels = (0..<40 * 30).map { _ in random.next() % 5 == 0 ? 255 : 0 as UInt8 }
    let bitmap = try Bitmap(width: 40, height: 30, format: .gray8, pixels: pixels)
    let options = TIFFEncoder.Options(compression: compression, isBigEndian: false)
    let clean = try strip(TIFFEncoder(options: options).encode(bitmap))
    // The first strip is moved to the end of the file, with a secret after it.
    func field(_ tag: UInt8) throws -> Int {
      let directory = Int(clean[4]) | Int(clean[5]) << 8
      return try #require(
        (0..<Int(clean[directory])).map { directory + 2 + 12 * $0 }.first { clean[$0] == tag && clean[$0 + 1] == 1 })
    }
    func integer(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(clean[place + $1]) << (8 * $1) } }
    let (offsets, counts) = (try field(17), try field(23))
    let count = integer(offsets + 4)
    let (offsetPlace, countPlace) = count == 1 ? (offsets + 8, counts + 8) : (integer(offsets + 8), integer(counts + 8))
    let strip = Array(clean[integer(offsetPlace)..<integer(offsetPlace) + integer(countPlace)]) + Self.secret
    func placed(byteCount: Int) -> [UInt8] {
      var file = clean
      for byte in 0..<4 {
        file[offsetPlace + byte] = UInt8(truncatingIfNeeded: clean.count >> (8 * byte))
        file[countPlace + byte] = UInt8(truncatingIfNeeded: byteCount >> (8 * byte))
      }
      return file + strip
    }
    try checkSecretIsRemoved(placed(byteCount: strip.count), "after a strip")
    // A strip of unknown length, which may extend to the end of the file.
    try checkSecretIsRemoved(placed(byteCount: 0), "after a strip of unknown length")
    #expect(try self.strip(placed(byteCount: 0)) == clean)
  }

  @Test func unusedValuesAndStripsAreRemoved() throws {
    let secret = Self.secret.map { Int($0) }
    var tiff = SmallTIFF(width: 2, height: 2)
    // Min- and MaxSampleValue, ThreshHolding, GrayResponseCurve, JPEGTables, JPEGACTables, YCbCrSubSampling.
    for tag in [280, 281, 263, 291, 347, 521, 530] {
      let words = secret.indices.filter { $0 % 2 == 0 }.map { secret[$0] | secret[$0 + 1] << 8 }
      tiff.shorts = [(tag, [1, 1] + words)]
      try checkSecretIsRemoved(tiff.file([[1, 2, 3, 4]]), "tag \(tag)")
    }
    tiff.shorts = []
    try checkSecretIsRemoved(tiff.file([[1, 2, 3, 4], Self.secret]), "a surplus strip")
    // A strip whose length is unknown and whose data is incomplete could be anything.
    tiff.byteCounts = [0]
    tiff.height = 2000
    let error = #expect(throws: CodecError.self) { try strip(tiff.file([[1, 2, 3, 4]])) }
    #expect(error?.kind == .malformed)
  }

  @Test(arguments: [false, true]) func metadataOfJPEGStripsIsRemoved(_ hasTables: Bool) throws {
    var random = TestRandom(2)
    let bitmap = try Bitmap(width: 24, height: 16, format: .gray8, pixels: random.bytes(24 * 16))
    var jpeg = try JPEGEncoder(options: .init(quality: 90)).encode(bitmap)
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }
    let texts = segment(0xFE, Self.secret) + segment(0xE1, Array("Exif\0\0".utf8) + Self.secret)
    var tiff = SmallTIFF(width: 24, height: 16)
    tiff.compression = 7
    if hasTables {
      // The tables of the stream, and comments, are moved to JPEGTables.
      var (position, tables, rest) = (2, [0xFF, 0xD8] as [UInt8], [0xFF, 0xD8] as [UInt8])
      while jpeg[position + 1] != 0xDA {
        let end = position + 2 + Int(jpeg[position + 2]) << 8 + Int(jpeg[position + 3])
        if jpeg[position + 1] == 0xC4 || jpeg[position + 1] == 0xDB {
          tables += jpeg[position..<end]
        } else {
          rest += jpeg[position..<end]
        }
        position = end
      }
      jpeg = rest + jpeg[position...]
      tables += texts + [0xFF, 0xD9]
      if tables.count % 2 == 1 { tables += [0] }
      tiff.shorts = [(347, (0..<tables.count / 2).map { Int(tables[2 * $0]) | Int(tables[2 * $0 + 1]) << 8 })]
    }
    let clean = try decoder.decode(tiff.file([jpeg])).bitmap
    #expect(clean == (hasTables ? clean : try JPEGDecoder().decode(jpeg).bitmap))
    let planted = Array(jpeg[..<2]) + texts + jpeg[2...] + Self.secret
    try checkSecretIsRemoved(tiff.file([planted]), "in a JPEG strip")
    #expect(try decoder.decode(strip(tiff.file([planted]))).bitmap == clean)
    let bare = TIFFMetadataRewriter(keepsUnknownParts: false)
    let error = #expect(throws: CodecError.self) {
      try bare.rewrite(tiff.file([planted]).span, metadata: ImageMetadata())
    }
    #expect(error?.kind == .unsupported)
  }

  @Test func digitalNegativesAreRefused() throws {
    var tiff = SmallTIFF(width: 2, height: 2)
    tiff.longs = [(50706, [4])]
    let error = #expect(throws: CodecError.self) { try strip(tiff.file([[1, 2, 3, 4]])) }
    #expect(error?.kind == .unsupported)
  }
}
