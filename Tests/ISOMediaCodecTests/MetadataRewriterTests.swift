// Metadata of HEIF files is removed or replaced: planted texts are gone, and the images are the same.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct MetadataRewriterTests {
  private typealias Item = ISOBuilder.Item
  private let decoder = ISOMediaDecoder(jpegDecoder: FlatPictureDecoder(), pictureDecoders: [PatternDecoder()])
  private static let secret = Array("SECRET".utf8)

  private func strip(_ file: [UInt8]) throws -> [UInt8] {
    let rewriter = ISOMediaMetadataRewriter(keepsUnknownParts: false, jpegRewriter: FlatPictureRewriter())
    return try rewriter.rewrite(file.span, metadata: ImageMetadata())
  }

  private func contains(_ file: [UInt8], _ text: [UInt8]) -> Bool {
    file.indices.contains { file[$0...].starts(with: text) }
  }

  /// Fields of 0, 4 or 8 bytes in the item location box, and where data is.
  struct Layout: CustomTestStringConvertible {
    var version = 0
    var offset = 4
    var length = 4
    var base = 0
    var index = 0
    /// Of the items' data, by identifier; 0 if absent.
    var methods: [Int: Int] = [:]
    /// Added to all identifiers.
    var firstID = 0
    var testDescription: String { "version \(version), fields \(offset) \(length) \(base) \(index)" }
  }

  static let layouts = [
    Layout(), Layout(offset: 8, length: 8), Layout(base: 4), Layout(base: 8), Layout(offset: 0, base: 4),
    Layout(version: 1), Layout(version: 1, index: 4, methods: [1: 1, 4: 1]),
    Layout(version: 1, base: 8, methods: [1: 1]),
    Layout(version: 2, methods: [4: 1]), Layout(version: 2, offset: 8, length: 4, base: 8, index: 8, firstID: 70_000),
  ]

  /// A grid with tiles, a thumbnail with its own metadata, EXIF, XMP and other places for texts.
  private func file(_ layout: Layout, brand: String = "heic") -> [UInt8] {
    let exif: [UInt8] = [0, 0, 0, 0] + Self.secret
    let items = [
      // The top bit marks a property as essential.
      Item(id: 1, type: "grid", properties: [1, 3, 0x85, 0x87], data: [0, 0, 0, 1, 0, 30, 0, 16]),
      Item(id: 2, type: "hvc1", properties: [2], data: PatternDecoder.picture(16, 16, seed: 3)),
      Item(id: 3, type: "hvc1", properties: [2], data: PatternDecoder.picture(16, 16, seed: 4)),
      Item(id: 4, type: "Exif", data: exif),
      Item(id: 5, type: "jpeg", properties: [4], data: FlatPictureDecoder.file(8, 4, 99) + Self.secret),
      Item(id: 6, type: "Exif", data: exif),
      Item(id: 7, type: "mime", data: Self.secret, contentType: "application/rdf+xml"),
      Item(id: 8, type: "uri ", data: Self.secret),
      Item(
        id: 9, type: "mime", properties: [4], data: FlatPictureDecoder.file(8, 4, 9) + Self.secret,
        contentType: "image/jpeg"),
      Item(id: 10, type: "mime", properties: [4], data: Self.secret, contentType: "image/secret"),
    ]
    let properties = [
      ISOBuilder.extent(30, 16), ISOBuilder.extent(16, 16), ISOBuilder.box("irot", [3]), ISOBuilder.extent(8, 4),
      ISOBuilder.fullBox("udes", Self.secret), ISOBuilder.box("pasp", ISOBuilder.big(1, 4) + Self.secret),
      ISOBuilder.box("prvt", Self.secret),
    ]
    let references = [
      ("dimg", 1, [2, 3]), ("thmb", 5, [1]), ("cdsc", 4, [1]), ("cdsc", 6, [5]), ("cdsc", 7, [1]), ("cdsc", 8, [1]),
      ("thmb", 9, [1]),
      ("thmb", 10, [1]),
    ]
    let wide = layout.version == 2
    func id(_ value: Int) -> [UInt8] { ISOBuilder.big(value + layout.firstID, wide ? 4 : 2) }
    func meta(_ start: Int) -> [UInt8] {
      var (offset, itemData) = (start, [UInt8]())
      var locations: [UInt8] = []
      for item in items {
        let method = layout.methods[item.id] ?? 0
        let place = method == 1 ? itemData.count : offset
        locations += id(item.id) + (layout.version > 0 ? ISOBuilder.big(method, 2) : []) + [0, 0]
        let isBase = layout.base > 0 && method == 0
        locations += ISOBuilder.big(isBase ? place : 0, layout.base) + [0, 1]
        locations += ISOBuilder.big(1, layout.index)
        locations += ISOBuilder.big(isBase ? 0 : place, layout.offset) + ISOBuilder.big(item.data.count, layout.length)
        if method == 1 { itemData += item.data } else { offset += item.data.count }
      }
      let entries = items.flatMap {
        ISOBuilder.fullBox(
          "infe", version: wide ? 3 : 2,
          id($0.id) + [0, 0] + Array($0.type.utf8) + Self.secret + [0] + Array($0.contentType.utf8) + [0])
      }
      let associations = items.flatMap { item in
        id(item.id) + [UInt8(item.properties.count)] + item.properties.map { UInt8($0) }
      }
      let linked = references.flatMap { type, from, to in
        ISOBuilder.box(type, id(from) + ISOBuilder.big(to.count, 2) + to.flatMap { id($0) })
      }
      let sizes = [UInt8(layout.offset << 4 | layout.length), UInt8(layout.base << 4 | layout.index)]
      return ISOBuilder.fullBox(
        "meta",
        ISOBuilder.fullBox("hdlr", ISOBuilder.big(0, 4) + Array("pict".utf8) + ISOBuilder.big(0, 12) + Self.secret)
          + ISOBuilder.fullBox("pitm", version: wide ? 1 : 0, id(1))
          + ISOBuilder.fullBox("iinf", ISOBuilder.big(items.count, 2) + entries)
          + ISOBuilder.fullBox(
            "iloc", version: UInt8(layout.version), sizes + ISOBuilder.big(items.count, wide ? 4 : 2) + locations)
          + ISOBuilder.fullBox("iref", version: wide ? 1 : 0, linked)
          + ISOBuilder.box(
            "iprp",
            ISOBuilder.box("ipco", properties.flatMap { $0 })
              + ISOBuilder.fullBox(
                "ipma", version: wide ? 1 : 0, ISOBuilder.big(items.count, 4) + associations))
          + ISOBuilder.box(
            "dinf", ISOBuilder.fullBox("dref", ISOBuilder.big(1, 4) + ISOBuilder.fullBox("url ", Self.secret)))
          + ISOBuilder.box(
            "grpl",
            ISOBuilder.fullBox(
              "altr", ISOBuilder.big(99, 4) + ISOBuilder.big(1, 4) + ISOBuilder.big(1, 4) + Self.secret))
          + ISOBuilder.box("idat", itemData + Self.secret) + ISOBuilder.box("free", Self.secret))
    }
    let start = ISOBuilder.fileType(brand, ["mif1"])
    let free = ISOBuilder.box("free", Self.secret)
    let data = items.filter { (layout.methods[$0.id] ?? 0) == 0 }.flatMap(\.data)
    let dataStart = start.count + meta(0).count + free.count + 8
    return start + meta(dataStart) + free + ISOBuilder.box("mdat", data + Self.secret)
      + ISOBuilder.box("uuid", ISOBuilder.big(7, 16) + Self.secret) + Self.secret
  }

  @Test(arguments: layouts) func strippedFilesHaveTheSameImages(_ layout: Layout) throws {
    for brand in ["heic", "avif"] {
      let file = file(layout, brand: brand)
      #expect(try decoder.metadata(file).exif == Self.secret && decoder.metadata(file).xmp == Self.secret)
      let stripped = try strip(file)
      #expect(!contains(stripped, Self.secret) && stripped.count < file.count)
      #expect(try decoder.metadata(stripped) == ImageMetadata())
      #expect(try decoder.info(stripped) == decoder.info(file))
      #expect(try decoder.decode(stripped.span).bitmap == decoder.decode(file.span).bitmap)
      let thumbnail = try decoder.thumbnail(stripped.span, options: DecodingOptions())
      #expect(thumbnail?.pixelSize == PixelSize(width: 8, height: 4))
      // Nothing is left to remove.
      #expect(try strip(stripped) == stripped)
    }
  }

  @Test(arguments: layouts) func replacedMetadataIsRead(_ layout: Layout) throws {
    let file = file(layout)
    // A directory with no entries.
    var metadata = ImageMetadata()
    metadata.exif = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
    metadata.xmp = Array("<x/>".utf8)
    let result = try ISOMediaMetadataRewriter().rewrite(file.span, metadata: metadata)
    #expect(try decoder.metadata(result) == metadata)
    #expect(try decoder.info(result) == decoder.info(file))
    #expect(try decoder.decode(result.span).bitmap == decoder.decode(file.span).bitmap)
    // Unknown boxes and descriptions stay.
    #expect(contains(result, Array("udes".utf8)) && contains(result, Array("uuid".utf8)))
    #expect(try !contains(strip(result), metadata.exif ?? []))
  }

  @Test func jpegItemsNeedARewriterOrAreRemoved() throws {
    let rewriter = ISOMediaMetadataRewriter(keepsUnknownParts: false)
    let stripped = try rewriter.rewrite(file(Layout()).span, metadata: ImageMetadata())
    #expect(!contains(stripped, Self.secret))
    #expect(try HEIFContainer(parsing: stripped.span).thumbnails.isEmpty)
    let picture = ISOBuilder.heif(
      items: [Item(id: 1, type: "jpeg", properties: [1], data: FlatPictureDecoder.file(8, 4, 1))],
      properties: [ISOBuilder.extent(8, 4)])
    let error = #expect(throws: CodecError.self) { try rewriter.rewrite(picture.span, metadata: ImageMetadata()) }
    #expect(error?.kind == .unsupported)
  }

  @Test func everyPrefixAndFlippedBitIsAnErrorOrAFile() throws {
    let file = file(Layout(version: 1, index: 4, methods: [1: 1, 4: 1]))
    for count in 0..<file.count { _ = try? strip(Array(file.prefix(count))) }
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? strip(bytes)
      _ = try? ISOMediaMetadataRewriter().rewrite(bytes.span, metadata: ImageMetadata())
    }
    // Without the end of the images' data.
    let end = try #require(file.indices.last { file[$0...].starts(with: PatternDecoder.picture(16, 16, seed: 4)) })
    let error = #expect(throws: CodecError.self) { try strip(Array(file.prefix(end + 2))) }
    #expect(error?.kind == .truncated)
  }

  /// One range that many items share is stored once.
  @Test func sharedDataDoesNotGrow() throws {
    let file = ISOBuilder.patternGrid(rows: 10, columns: 10, tile: (16, 16), size: (160, 160)) { _ in 1 }
    #expect(try strip(file).count <= file.count)
  }

  /// SEI messages in a configuration and in coded pictures, apart from those about how the picture is shown.
  @Test func textsInHEVCStreamsAreRemoved() throws {
    func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      ISOBuilder.big(content.count + 2, 4) + [type << 1, 1] + content
    }
    func array(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0x80 | type, 0, 1] + ISOBuilder.big(content.count + 2, 2) + [type << 1, 1] + content
    }
    let header = [UInt8](repeating: 1, count: 21) + [0xFF]
    let sets = array(32, [1, 2]) + array(33, [3]) + array(34, [4, 5])
    // A message of type 5 is text of the encoder, one of type 47 a display orientation.
    let text = [5, UInt8(Self.secret.count)] + Self.secret + [0x80]
    let shown: [UInt8] = [47, 3, 1, 2, 3, 0x80]
    let slice = unit(20, [9, 8, 7]) + unit(1, [6])
    func file(_ configuration: [UInt8], _ data: [UInt8]) -> [UInt8] {
      ISOBuilder.heif(
        items: [Item(id: 1, type: "hvc1", properties: [1, 2], data: data)],
        properties: [ISOBuilder.extent(8, 4), ISOBuilder.box("hvcC", configuration)])
    }
    let clean = file(header + [3] + sets, unit(32, [1]) + unit(39, shown) + slice)
    let planted = file(
      header + [5] + array(39, text) + sets + array(40, text) + Self.secret,
      unit(35, Self.secret) + unit(32, [1]) + unit(39, text) + unit(39, shown) + slice + unit(40, text)
        + unit(38, Self.secret) + unit(50, Self.secret) + unit(39, Array(shown.dropLast()) + text))
    #expect(contains(planted, Self.secret))
    let (stripped, expected) = (try strip(planted), try strip(clean))
    #expect(stripped == expected)
    #expect(!contains(stripped, Self.secret) && contains(stripped, shown))
    // Data that does not consist of NAL units stays.
    let damaged = unit(39, text) + slice + [0, 0]
    let kept = try strip(file(header + [3] + sets, damaged))
    #expect(contains(kept, damaged))
  }

  /// SEI messages in H.264 pictures, of which the build number of x264 stays.
  @Test func textsInH264StreamsAreRemoved() throws {
    func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      ISOBuilder.big(content.count + 1, 2) + [0x60 | type] + content
    }
    // Lengths of two bytes; one sequence and two picture parameter sets, formats and no extensions.
    let header: [UInt8] = [1, 100, 0, 31, 0xFD]
    let formats: [UInt8] = [0xFD, 0xF8, 0xF8]
    let sets = unit(7, [100, 0, 31, 1]) + [2] + unit(8, [2]) + unit(8, [3, 4])
    let text = [5, UInt8(Self.secret.count)] + Self.secret + [0x80]
    let shown: [UInt8] = [47, 3, 1, 2, 3, 0x80]
    let slice = unit(5, [9, 8, 7]) + unit(19, [6])
    let name: [UInt8] =
      [0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF]
      + Array("x264 - core 148".utf8)
    let options = Array(" r2795 ".utf8) + Self.secret
    func message(_ payload: [UInt8]) -> [UInt8] { [5, UInt8(payload.count)] + payload + [0x80] }
    func file(_ configuration: [UInt8], _ data: [UInt8]) -> [UInt8] {
      ISOBuilder.heif(
        items: [Item(id: 1, type: "avc1", properties: [1, 2], data: data)],
        properties: [ISOBuilder.extent(8, 4), ISOBuilder.box("avcC", configuration)])
    }
    let clean = file(
      header + [0xE1] + sets + formats + [0], unit(6, message(name)) + unit(6, shown) + unit(7, [1]) + slice)
    let planted = file(
      header + [0xE2] + unit(6, text) + sets + formats + [1] + unit(6, text) + Self.secret,
      unit(9, [0xF0]) + unit(6, message(name + options)) + unit(6, text) + unit(6, shown) + unit(7, [1]) + slice
        + unit(12, Self.secret) + unit(31, Self.secret) + unit(6, Array(shown.dropLast()) + text))
    #expect(contains(planted, Self.secret))
    let (stripped, expected) = (try strip(planted), try strip(clean))
    #expect(stripped == expected)
    #expect(!contains(stripped, Self.secret) && contains(stripped, shown) && contains(stripped, name))
    // Data that does not consist of NAL units stays.
    let damaged = unit(6, text) + slice + [0]
    let kept = try strip(file(header + [0xE1] + sets, damaged))
    #expect(contains(kept, damaged))
  }

  /// Tiles without a size, which decoders need not know, stay.
  @Test func codedItemsStayWithoutProperties() throws {
    let items = [
      Item(id: 1, type: "grid", properties: [1], data: [0, 0, 0, 1, 0, 30, 0, 16]),
      Item(id: 2, type: "hvc1", properties: [], data: PatternDecoder.picture(16, 16, seed: 3)),
      Item(id: 3, type: "hvc1", properties: [], data: PatternDecoder.picture(16, 16, seed: 4)),
    ]
    let file = ISOBuilder.heif(
      items: items, properties: [ISOBuilder.extent(30, 16)], references: [("dimg", 1, [2, 3])])
    let stripped = try strip(file)
    let picture = try decoder.decode(file.span).bitmap
    let result = try decoder.decode(stripped.span).bitmap
    #expect(result == picture)
  }
}

/// Removes what follows a picture of ``FlatPictureDecoder``.
private struct FlatPictureRewriter: MetadataRewriter {
  static let type: AssetType = "public.jpeg"
  var keepsUnknownParts = true

  func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    #expect(!keepsUnknownParts && orientation == .up)
    return Array(copying: bytes.extracting(..<min(6, bytes.count)))
  }
}
