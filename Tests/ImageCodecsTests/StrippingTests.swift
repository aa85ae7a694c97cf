// Secrets planted wherever a file can hold bytes that are not its picture: none of them survives a strip.

import FoundationEssentials
import ImageCodecs
import PNGCodec
import TestSupport
import Testing

@Suite struct StrippingTests {
  private static let secret = Array("GPS 48.2082 N, 16.3738 E".utf8)

  private func contains(_ bytes: [UInt8], _ pattern: [UInt8] = secret) -> Bool {
    bytes.indices.dropLast(pattern.count - 1).contains { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
  }

  // MARK: JPEG

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }
  private static let quantization = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
  private static let huffman =
    segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
    + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
  /// A gray picture of 8 × 8 in progressive scans: DC, then the first bits of AC.
  private static let frame = segment(0xC2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
  private static let firstScan = segment(0xDA, [1, 1, 0x00, 0, 0, 0x00]) + [0x7F]
  private static let secondScan = segment(0xDA, [1, 1, 0x00, 1, 63, 0x00]) + [0x7F]
  private static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0])
  private static let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
  private static let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 5, 5, 5])
  private static let picture = quantization + huffman + frame + firstScan

  /// The places of a JPEG file that a secret is planted in, one at a time.
  private static let places: [(name: String, file: [UInt8])] = {
    let start: [UInt8] = [0xFF, 0xD8]
    let end: [UInt8] = [0xFF, 0xD9]
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0] + secret)
    let comment = segment(0xFE, secret)
    let thumbnail = segment(
      0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 8, 1] + secret)
    let second = start + exif + picture + secondScan + end
    return [
      ("comment before the scan", start + comment + picture + secondScan + end),
      ("EXIF", start + exif + picture + secondScan + end),
      ("APP5", start + segment(0xE5, secret) + picture + secondScan + end),
      ("JPG7", start + segment(0xF7 - 4, secret) + picture + secondScan + end),
      ("thumbnail in JFIF", start + thumbnail + picture + secondScan + end),
      ("after Adobe's fields", start + segment(0xEE, Array(adobe.dropFirst(4)) + secret) + picture + secondScan + end),
      ("multi-picture directory", start + segment(0xE2, Array("MPF\0".utf8) + secret) + picture + secondScan + end),
      ("between segments", start + quantization + secret + huffman + frame + firstScan + secondScan + end),
      ("comment between scans", start + picture + comment + secondScan + end),
      ("EXIF between scans", start + picture + exif + secondScan + end),
      ("APP7 after the last scan", start + picture + secondScan + segment(0xE7, secret) + end),
      ("trailer", start + picture + secondScan + end + secret),
      ("second picture", start + picture + secondScan + end + second),
      ("comment after a segment of length 1", start + [0xFF, 0xE3, 0, 1] + comment + picture + secondScan + end),
    ]
  }()

  @Test(arguments: places.indices) func noPlaceOfAJPEGKeepsASecret(_ index: Int) throws {
    let (name, file) = Self.places[index]
    #expect(contains(file), "\(name)")
    let stripped = try ImageFile(file).stripped()
    #expect(!contains(stripped), "\(name)")
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file), "\(name)")
    let expected: [UInt8] = Self.secondScan + [0xFF, 0xD9]
    #expect(Array(stripped.suffix(expected.count)) == expected)
    // Other metadata takes the place of what was there just as well, private segments apart.
    var metadata = ImageMetadata()
    metadata.comments = ["mine"]
    let replaced = try ImageFile(file).replacingMetadata(with: metadata)
    #expect(!contains(replaced) || name.hasPrefix("APP"))
    #expect(try ImageFile(replaced).metadata().comments == ["mine"])
  }

  @Test func whatTheColoursOfAJPEGMeanStays() throws {
    let file = [0xFF, 0xD8] + Self.jfif + Self.profile + Self.adobe + Self.picture + Self.secondScan + [0xFF, 0xD9]
    #expect(try ImageFile(file).stripped() == file)
  }

  @Test func cutOffScansStay() throws {
    let file = [0xFF, 0xD8] + Self.picture
    #expect(try ImageFile(file).stripped() == file)
  }

  // MARK: PNG

  @Test func noPlaceOfAPNGKeepsASecret() throws {
    let bitmap = try Bitmap(width: 9, height: 7, format: .rgb8, pixels: (0..<189).map { UInt8($0) })
    var metadata = ImageMetadata()
    metadata.colorSpace.calibration = ColorSpace.Calibration(gamma: 0.45455)
    let file = try bitmap.encoded(as: .png, metadata: metadata)
    let header = 8 + 25
    let end = file.count - 12
    let places = [header, end, file.count]
    for type in ["tEXt", "iTXt", "prVt", "PRVt", "sTER", "eXIf", "caBX", "vpAg"] {
      for place in places {
        for checksum: [UInt8] in [[0, 0, 0, 0], [1, 2, 3, 4]] {
          let payload = Array("Comment\0".utf8) + Self.secret
          let chunk = SampleFiles.big32(UInt32(payload.count)) + Array(type.utf8) + payload + checksum
          let planted = Array(file[..<place]) + chunk + Array(file[place...])
          let stripped = try ImageFile(planted).stripped()
          #expect(!contains(stripped), "\(type) at \(place)")
          #expect(stripped == file, "\(type) at \(place)")
        }
      }
    }
    // Bytes after IEND that are no chunk, and a chunk that the end cuts off.
    #expect(try ImageFile(file + Self.secret).stripped() == file)
    let cutOff = Array(file.dropLast(12)) + [0, 0, 1, 0] + Array("prVt".utf8) + Self.secret
    #expect(try ImageFile(cutOff).stripped() == Array(file.dropLast(12)))
    let cutOffPixels = Array(file.dropLast(20))
    #expect(try ImageFile(cutOffPixels).stripped() == cutOffPixels)
  }

  @Test func copiedBlocksHaveNoThumbnail() throws {
    let source = try ImageFile(ToyDecoder.jpegWithThumbnail()).metadata()
    #expect(source.exifTags?.thumbnail != nil)
    let bitmap = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [1, 2, 3])
    let copied = try ImageFile(bitmap.encoded(as: .png)).replacingMetadata(with: source)
    #expect(try ImageFile(copied).metadata().exifTags?.thumbnail == nil)
  }

  // MARK: WebP

  @Test func noPlaceOfAWebPKeepsASecret() throws {
    let pixels = SampleFiles.chunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 0x08])
    let canvas = SampleFiles.chunk("VP8X", [0x2C, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let profile = SampleFiles.chunk("ICCP", [5, 5, 5])
    let plain = SampleFiles.riff(SampleFiles.chunk("VP8X", [0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + profile + pixels)
    for type in ["EXIF", "XMP ", "prVt"] {
      let planted = SampleFiles.chunk(type, Self.secret)
      for chunks in [canvas + planted + profile + pixels, canvas + profile + pixels + planted] {
        let file = SampleFiles.riff(chunks)
        #expect(contains(file))
        #expect(try ImageFile(file).stripped() == plain, "\(type)")
        #expect(try ImageFile(file + Self.secret).stripped() == plain, "\(type)")
      }
    }
    // A simple file stays one.
    #expect(try ImageFile(SampleFiles.webPPixel + Self.secret).stripped() == SampleFiles.webPPixel)
    #expect(throws: CodecError.self) { try ImageFile(Array(SampleFiles.webPPixel.dropLast(2))).stripped() }
  }

  @Test func aWebPTakesOtherMetadata() throws {
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    let file = try ImageFile(SampleFiles.webPPixel).replacingMetadata(with: metadata)
    #expect(try ImageFile(file).metadata().xmp == metadata.xmp)
    #expect(try Bitmap(decoding: file) == Bitmap(decoding: SampleFiles.webPPixel))
    #expect(try ImageFile(file).stripped() == SampleFiles.webPPixel)
  }

  // MARK: GIF and SVG

  @Test func commentsAndApplicationDataOfGIFsAreRemoved() throws {
    var random = TestRandom(7)
    let pictures = try (0..<3).map { _ in try Bitmap(width: 5, height: 4, format: .rgb8, pixels: random.bytes(60)) }
    var metadata = ImageMetadata()
    metadata.comments = ["first", String(repeating: "long ", count: 100)]
    metadata.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    metadata.colorSpace.iccProfile = [1, 2, 3]
    let frames = pictures.map { AnimationFrame(bitmap: $0, delay: .milliseconds(70)) }
    let plain = try GIFEncoder().encode(animation: frames, loopCount: .finite(3))
    let file = try GIFEncoder().encode(animation: frames, loopCount: .finite(3), metadata: metadata)
    let read = try ImageFile(file).metadata()
    #expect(read.comments == metadata.comments && read.xmp == metadata.xmp && read.colorSpace.iccProfile == [1, 2, 3])

    let stripped = try ImageFile(file + [9, 9, 9]).stripped()
    let kept = try ImageFile(stripped).metadata()
    #expect(kept.comments.isEmpty && kept.xmp == nil && kept.colorSpace.iccProfile == [1, 2, 3])
    #expect(try ImageFile(plain).stripped() == plain)
    let animation = try #require(try ImageFile(stripped).animation())
    #expect(animation.loopCount == .finite(3) && animation.frameCount == 3)
    for index in 0..<3 {
      let frame = try animation.frame(at: index)
      #expect(try frame.converted(to: .rgb8).packedPixels == pictures[index].packedPixels)
      #expect(frame.colorSpace == .icc([1, 2, 3]))
    }

    var other = ImageMetadata()
    other.comments = ["second"]
    let replaced = try ImageFile(ImageFile(file).replacingMetadata(with: other)).metadata()
    #expect(replaced.comments == ["second"] && replaced.xmp == nil && replaced.colorSpace.iccProfile == [1, 2, 3])
    // An unknown application's data and plain text stay when metadata is replaced.
    let unknown: [UInt8] = [0x21, 0xFF, 11] + Array("UNKNOWN1234".utf8) + [2, 7, 7, 0, 0x21, 1, 1, 65, 0]
    let tailed = Array(plain.dropLast()) + unknown + [0x3B]
    #expect(try ImageFile(tailed).replacingMetadata(with: ImageMetadata()) == tailed)
    #expect(try ImageFile(tailed).stripped() == plain)
    for count in file.indices { _ = try? ImageFile(Array(file.prefix(count))).stripped() }
  }

  @Test func metadataAndEditorsDataOfSVGsAreRemoved() throws {
    let text = """
      <?xml version="1.0"?><!-- made by hand -->
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="7" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
        inkscape:version='1.3 "beta"'><title>A title</title><metadata id="m"><a><metadata/></a>text</metadata>
      <inkscape:grid><rect width="3"/></inkscape:grid><style><![CDATA[ /* <!-- kept --> */ ]]></style>
      <rect inkscape:label="a > b" width="5" height="5" fill="red"/></svg>
      """
    let file = Array(text.utf8)
    let metadata = try ImageFile(file).metadata()
    #expect(metadata.comments == [" made by hand "])
    #expect(metadata.texts.map(\.keyword) == ["inkscape:version", "metadata"])
    #expect(metadata.texts.map(\.value) == ["1.3 \"beta\"", "<a><metadata/></a>text"])
    let stripped = try ImageFile(file).stripped()
    let expected = """
      <?xml version="1.0"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"><title>A title</title>
      <style><![CDATA[  ]]></style>
      <rect width="5" height="5" fill="red"/></svg>
      """
    #expect(String(decoding: stripped, as: UTF8.self) == expected)
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: file))
    #expect(try ImageFile(stripped).metadata().isEmpty && ImageFile(stripped).stripped() == stripped)
    // UTF-16 becomes UTF-8.
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { SampleFiles.little16($0) }
    #expect(try ImageFile(wide).stripped() == stripped)
    for count in file.indices {
      let prefix = Array(file.prefix(count))
      _ = try? ImageFile(prefix).stripped()
      _ = try? SVGDecoder().metadata(prefix)
    }
    let packet = Array("<svg><metadata>\n<?xpacket begin=''?><x:xmpmeta/></metadata></svg>".utf8)
    #expect(try SVGDecoder().metadata(packet).xmp == Array("<?xpacket begin=''?><x:xmpmeta/>".utf8))
  }

  // MARK: JPEG 2000

  @Test func noPlaceOfAJPEG2000FileKeepsASecret() throws {
    let codestream = try #require(try SmallFiles.ofRasterFormats().first { $0.name == "JPEG 2000" }).bytes
    let header =
      SampleFiles.box("ihdr", SampleFiles.big32(9) + SampleFiles.big32(13) + [0, 1, 7, 7, 0, 0])
      + SampleFiles.box("colr", [1, 0, 0] + SampleFiles.big32(17))
    let start = [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10] + SampleFiles.fileType("jp2 ")
    let secret = Self.secret
    func file(
      _ codestream: [UInt8], before: [UInt8] = [], inHeader: [UInt8] = [], after: [UInt8] = []
    ) -> [UInt8] {
      let boxes = SampleFiles.box("jp2h", header + inHeader) + before + SampleFiles.box("jp2c", codestream)
      return start + boxes + after
    }
    let plain = try ImageFile(file(codestream)).stripped()
    #expect(plain.count == file(codestream).count)
    let boxes =
      ["xml ", "jp2i", "free", "prVt"].map { SampleFiles.box($0, secret) }
      + [Array("JpgTiffExif->JP2".utf8), [UInt8](repeating: 9, count: 16)].map { SampleFiles.box("uuid", $0 + secret) }
    for box in boxes {
      for planted in [file(codestream, before: box), file(codestream, inHeader: box), file(codestream, after: box)] {
        #expect(contains(planted))
        #expect(try ImageFile(planted).stripped() == plain)
      }
    }
    #expect(try ImageFile(file(codestream + secret)).stripped() == plain)
    #expect(try !contains(ImageFile(codestream + secret).stripped()))
    // A comment in the header of the tile-part, whose length includes it.
    let part = try #require(
      codestream.indices.dropLast().first { codestream[$0] == 0xFF && codestream[$0 + 1] == 0x90 })
    let comment = [0xFF, 0x64, 0, UInt8(secret.count + 4), 0, 1] + secret
    var planted = Array(codestream[..<(part + 12)]) + comment + Array(codestream[(part + 12)...])
    planted[part + 9] += UInt8(comment.count)
    for bytes in [planted, file(planted)] {
      let stripped = try ImageFile(bytes).stripped()
      #expect(contains(bytes) && !contains(stripped) && stripped.count == bytes.count)
      #expect(try Bitmap(decoding: stripped).packedPixels == Bitmap(decoding: codestream).packedPixels)
    }
    for count in plain.indices { _ = try? ImageFile(Array(plain.prefix(count))).stripped() }
  }

  @Test func aJPEG2000FileTakesOtherMetadata() throws {
    let codestream = try #require(try SmallFiles.ofRasterFormats().first { $0.name == "JPEG 2000" }).bytes
    let start = [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10] + SampleFiles.fileType("jp2 ")
    let file = start + SampleFiles.box("prVt", [5]) + SampleFiles.box("jp2c", codestream)
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    metadata.iptc = [0x1C, 2, 5, 0, 1, 65]
    let replaced = try ImageFile(file).replacingMetadata(with: metadata)
    let read = try ImageFile(replaced).metadata()
    #expect(read.xmp == metadata.xmp && read.iptc == metadata.iptc)
    #expect(try Bitmap(decoding: replaced).packedPixels == Bitmap(decoding: codestream).packedPixels)
    #expect(contains(replaced, Array("prVt".utf8)))
    #expect(throws: CodecError.self) { try ImageFile(codestream).replacingMetadata(with: metadata) }
  }

  // MARK: Other formats

  @Test func formatsThatAreNotRewrittenAreRefusedByName() throws {
    let files: [[UInt8]] = [
      SampleFiles.bmp(headerByteCount: 40),
      SampleFiles.ico,
      SampleFiles.icns,
      SampleFiles.xbm,
    ]
    for file in files {
      let type = try #require(AssetType(file))
      let strip = #expect(throws: CodecError.self) { try ImageFile(file).stripped() }
      #expect(strip?.kind == .unsupported && strip?.format == type)
      #expect(strip?.reason == "metadata cannot be removed from \(type.formatName) files")
      let replacement = #expect(throws: CodecError.self) {
        try ImageFile(file).replacingMetadata(with: ImageMetadata())
      }
      #expect(
        replacement?.kind == .unsupported && replacement?.reason.contains("replaced in \(type.formatName)") == true)
    }
  }
}
