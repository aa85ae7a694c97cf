import ImageCoding
import PNGCodec
import Testing

@Suite struct MetadataTests {
  static let exif: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  @Test func everyChunkIsRead() throws {
    let profile = [UInt8](0..<200)
    let packed = zlib(profile)
    let text = zlib(Array("packed".utf8))
    var png = TestPNG(width: 2, height: 2, colorType: 2, bitDepth: 8)
    png.extraChunks = [
      ("cHRM", [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap { bigEndian($0) }),
      ("gAMA", bigEndian(45455)), ("iCCP", Array("my profile\0\0".utf8) + packed), ("sRGB", [1]),
      ("cICP", [9, 16, 0, 1]), ("sBIT", [5, 6, 5]), ("bKGD", [0, 1, 0, 2, 0, 3]),
      ("pHYs", bigEndian(2835) + bigEndian(2835) + [1]), ("eXIf", Self.exif),
      ("tIME", [7, 234, 11, 21, 13, 37, 59]), ("tEXt", Array("Title\0".utf8) + [0xE9]),
      ("zTXt", Array("Comment\0\0".utf8) + text),
      ("iTXt", Array("Author\0\0\0de\0Autor\0".utf8) + Array("Käthe ☺".utf8)),
      ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)),
    ]
    let image = try decode(png.bytes, strict)
    let metadata = image.metadata
    #expect(image.diagnostics.isEmpty)
    #expect(
      metadata.colorSpace.calibration?.chromaticities
        == Chromaticities(
          white: .init(x: 0.3127, y: 0.329), red: .init(x: 0.64, y: 0.33), green: .init(x: 0.3, y: 0.6),
          blue: .init(x: 0.15, y: 0.06)))
    #expect(metadata.colorSpace.calibration?.gamma == 0.45455)
    #expect(metadata.colorSpace.iccProfile == profile)
    #expect(metadata.iccProfileName == "my profile")
    #expect(metadata.sRGBRenderingIntent == 1)
    let codePoints = CodingIndependentCodePoints(
      colorPrimaries: 9, transferFunction: 16, matrixCoefficients: 0, isFullRange: true)
    #expect(metadata.colorSpace.codePoints == codePoints)
    #expect(image.bitmap.colorSpace.definition == .codePoints(codePoints))
    #expect(metadata.significantBits == [5, 6, 5])
    #expect(metadata.background?.samples == [1, 2, 3])
    #expect(metadata.density == .init(x: 2835, y: 2835, unit: .perMeter))
    #expect(metadata.exif == Self.exif)
    #expect(
      metadata.modificationTime == .init(year: 2026, month: 11, day: 21, hour: 13, minute: 37, second: 59))
    #expect(
      metadata.texts == [
        .init(keyword: "Title", value: "é"), .init(keyword: "Comment", value: "packed"),
        .init(keyword: "Author", value: "Käthe ☺", language: "de", translatedKeyword: "Autor"),
      ])
    #expect(metadata.xmp == Array("<x/>".utf8))
  }

  @Test func metadataSurvivesARoundTrip() throws {
    var metadata = ImageMetadata()
    metadata.colorSpace.calibration = ColorSpace.Calibration(gamma: 0.45455)
    metadata.colorSpace.calibration?.chromaticities = Chromaticities(
      white: .init(x: 0.3127, y: 0.329), red: .init(x: 0.64, y: 0.33), green: .init(x: 0.3, y: 0.6),
      blue: .init(x: 0.15, y: 0.06))
    metadata.colorSpace.iccProfile = (0..<300).map { UInt8($0 % 251) }
    metadata.iccProfileName = "a name"
    metadata.colorSpace.codePoints = CodingIndependentCodePoints(
      colorPrimaries: 1, transferFunction: 13, matrixCoefficients: 0, isFullRange: true)
    metadata.colorSpace.prefersCodePoints = true
    metadata.significantBits = [8, 7, 8, 8]
    metadata.background = .init(samples: [9, 8, 7])
    metadata.density = .init(x: 300, y: 150, unit: .perMeter)
    metadata.exif = Self.exif
    metadata.modificationTime = .init(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 60)
    metadata.texts = [
      .init(keyword: "Title", value: "plain"), .init(keyword: "Long", value: String(repeating: "abc ", count: 1000)),
      .init(keyword: "Uni", value: "Ω" + String(repeating: "x", count: 2000)),
      .init(keyword: "Sprache", value: "ja", language: "de", translatedKeyword: "Schlüssel"),
    ]
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    var png = TestPNG(width: 40, height: 40, colorType: 6, bitDepth: 8, seed: 12)
    png.extraChunks = []
    let bitmap = try decode(png.bytes).bitmap
    let encoded = try PNGEncoder().encode(bitmap, metadata: metadata)
    let image = try decode(encoded, strict)
    #expect(image.diagnostics.isEmpty)
    #expect(image.metadata == metadata)
    #expect(image.bitmap.packedPixels == bitmap.packedPixels)
  }

  @Test(arguments: ImageOrientation.allCases)
  func anUprightBitmapIsNeverTurnedTwice(orientation: ImageOrientation) throws {
    var bitmap = try Bitmap(width: 3, height: 2, format: .gray8, pixels: [1, 2, 3, 4, 5, 6])
    bitmap.orientation = orientation
    let stored = try PNGEncoder().encode(bitmap)
    let upright = try decode(stored)
    #expect(upright.bitmap.packedPixels == bitmap.orientedUp().packedPixels)
    // Writing the upright pixels with the metadata of the turned ones must not turn them again.
    let again = try PNGEncoder().encode(upright.bitmap, metadata: upright.metadata)
    #expect(try decode(again).bitmap.packedPixels == upright.bitmap.packedPixels)
    #expect(try decode(again).info.orientation == .up)
  }

  @Test func aColorSpaceTagIsWritten() throws {
    for space in [ColorSpace.sRGB, .calibrated(gamma: 0.5, chromaticities: nil), .unspecified] {
      var bitmap = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [1, 2, 3])
      bitmap.colorSpace = space
      #expect(try decode(try PNGEncoder().encode(bitmap)).bitmap.colorSpace == space)
    }
  }

  @Test func keywordsMustFit() throws {
    let bitmap = try Bitmap(width: 1, height: 1, format: .gray8, pixels: [1])
    for keyword in ["", "Ω", String(repeating: "x", count: 80)] {
      var metadata = ImageMetadata()
      metadata.texts = [.init(keyword: keyword, value: "x")]
      #expect(throws: CodecError.self) { try PNGEncoder().encode(bitmap, metadata: metadata) }
    }
  }
}
