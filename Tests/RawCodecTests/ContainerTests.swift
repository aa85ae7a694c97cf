// Containers that the tests write: which files are raw files, and which pictures they embed.

import ImageCoding
import JPEGCodec
import RawCodec
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
}
