// Strip and copy: what goes, what comes, and that the bytes of the pixels stay.

import FoundationEssentials
import ImageCodecs
import TestSupport
import Testing

@Suite struct MetadataRewritingTests {
  /// A JPEG file with everything that is stripped and everything that stays; the scan is not one that decodes.
  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 0xFF, 0, 4, 0xFF, 0xD9]

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }
  private static let quantization = segment(0xDB, [UInt8](repeating: 1, count: 65))
  private static let frame = segment(0xC0, [8, 0, 200, 1, 44, 1, 1, 0x11, 0])
  private static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0])
  private static let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 5, 5, 5])

  private static func jpeg(orientation: UInt8) -> [UInt8] {
    let exif: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
    let start: [UInt8] = [0xFF, 0xD8] + jfif + segment(0xE1, Array("Exif\0\0".utf8) + exif + [0, 0, 0, 0, 0, 0])
    let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<rdf:RDF/>".utf8))
    let iptc: [UInt8] = [0x1C, 2, 5, 0, 1, 65]
    let resources = segment(
      0xED, Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 6] + iptc)
    let others = segment(0xFE, Array("a comment".utf8)) + segment(0xE5, Array("private".utf8))
    return start + xmp + resources + profile + others + quantization + frame + scan
  }

  @Test func jpegMetadataIsReadFromItsSegments() throws {
    let metadata = try ImageFile(Self.jpeg(orientation: 6)).metadata()
    #expect(metadata.orientation == .right && metadata.exifTags?.orientation == .right)
    #expect(metadata.xmpPacket?.text == "<rdf:RDF/>" && metadata.iptcRecords?.objectName == "A")
    #expect(metadata.colorSpace.iccProfile == [5, 5, 5] && metadata.comments == ["a comment"])
    #expect(metadata.density == ImageMetadata.PixelDensity(x: 72, y: 72, unit: .perInch))
  }

  @Test func aStrippedJPEGKeepsPixelsProfileAndOrientation() throws {
    let upright = try ImageFile(Self.jpeg(orientation: 1)).stripped()
    #expect(upright == [0xFF, 0xD8] + Self.jfif + Self.profile + Self.quantization + Self.frame + Self.scan)
    let turned = try ImageFile(Self.jpeg(orientation: 6)).stripped()
    let metadata = try ImageFile(turned).metadata()
    #expect(metadata.orientation == .right && metadata.xmp == nil && metadata.iptc == nil)
    #expect(metadata.comments.isEmpty && metadata.colorSpace.iccProfile == [5, 5, 5])
    #expect(turned.suffix(Self.scan.count) == Self.scan[...])
    #expect(try ImageFile(turned).stripped() == turned)
  }

  @Test func theFirstDecoderThatHasARewriterProvidesIt() throws {
    let formats = ImageFormatRegistry()
    formats.register(ToyDecoder(type: .jpeg, magic: [0xFF, 0xD8, 0xFF, 0xE0]))
    let file = Self.jpeg(orientation: 6)
    #expect(try ImageFile(file, formats: formats).stripped() == ImageFile(file).stripped())
    let toys = ImageFormatRegistry(decoders: [ToyDecoder()])
    let error = #expect(throws: CodecError.self) {
      try ImageFile(Array("TOY!".utf8), formats: toys).stripped()
    }
    #expect(error?.kind == .unsupported && error?.reason == "metadata cannot be removed from org.example.toy files")
  }

  @Test func copiedMetadataKeepsTheTargetsOrientation() throws {
    var source = try ImageFile(Self.jpeg(orientation: 3)).metadata()
    source.texts = [ImageMetadata.Text(keyword: "Author", value: "me")]
    let copied = try ImageFile(ImageFile(Self.jpeg(orientation: 8)).replacingMetadata(with: source)).metadata()
    #expect(copied.orientation == .left && copied.iptc == source.iptc && copied.xmp == source.xmp)
    #expect(copied.comments == ["a comment", "Author: me"])
    source.xmp = [UInt8](repeating: 0x20, count: 65_600)
    let error = #expect(throws: CodecError.self) {
      try ImageFile(Self.jpeg(orientation: 1)).replacingMetadata(with: source)
    }
    #expect(error?.kind == .encodingFailed)
  }

  @Test func pngImageDataStaysByteForByte() throws {
    var metadata = ImageMetadata()
    metadata.texts = [ImageMetadata.Text(keyword: "Author", value: "me")]
    metadata.colorSpace.calibration = ColorSpace.Calibration(gamma: 0.45455)
    metadata.xmp = Array("<rdf:RDF/>".utf8)
    var bitmap = try Bitmap(width: 9, height: 7, format: .rgb8, pixels: (0..<189).map { UInt8($0) })
    bitmap.orientation = .down
    let original = try bitmap.encoded(as: .png, metadata: metadata)
    let stripped = try ImageFile(original).stripped()
    let left = try ImageFile(stripped).metadata()
    #expect(
      left.texts.isEmpty && left.xmp == nil && left.orientation == .down
        && left.colorSpace.calibration?.gamma == 0.45455)
    let options = DecodingOptions(orientation: .report, tolerance: .strict)
    #expect(try Bitmap(decoding: stripped, options: options) == Bitmap(decoding: original, options: options))
    // Back again: the same chunks as before.
    #expect(try ImageFile(stripped).replacingMetadata(with: metadata).sorted() == original.sorted())
    let late =
      Array(original.dropLast(12)) + Array(try ImageFile(stripped).replacingMetadata(with: metadata).suffix(12))
    #expect(try ImageFile(late).metadata().texts == metadata.texts)
  }

  @Test func damagedFilesComeBack() {
    let file = Self.jpeg(orientation: 6)
    for count in file.indices { _ = try? ImageFile(Array(file.prefix(count))).stripped() }
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? ImageFile(bytes).stripped()
      _ = try? ImageFile(bytes).metadata()
    }
  }
}
