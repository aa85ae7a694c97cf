// HEIF items and their properties, derived images, thumbnails, metadata; then what is broken on purpose.

import ISOMediaCodec
import ImageCoding
import Testing

@Suite struct HEIFTests {
  private typealias Item = ISOBuilder.Item
  private let decoder = ISOMediaDecoder(jpegDecoder: FlatPictureDecoder())

  private func container(_ bytes: [UInt8]) throws -> HEIFContainer { try HEIFContainer(parsing: bytes.span) }

  /// Turn, mirror, what an image of 1 × 2 pixels then is, and by ISO/IEC 23008-12 where its upper pixel goes.
  @Test(arguments: [
    (0, nil, ImageOrientation.up), (1, nil, .left), (2, nil, .down), (3, nil, .right), (0, 0, .downMirrored),
    (0, 1, .upMirrored), (1, 0, .leftMirrored), (1, 1, .rightMirrored), (2, 1, .downMirrored), (3, 0, .rightMirrored),
    (3, 1, .leftMirrored),
  ])
  func turnsAndMirrors(_ quarters: Int, _ axis: Int?, _ expected: ImageOrientation) throws {
    var properties = [ISOBuilder.extent(40, 30), ISOBuilder.box("irot", [UInt8(quarters)])]
    if let axis { properties.append(ISOBuilder.box("imir", [UInt8(axis)])) }
    let item = Item(id: 1, type: "hvc1", properties: Array(1...properties.count))
    let file = ISOBuilder.heif(items: [item], properties: properties)
    #expect(try container(file).primaryItem.orientation == expected)
    let info = try decoder.info(file)
    #expect(info.orientation == .up && info.width == (expected.swapsAxes ? 30 : 40) && info.coding == "hvc1")
  }

  @Test func colourDepthAlphaAndCrop() throws {
    let properties = [
      ISOBuilder.extent(64, 48), ISOBuilder.fullBox("pixi", [3, 10, 10, 10]),
      ISOBuilder.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]),
      ISOBuilder.box("colr", Array("prof".utf8) + [1, 2, 3]),
      ISOBuilder.box("clap", [60, 1, 40, 1, 1, 1, -2, 1].flatMap { ISOBuilder.big($0, 4) }),
      ISOBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)),
    ]
    let file = ISOBuilder.heif(
      brand: "avif",
      items: [
        Item(id: 1, type: "av01", properties: [1, 2, 3, 4, 5]), Item(id: 2, type: "av01", properties: [1, 6]),
      ], properties: properties, references: [("auxl", 2, [1])], sizeStyle: 1)
    let heif = try container(file)
    let item = heif.primaryItem
    #expect(item.bitsPerChannel == [10, 10, 10] && item.colorSpace.definition == .icc([1, 2, 3]))
    #expect(item.codePoints?.transferFunction == 16 && item.codePoints?.isFullRange == true)
    // (64 - 60) / 2 + 1 from the left, (48 - 40) / 2 - 2 from the top.
    #expect(item.cleanAperture == PixelRegion(x: 3, y: 2, width: 60, height: 40))
    let info = try decoder.info(file)
    #expect(info.type == "public.avif" && info.hasAlpha && info.size == PixelSize(width: 60, height: 40))
    let error = #expect(throws: CodecError.self) { try decoder.decode(file.span) }
    #expect(error?.kind == .unsupported && error?.reason.contains("av01") == true)
  }

  @Test(arguments: ["avif", "heic"]) func minimisedImageBoxesAreNamed(_ coding: String) throws {
    let kind = ISOBuilder.box("ftyp", Array("mif3".utf8) + Array(coding.utf8))
    let file = kind + ISOBuilder.box("mini", [UInt8](repeating: 0, count: 40))
    #expect(decoder.probe(file.span) == .yes(AssetType(rawValue: "public.\(coding)")))
    for read in [{ _ = try decoder.info(file) }, { _ = try decoder.decode(file.span) }] as [() throws -> Void] {
      let error = #expect(throws: CodecError.self) { try read() }
      #expect(error?.kind == .unsupported && error?.reason.contains("'mini'") == true)
      #expect(error?.byteOffset == kind.count)
    }
  }

  @Test func sampleTransformsAreNamed() throws {
    let file = ISOBuilder.heif(
      items: [
        Item(id: 1, type: "sato", properties: [1], data: [0, 0, 0, 0]),
        Item(id: 2, type: "jpeg", properties: [1], data: FlatPictureDecoder.file(4, 2, 90)),
      ], properties: [ISOBuilder.extent(4, 2)], references: [("dimg", 1, [2])])
    let error = #expect(throws: CodecError.self) { try decoder.decode(file.span) }
    #expect(error?.kind == .unsupported && error?.reason.contains("sato") == true)
  }

  @Test func jpegItemsAreDecodedCroppedTurnedAndGivenAlpha() throws {
    let properties = [
      ISOBuilder.extent(4, 2), ISOBuilder.box("irot", [1]),
      ISOBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)),
    ]
    let file = ISOBuilder.heif(
      items: [
        Item(id: 1, type: "jpeg", properties: [1, 2], data: FlatPictureDecoder.file(4, 2, 90)),
        Item(id: 2, type: "jpeg", properties: [1, 3], data: FlatPictureDecoder.file(4, 2, 128)),
      ], properties: properties, references: [("auxl", 2, [1])])
    let bitmap = try decoder.decode(file.span).bitmap
    #expect(bitmap.pixelSize == PixelSize(width: 2, height: 4) && bitmap.format == .rgba8)
    #expect(bitmap[1, 3].red == 90 && bitmap[1, 3].alpha == 128)
  }

  @Test func gridsAreJoinedFromTheirTiles() throws {
    let items =
      [Item(id: 1, type: "grid", properties: [1], data: [0, 0, 1, 1, 0, 7, 0, 3])]
      + (0..<4).map {
        Item(id: 2 + $0, type: "jpeg", properties: [2], data: FlatPictureDecoder.file(4, 2, UInt8(10 * $0)))
      }
    let properties = [ISOBuilder.extent(7, 3), ISOBuilder.extent(4, 2)]
    let file = ISOBuilder.heif(items: items, properties: properties, references: [("dimg", 1, [2, 3, 4, 5])])
    let heif = try container(file)
    #expect(heif.grid?.rows == 2 && heif.grid?.columns == 2 && heif.coding == "grid of jpeg")
    let bitmap = try decoder.decode(file.span).bitmap
    #expect(bitmap.pixelSize == PixelSize(width: 7, height: 3))
    #expect([bitmap[3, 1].red, bitmap[4, 1].red, bitmap[3, 2].red, bitmap[6, 2].red] == [0, 10, 20, 30])
    // Tiles that are the grid itself lead nowhere.
    let selfish = ISOBuilder.heif(items: items, properties: properties, references: [("dimg", 1, [1, 1, 1, 1])])
    let error = #expect(throws: CodecError.self) { try decoder.decode(selfish.span) }
    #expect(error?.kind == .unsupported)
  }

  @Test func thumbnailsAndMetadata() throws {
    let items = [
      Item(id: 1, type: "hvc1", properties: [1]),
      Item(id: 2, type: "jpeg", properties: [2, 3], data: FlatPictureDecoder.file(8, 6, 77)),
      Item(id: 3, type: "Exif", data: [0, 0, 0, 2, 9, 9] + Array("MM".utf8)),
      Item(id: 4, type: "mime", data: [5, 6], contentType: "application/rdf+xml"),
    ]
    let file = ISOBuilder.heif(
      items: items, properties: [ISOBuilder.extent(400, 300), ISOBuilder.extent(8, 6), ISOBuilder.box("irot", [3])],
      references: [("thmb", 2, [1]), ("cdsc", 3, [1])])
    let thumbnail = try #require(try decoder.thumbnail(file.span, options: DecodingOptions()))
    #expect(thumbnail.pixelSize == PixelSize(width: 6, height: 8) && thumbnail[0, 0].red == 77)
    let metadata = try decoder.metadata(file)
    #expect(metadata.exif == Array("MM".utf8) && metadata.xmp == [5, 6])
    // A thumbnail does not count as an image.
    #expect(try container(file).imageCount == 1)
  }

  /// The products of such sizes exceed 64 bits.
  @Test(arguments: [UInt32.max, 3_037_000_500, 50_000])
  func statedSizesAreComparedWithoutOverflow(_ side: UInt32) throws {
    let extent = ISOBuilder.box("ispe", [0, 0, 0, 0] + ISOBuilder.big(Int(side), 4) + ISOBuilder.big(Int(side), 4))
    let file = ISOBuilder.heif(
      items: [Item(id: 1, type: "hvc1", properties: [1]), Item(id: 2, type: "hvc1", properties: [1])],
      properties: [extent], references: [("thmb", 2, [1])])
    let options = DecodingOptions(targetSize: PixelSize(width: 320, height: 320))
    #expect(throws: CodecError.self) { try decoder.decode(file.span, options: options) }
    #expect(try decoder.info(file).width == Int(side))
  }

  @Test func prefixesSayHowManyBytesWouldDo() throws {
    let file = ISOBuilder.heif(
      items: [Item(id: 1, type: "hvc1", properties: [1], data: [UInt8](repeating: 0, count: 500))],
      properties: [ISOBuilder.extent(4, 3)])
    let whole = try decoder.info(file)
    for count in 12..<file.count {
      do {
        #expect(try decoder.info(Array(file.prefix(count))) == whole)
        #expect(count >= file.count - 508)
      } catch {
        #expect(error.kind == .truncated && (error.neededByteCount ?? 0) > count)
        #expect((error.neededByteCount ?? 0) <= file.count)
      }
    }
  }

  @Test func tablesThatPromiseTooMuchAndFlippedBitsComeBack() throws {
    let item = Item(id: 1, type: "hvc1", properties: [1])
    let file = ISOBuilder.heif(
      items: [item, Item(id: 2, type: "grid", properties: [1], data: [0, 1, 255, 255])],
      properties: [ISOBuilder.extent(4, 3), ISOBuilder.box("clap", [UInt8](repeating: 0, count: 32))],
      references: [("thmb", 2, [1]), ("dimg", 1, [1, 2]), ("dimg", 2, [1, 2]), ("auxl", 1, [1])])
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? decoder.info(bytes, options: InfoOptions(indexesFrames: true))
      _ = try? decoder.metadata(bytes)
      _ = try? decoder.decode(bytes.span)
      _ = try? decoder.thumbnail(bytes.span, options: DecodingOptions())
    }
    // Counts of 2³² - 1 in every table, and boxes of every size that is none.
    let head = ISOBuilder.fileType("heic")
    let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    for table in ["iloc", "iinf", "iref", "pitm"] {
      let meta = ISOBuilder.fullBox("meta", ISOBuilder.fullBox(table, version: 2, [0x44, 0x40] + many + many))
      #expect(throws: CodecError.self) { try decoder.info(head + meta) }
    }
    for size in [2, 7, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      let bytes = head + ISOBuilder.big(size, 4) + Array("meta".utf8)
      #expect(throws: CodecError.self) { try decoder.info(bytes) }
    }
    let endless = head + ISOBuilder.big(1, 4) + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8)
    #expect(throws: CodecError.self) { try decoder.info(endless) }
  }

  @Test func profilesAreKeptOnceAndOnlyOfThePrimaryImage() throws {
    let profile = ISOBuilder.box("colr", Array("prof".utf8) + [UInt8](repeating: 3, count: 100_000))
    let often = [1] + [Int](repeating: 2, count: 200)
    let file = ISOBuilder.heif(
      items: [Item(id: 1, type: "hvc1", properties: often), Item(id: 2, type: "jpeg", properties: often)],
      properties: [ISOBuilder.extent(4, 3), profile], references: [("thmb", 2, [1])])
    let heif = try container(file)
    #expect(heif.primaryItem.iccProfile?.count == 100_000 && heif.thumbnails.first?.iccProfile == nil)
  }

  @Test func stormsOfBoxesTakeTheirLengthAndNoMore() throws {
    let empty = ISOBuilder.box("free", [])
    var storm = ISOBuilder.fileType("heic")
    var properties: [UInt8] = []
    for _ in 0..<100_000 {
      storm += empty
      properties += empty
    }
    #expect(throws: CodecError.self) { try decoder.info(storm) }
    let references = (0..<50_000).map { (type: "thmb", from: $0 & 0xFFFF, to: [1]) }
    let file = ISOBuilder.heif(
      items: [Item(id: 1, type: "hvc1", properties: [1])], properties: [ISOBuilder.extent(4, 3), properties],
      references: references)
    #expect(try decoder.info(file).width == 4)
    // A box within a box within a box: nothing goes deeper than the format does.
    var nested: [UInt8] = []
    for _ in 0..<2_000 { nested = ISOBuilder.box("moov", nested) }
    #expect(throws: CodecError.self) { try decoder.info(ISOBuilder.fileType("isom") + nested) }
  }
}
