// Signatures, brands and text: what each file is, and that no prefix of it is taken for something else.

import FoundationEssentials
import ImageCodecs
import TestSupport
import Testing

@Suite struct SniffingTests {
  static let samples: [(AssetType, [UInt8])] = [
    (.jpeg, SampleFiles.jpeg(marker: 0xC0)),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]),
    (.gif, SampleFiles.gif),
    (.gif, Array("GIF87a".utf8)),
    (.webp, SampleFiles.webPLossy),
    (.heic, SampleFiles.fileType("heic", ["mif1"])),
    (.heic, SampleFiles.fileType("hevs")),
    (.heic, SampleFiles.fileType("mif1", ["mif1", "heic"])),
    (.avif, SampleFiles.fileType("avif", ["mif1", "miaf"])),
    (.avif, SampleFiles.fileType("mif1", ["heic", "avif"])),
    (.avif, SampleFiles.fileType("avis")),
    (.heif, SampleFiles.fileType("mif1", ["mif1", "jpeg"])),
    (.heif, SampleFiles.fileType("msf1")),
    (.mp4, SampleFiles.fileType("isom", ["iso2"])),
    (.mp4, SampleFiles.fileType("mp42")),
    (.m4v, SampleFiles.fileType("M4V ")),
    (.mov, SampleFiles.fileType("qt  ")),
    (.ico, SampleFiles.ico),
    (.cur, [0, 0, 2, 0, 1, 0, 16, 16]),
    (.icns, SampleFiles.icns),
    (.jpeg2000, SampleFiles.jpeg2000),
    (.jpeg2000, SampleFiles.jpeg2000Codestream),
    (.jxl, SampleFiles.jpegXL + [0, 0, 0, 0]),
    (.jxl, SampleFiles.jpegXLContainer),
    (.tiff, SampleFiles.tiff(isBigEndian: false, isBig: false)),
    (.tiff, SampleFiles.tiff(isBigEndian: true, isBig: false)),
    (.tiff, SampleFiles.tiff(isBigEndian: false, isBig: true)),
    (.tiff, SampleFiles.tiff(isBigEndian: true, isBig: true)),
    (.bmp, SampleFiles.bmp(headerByteCount: 40)),
    (.xbm, SampleFiles.xbm),
    (.pnm, Array("P6\n2 1\n255\n".utf8)),
    (.pnm, Array("Pf\n2 1\n-1\n".utf8)),
    (.qoi, Array("qoif".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 3, 0]),
    (.tga, [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 7, 0, 24, 0x20]),
    (.bmp, [40, 0, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0, 1, 0, 24, 0]),
    (.svg, Array("<svg/>".utf8)),
    (.svg, Array("\n <?xml version='1.0'?><!-- <html> -->\n<svg xmlns='http://www.w3.org/2000/svg'>".utf8)),
    (.svg, Array("\u{FEFF}<!DOCTYPE svg [ <!ENTITY a \"]>\"> <!-- ] --> ]><s:svg xmlns:s='x'>".utf8)),
    (.svg, [0xFF, 0xFE] + "<svg width='1'>".utf16.flatMap { SampleFiles.little16($0) }),
    (.svg, [0xFE, 0xFF] + "<svg width='1'>".utf16.flatMap { SampleFiles.little16($0).reversed() }),
  ]

  func probe(_ bytes: [UInt8]) -> ProbeResult { ImageFormatRegistry.shared.probe(bytes.span) }

  @Test(arguments: samples.indices) func everyPrefixIsUndecidedOrRight(_ index: Int) {
    let (type, bytes) = Self.samples[index]
    #expect(AssetType(bytes) == type)
    #expect(AssetType(Data([0]) + Data(bytes)) != type)
    #expect(AssetType((Data([0]) + Data(bytes)).dropFirst()) == type)
    for count in bytes.indices {
      switch probe(Array(bytes[..<count])) {
      case .no: Issue.record("\(count) bytes of \(type) were declined")
      case .yes(let found): #expect(found == type, "\(count) bytes")
      case .needs(let byteCount): #expect(byteCount > count)
      }
    }
  }

  @Test func whatIsTooShortOrUnknownIsNil() {
    #expect(AssetType(Data()) == nil)
    #expect(AssetType(Data([0xFF, 0xD8])) == nil)
    #expect(AssetType(Data("GIF88a".utf8)) == nil)
    #expect(AssetType(Data("RIFF\0\0\0\0WAVE".utf8)) == nil)
    #expect(AssetType(SampleFiles.fileType("crz ", ["isom"])) == nil)
    #expect(AssetType(Data("<html><svg/></html>".utf8)) == nil)
    #expect(AssetType(Data("<svgx>".utf8)) == nil)
    #expect(AssetType(Data("#define X 1\nint a;".utf8)) == nil)
    #expect(AssetType(Data("#include <stdio.h>".utf8)) == nil)
  }

  @Test func iconsAreToldFromBoxesOfOtherFormats() {
    #expect(AssetType(Data([0, 0, 1, 0, 1, 0, 16, 16])) == .ico)
    #expect(AssetType(Data([0, 0, 1, 0])) == .ico)
    #expect(AssetType(Data([0, 0, 1])) == nil && AssetType(Data([0, 0, 2, 0])) == nil)
    #expect(AssetType(Data([0, 0, 1, 0] + Array("ftypavif".utf8))) == .avif)
  }

  /// One truth: what a registered decoder says goes before what the library says, for every entry point.
  @Test func registeredFormatsAreAskedFirst() throws {
    // Other tests register the toy format while this one runs.
    let magic = Array("1ST!".utf8)
    let toy = ToyDecoder(type: "org.example.first", magic: magic)
    let file = magic + ToyDecoder.file(width: 2, height: 2).dropFirst(4)
    #expect(AssetType(file) == nil && probe(file) == .no)
    let token = ImageFormatRegistry.shared.register(toy)
    #expect(AssetType(file) == "org.example.first" && probe(file) == .yes("org.example.first"))
    ImageFormatRegistry.shared.unregister(token)
    #expect(AssetType(file) == nil)
  }

  @Test func anAllowListKnowsNothingElse() throws {
    let formats = ImageFormatRegistry(decoders: [PNGDecoder()])
    #expect(formats.type(of: SampleFiles.gif.span) == nil)
    let png = try Bitmap(width: 1, height: 1, format: .gray8, pixels: [1]).encoded(as: .png)
    #expect(formats.type(of: png.span) == .png)
    #expect(throws: CodecError.self) { try ImageFile(SampleFiles.gif, formats: formats).decode().bitmap }
  }

  @Test func nestedPicturesAreDecodedByRegisteredDecodersToo() throws {
    let formats = ImageFormatRegistry()
    let toy = ToyDecoder()
    formats.register(toy)
    let picture = Data(ToyDecoder.file(width: 2, height: 2)).base64EncodedString()
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" width="2" height="2">
      <image width="2" height="2" href="data:image/png;base64,\(picture)"/></svg>
      """
    let bitmap = try ImageFile(Array(drawing.utf8), formats: formats).decode().bitmap
    #expect(toy.log.counts.oneShots == 1 && bitmap.width == 2)
  }

  @Test func anEndlessPrologueIsGivenUp() {
    for start in ["<!--", "/*"] {
      let text = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
      #expect(probe(text) == .no)
    }
  }

  @Test func anyBytesAreSafe() {
    var generator = TestRandom(1)
    for (_, bytes) in Self.samples {
      for _ in 0..<200 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        let count = Int.random(in: 0...damaged.count, using: &generator)
        _ = AssetType(Data(damaged.prefix(count)))
        _ = try? ImageFile(Array(damaged.prefix(count))).info(indexesFrames: true)
        _ = try? Bitmap(decoding: damaged)
      }
    }
  }
}

@Suite struct FormatNameTests {
  @Test func namesGoBothWays() {
    let all: [AssetType] = [
      .png, .jpeg, .gif, .heic, .heif, .avif, .webp, .svg, .tiff, .bmp, .ico, .cur, .icns, .xbm, .pnm, .tga, .qoi,
      .jpeg2000, .jxl, .mp4, .m4v, .mov, .matroska, .webm, .mpegTransportStream,
    ]
    for type in all {
      #expect(type.mimeType.flatMap { AssetType(mimeType: $0) } == type)
      #expect(type.filenameExtension.flatMap { AssetType(filenameExtension: $0) } == type)
    }
  }

  @Test func caseAndParametersDoNotMatter() {
    #expect(AssetType(mimeType: "Image/SVG+XML; charset=utf-8") == .svg)
    #expect(AssetType(mimeType: "image/jpg") == .jpeg)
    #expect(AssetType(mimeType: "text/html") == nil)
    #expect(AssetType(filenameExtension: "JPG") == .jpeg)
    #expect(AssetType(filenameExtension: "txt") == nil)
    #expect(AssetType("org.example.toy").formatName == "org.example.toy")
  }

  @Test func kinds() {
    #expect(AssetType.mov.isVideo && AssetType.webm.isVideo && !AssetType.gif.isVideo)
    #expect(AssetType.gif.isAnimatable && AssetType.png.isAnimatable && !AssetType.jpeg.isAnimatable)
  }
}
