// Containers of single makers that are no TIFF files, or differ from them.

import ImageCoding
import JPEGCodec
import RawCodec
import TestSupport
import Testing

@Suite struct MakerContainerTests {
  private let decoder = RawDecoder(jpegDecoder: JPEGDecoder())

  /// A JPEG picture of one colour.
  private func jpeg(width: Int, height: Int) throws -> [UInt8] {
    try JPEGEncoder().encode(try Bitmap(width: width, height: height, format: .rgb8))
  }

  private func littleEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  private func littleEndian(_ values: [Int]) -> [UInt8] {
    values.reduce(into: []) { $0 += littleEndian($1) }
  }

  /// A text in UTF-16, with its end.
  private func wide(_ text: String) -> [UInt8] {
    text.utf8.reduce(into: [UInt8]()) { $0 += [$1, 0] } + [0, 0]
  }

  private func bigEndian(_ value: Int) -> [UInt8] { littleEndian(value).reversed() }

  private func checkPrefixes(of file: [UInt8]) {
    for count in 0..<file.count { _ = try? decoder.decode(Array(file.prefix(count))) }
  }

  /// The maker note is a directory whose offsets relate to the block, after which the picture is.
  @Test func minolta() throws {
    let picture = try jpeg(width: 24, height: 16)
    func block(_ offset: Int) -> [UInt8] {
      let note =
        [0, 2] + [0, 0x88, 0, 4] + bigEndian(1) + bigEndian(offset) + [0, 0x89, 0, 4] + bigEndian(1)
        + bigEndian(picture.count) + bigEndian(0)
      return TIFFBytes(
        directories: [[.ascii(271, "Minolta"), .ascii(272, "DiMAGE"), .short(274, [8]), .subdirectories(34665, [0])]],
        others: [[.undefined(37500, note)]], isBigEndian: true
      ).bytes
    }
    let tags = block(block(0).count)
    let blocks =
      Array("\0PRD".utf8) + bigEndian(8) + [UInt8](repeating: 0, count: 8) + Array("\0TTW".utf8) + bigEndian(tags.count)
      + tags
    let file = Array("\0MRM".utf8) + bigEndian(blocks.count) + blocks + picture
    #expect(decoder.probe(file.span) == .yes("com.konicaminolta.raw-image"))
    let pictures = try decoder.embeddedPictures(file.span)
    #expect(pictures.map { Array(file[$0.range]) } == [picture])
    #expect(pictures.map(\.kind) == [.preview])
    let info = try decoder.info(file)
    #expect(info.size == PixelSize(width: 24, height: 16))
    #expect(info.orientation.rawValue == 8)
    let block = String(decoding: try #require(try decoder.metadata(file).exif), as: UTF8.self)
    #expect(block.contains("DiMAGE"))
    checkPrefixes(of: file)

    let empty = Array("\0MRM".utf8) + bigEndian(16) + blocks.prefix(16)
    #expect { try decoder.info(empty) } throws: { ($0 as? CodecError)?.kind == .malformed }
  }

  /// The picture is the value of a tag, and contains the EXIF block and the thumbnail.
  @Test func panasonic() throws {
    let (large, small) = (try jpeg(width: 24, height: 16), try jpeg(width: 8, height: 8))
    let block =
      Array("Exif\0\0".utf8)
      + TIFFBytes(directories: [
        [.ascii(271, "Panasonic"), .short(274, [6])], [.short(259, [6]), .blob(offset: 513, count: 514, small)],
      ]).bytes
    let length = block.count + 2
    let picture = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + block + large.dropFirst(2)
    var file = TIFFBytes(directories: [[.undefined(46, picture), .ascii(271, "Panasonic")]]).bytes
    file[2] = 85
    file[3] = 0
    #expect(decoder.probe(file.span) == .yes("com.panasonic.rw2-raw-image"))
    let pictures = try decoder.embeddedPictures(file.span)
    #expect(pictures.map { Array(file[$0.range]) } == [picture, small])
    #expect(pictures.map(\.kind) == [.fullSize, .thumbnail])
    #expect(try decoder.info(file).orientation.rawValue == 6)
    checkPrefixes(of: file)
  }

  @Test func sigma() throws {
    let picture = try jpeg(width: 24, height: 16)
    let image = Array("SECi".utf8) + littleEndian([0x20000, 2, 18, 24, 16, 0]) + picture
    let name = wide("CAMMODEL")
    let properties = Array("SECp".utf8) + littleEndian([0x20000, 1, 0, 0, 13, 0, 9]) + name + wide("DP1")
    var file = Array("FOVb".utf8) + littleEndian(0x20002) + [UInt8](repeating: 0, count: 28) + littleEndian(90)
    let imageOffset = file.count
    file += image
    let propertiesOffset = file.count
    file += properties
    let directory = file.count
    file += Array("SECd".utf8) + littleEndian(0x20000) + littleEndian(2)
    file += littleEndian(imageOffset) + littleEndian(image.count) + Array("IMA2".utf8)
    file += littleEndian(propertiesOffset) + littleEndian(properties.count) + Array("PROP".utf8)
    file += littleEndian(directory)
    #expect(decoder.probe(file.span) == .yes("com.sigma.x3f-raw-image"))
    #expect(try decoder.embeddedPictures(file.span).map { Array(file[$0.range]) } == [picture])
    #expect(try decoder.info(file).orientation.rawValue == 6)
    let block = String(decoding: try #require(try decoder.metadata(file).exif), as: UTF8.self)
    #expect(block.contains("DP1"))
    checkPrefixes(of: file)
  }
}
