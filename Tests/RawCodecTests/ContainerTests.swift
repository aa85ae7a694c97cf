// Containers that the tests write: which files are raw files, and which pictures they embed.

import ImageCoding
import JPEGCodec
import RawCodec
import TestSupport
import Testing

@Suite struct ContainerTests {
  private let decoder = RawDecoder(jpegDecoder: JPEGDecoder())

  /// A JPEG picture of one colour.
  private func jpeg(width: Int, height: Int) throws -> [UInt8] {
    let bitmap = try Bitmap(width: width, height: height, format: .rgb8)
    return try JPEGEncoder().encode(bitmap)
  }

  @Test func plainTIFFIsNoRawFile() {
    let file = TIFFBytes(directories: [[.ascii(271, "NIKON CORPORATION"), .long(256, [4]), .long(257, [4])]])
    #expect(decoder.probe(file.bytes.span) == .no)
  }

  @Test func previewsOfATIFFBasedFile() throws {
    let (large, small) = (try jpeg(width: 64, height: 48), try jpeg(width: 16, height: 12))
    let file = TIFFBytes(
      directories: [
        [
          .long(254, [1]), .ascii(271, "SONY"), .ascii(272, "ILCE-7"), .short(274, [6]), .long(330, [0]),
          .blob(offset: 513, count: 514, large),
        ],
        [.long(254, [1]), .blob(offset: 513, count: 514, small)],
      ])
    #expect(decoder.probe(file.bytes.span) == .yes("com.sony.arw-raw-image"))
    let pictures = try decoder.embeddedPictures(file.bytes.span)
    #expect(pictures.map(\.kind) == [.preview, .thumbnail])
    #expect(pictures.map { Array(file.bytes[$0.range]) } == [large, small])
    #expect(pictures.map(\.size) == [PixelSize(width: 64, height: 48), PixelSize(width: 16, height: 12)])

    let image = try decoder.decode(file.bytes)
    #expect(image.bitmap.pixelSize == PixelSize(width: 48, height: 64))
    #expect(image.info.orientation.rawValue == 6)
    #expect(image.diagnostics.count == 1)
    var options = DecodingOptions()
    options.requiresSensorData = true
    #expect { try decoder.decode(file.bytes, options: options) } throws: { ($0 as? CodecError)?.kind == .unsupported }
  }

  @Test func directoriesThatLinkToEachOtherAreVisitedOnce() throws {
    var file = TIFFBytes(directories: [
      [
        .long(254, [1]), .ascii(271, "SONY"), .long(330, [8]),
        .blob(offset: 513, count: 514, try jpeg(width: 8, height: 8)),
      ]
    ]).bytes
    // The only directory is also the next one.
    let link = 8 + 2 + 5 * 12
    file.replaceSubrange(link..<link + 4, with: [8, 0, 0, 0])
    #expect(try decoder.embeddedPictures(file.span).count == 1)
  }

  @Test func everyPrefixIsReadOrRefused() throws {
    let file = TIFFBytes(directories: [
      [
        .long(254, [1]), .ascii(271, "SONY"), .long(330, [8]),
        .blob(offset: 513, count: 514, try jpeg(width: 8, height: 8)),
      ]
    ]).bytes
    for count in 0..<file.count {
      _ = try? decoder.decode(file.span.extracting(0..<count), options: DecodingOptions())
      if case .needs(let needed) = decoder.probe(file.span.extracting(0..<count)) { #expect(needed > count) }
    }
  }

  @Test func fujifilm() throws {
    let picture = try jpeg(width: 24, height: 16)
    var file = Array("FUJIFILMCCD-RAW 0201".utf8)
    file += [UInt8](repeating: 0, count: 84 - file.count) + [0, 0, 0, 108] + bigEndian(picture.count)
    file += [UInt8](repeating: 0, count: 108 - file.count) + picture
    #expect(decoder.probe(file.span) == .yes("com.fuji.raw-image"))
    let pictures = try decoder.embeddedPictures(file.span)
    #expect(pictures.map { Array(file[$0.range]) } == [picture])
    #expect(try decoder.info(file).size == PixelSize(width: 24, height: 16))
    #expect(throws: CodecError.self) { try decoder.embeddedPictures(file.span.extracting(0..<200)) }
  }

  /// A heap with the names of the camera, a picture and the rotation; its directory refers to itself as a heap too.
  @Test func canonHeap() throws {
    let picture = try jpeg(width: 24, height: 16)
    let names = Array("Canon\0Canon EOS\0".utf8)
    let rotation = [UInt8](repeating: 0, count: 12) + [90, 0, 0, 0]
    var heap = picture + names + rotation
    let records: [(tag: Int, offset: Int, count: Int)] = [
      (0x2007, 0, picture.count), (0x080A, picture.count, names.count),
      (0x1810, picture.count + names.count, rotation.count), (0x300A, 0, 0),
    ]
    let directory = heap.count
    heap += [UInt8(records.count), 0]
    for record in records {
      let count = record.tag == 0x300A ? directory + 2 + 40 + 4 : record.count
      heap += [UInt8(record.tag & 255), UInt8(record.tag >> 8)] + bigEndian(count).reversed()
      heap += bigEndian(record.offset).reversed()
    }
    heap += bigEndian(directory).reversed()
    let file = Array("II".utf8) + [26, 0, 0, 0] + Array("HEAPCCDR".utf8) + [UInt8](repeating: 0, count: 12) + heap
    #expect(decoder.probe(file.span) == .yes("com.canon.crw-raw-image"))
    #expect(try decoder.embeddedPictures(file.span).map { Array(file[$0.range]) } == [picture])
    #expect(try decoder.info(file).orientation.rawValue == 6)
    let block = String(decoding: try #require(try decoder.metadata(file).exif), as: UTF8.self)
    #expect(block.contains("Canon EOS"))
  }

  @Test func canonMovie() throws {
    let (thumbnail, preview) = (try jpeg(width: 16, height: 12), try jpeg(width: 32, height: 24))
    let identifier: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    let previewIdentifier: [UInt8] = [
      0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]
    let image = TIFFBytes(directories: [[.ascii(271, "Canon"), .short(274, [8])]]).bytes
    let small = box("THMB", [0, 0, 0, 0, 0, 16, 0, 12] + bigEndian(thumbnail.count) + [0, 1, 0, 0] + thumbnail)
    let metadata = box("uuid", identifier + box("CMT1", image) + small)
    let large = box("PRVW", [0, 0, 0, 0, 0, 1, 0, 32, 0, 24, 0, 1] + bigEndian(preview.count) + preview)
    // Boxes of the identifier alone, and without it, have no contents.
    let file =
      box("ftyp", Array("crx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8))
      + box("moov", box("uuid", identifier) + box("uuid", []) + metadata)
      + box("uuid", previewIdentifier + [UInt8](repeating: 0, count: 8) + large)
    #expect(decoder.probe(file.span) == .yes("com.canon.cr3-raw-image"))
    let pictures = try decoder.embeddedPictures(file.span)
    #expect(pictures.map { Array(file[$0.range]) } == [thumbnail, preview])
    let info = try decoder.info(file)
    #expect(info.size == PixelSize(width: 32, height: 24))
    #expect(info.orientation.rawValue == 8)
    // The smallest that is large enough.
    let bitmap = try decoder.thumbnail(
      file.span, options: DecodingOptions(orientation: .report, targetSize: PixelSize(width: 12, height: 16)))
    #expect(bitmap?.pixelSize == PixelSize(width: 16, height: 12))
    for count in 0..<file.count { _ = try? decoder.decode(Array(file.prefix(count))) }
  }

  private func bigEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) } }

  private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bigEndian(payload.count + 8) + Array(type.utf8) + payload
  }
}
