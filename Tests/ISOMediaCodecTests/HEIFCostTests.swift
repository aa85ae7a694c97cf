// The cost of HEIF files: grids that name one tile many times, tables of many entries, nested pictures.

import ISOMediaCodec
import ImageCoding
import JPEGCodec
import Testing

private typealias Item = ISOBuilder.Item

@Suite struct HEIFCostTests {
  private func decode(_ file: [UInt8], by jpeg: any ImageFormatDecoder) throws -> (bitmap: Bitmap, work: Int64) {
    let options = DecodingOptions()
    var budget = ResourceBudget(options)
    var bitmap = Bitmap()
    _ = try ISOMediaDecoder(jpegDecoder: jpeg).decode(file.span, into: &bitmap, options: options, budget: &budget)
    return (bitmap, budget.work)
  }

  /// A grid whose places all name item 2.
  private func grid(side: Int, tile: [UInt8], tileSide: Int, associations: Int = 1) -> [UInt8] {
    let size = side * tileSide
    let perItem = [Int](repeating: 2, count: min(associations, 255))
    return ISOBuilder.heif(
      items: [
        Item(
          id: 1, type: "grid", properties: [1],
          data: [0, 0, UInt8(side - 1), UInt8(side - 1)] + ISOBuilder.big(size, 2) + ISOBuilder.big(size, 2)),
        Item(id: 2, type: "jpeg", properties: perItem, data: tile),
      ],
      properties: [ISOBuilder.extent(size, size), ISOBuilder.extent(tileSide, tileSide)],
      references: [("dimg", 1, [Int](repeating: 2, count: side * side))])
  }

  @Test func eachDistinctTileIsDecodedOnce() throws {
    let jpeg = CountingDecoder(FlatPictureDecoder())
    let file = grid(side: 255, tile: FlatPictureDecoder.file(2, 2, 99), tileSide: 2)
    let bitmap = try ISOMediaDecoder(jpegDecoder: jpeg).decode(file.span).bitmap
    #expect(jpeg.count == 1 && bitmap.pixelSize == PixelSize(width: 510, height: 510))
    #expect(bitmap[0, 0].red == 99 && bitmap[509, 509].red == 99 && bitmap[255, 17].red == 99)
  }

  @Test func limitErrorsNameTheFormat() throws {
    let decoder = ISOMediaDecoder(jpegDecoder: FlatPictureDecoder())
    let file = grid(side: 8, tile: FlatPictureDecoder.file(16, 16, 99), tileSide: 16)
    let type = try decoder.info(file.span).type
    var errorCount = 0
    for limit in (4..<24).map({ 1 << $0 }) {
      for limits in [
        DecodingLimits(maximumByteCount: limit), DecodingLimits(maximumWork: Int64(limit), maximumWorkPerPixel: 0),
      ] {
        var budget = ResourceBudget(limits)
        var bitmap = Bitmap()
        do throws(CodecError) {
          _ = try decoder.decode(
            file.span, into: &bitmap, options: DecodingOptions(limits: limits), budget: &budget)
        } catch {
          errorCount += 1
          #expect(error.kind == .limitExceeded && error.format == type, "\(error)")
        }
        #expect(budget.format == nil)
      }
    }
    #expect(errorCount > 10)
  }

  /// 32 × 32 places, one JPEG tile preceded by 4 MB of padding segments.
  @Test func paddingIsReadOnce() throws {
    let padding = (0..<64).flatMap { _ in [0xFF, 0xEB, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533) }
    let tile = Self.blackJPEG.prefix(2) + padding + Self.blackJPEG.dropFirst(2)
    let file = grid(side: 32, tile: Array(tile), tileSide: 8)
    let (bitmap, work) = try decode(file, by: JPEGDecoder())
    #expect(bitmap.pixelSize == PixelSize(width: 256, height: 256) && bitmap[255, 255].red == 128)
    // 4 billion if every place were charged for the padding.
    #expect(work < 100_000_000)
  }

  /// 14,400 distinct items over the same 200 kB of segments: the work is a total.
  @Test func distinctItemsOverTheSameBytesSpendOneBudget() throws {
    let padding = (0..<3).flatMap { _ in [0xFF, 0xEB, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533) }
    let tile = Array(Self.blackJPEG.prefix(2) + padding + Self.blackJPEG.dropFirst(2))
    let file = sharedData(side: 120, tile: tile)
    // A tenth of the default, because debug builds take longer for a unit of work.
    let options = DecodingOptions(limits: DecodingLimits(maximumWork: 200_000_000))
    let error = #expect(throws: CodecError.self) {
      try ISOMediaDecoder(jpegDecoder: JPEGDecoder()).decode(file.span, options: options)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// A grid of distinct items whose extents are all the same.
  private func sharedData(side: Int, tile: [UInt8]) -> [UInt8] {
    let size = side * 8
    let places = (2..<2 + side * side).map { $0 }
    let start = ISOBuilder.fileType("mif1", ["heic"])
    let header: [UInt8] =
      [0, 0, UInt8(side - 1), UInt8(side - 1)] + ISOBuilder.big(size, 2) + ISOBuilder.big(size, 2)
    func meta(_ offset: Int) -> [UInt8] {
      var locations = ISOBuilder.big(1, 2) + ISOBuilder.big(0, 2) + ISOBuilder.big(1, 2)
      locations += ISOBuilder.big(offset, 4) + ISOBuilder.big(header.count, 4)
      var entries = ISOBuilder.fullBox("infe", version: 2, [0, 1, 0, 0] + Array("grid".utf8) + [0])
      for id in places {
        locations += ISOBuilder.big(id, 2) + ISOBuilder.big(0, 2) + ISOBuilder.big(1, 2)
        locations += ISOBuilder.big(offset + header.count, 4) + ISOBuilder.big(tile.count, 4)
        entries += ISOBuilder.fullBox("infe", version: 2, ISOBuilder.big(id, 2) + [0, 0] + Array("jpeg".utf8) + [0])
      }
      let count = ISOBuilder.big(places.count + 1, 2)
      let link = ISOBuilder.big(1, 2) + ISOBuilder.big(places.count, 2) + places.flatMap { ISOBuilder.big($0, 2) }
      return ISOBuilder.fullBox(
        "meta",
        ISOBuilder.fullBox("pitm", [0, 1]) + ISOBuilder.fullBox("iinf", count + entries)
          + ISOBuilder.fullBox("iloc", [0x44, 0x00] + count + locations)
          + ISOBuilder.fullBox("iref", ISOBuilder.box("dimg", link))
          + ISOBuilder.box(
            "iprp",
            ISOBuilder.box("ipco", ISOBuilder.extent(size, size))
              + ISOBuilder.fullBox("ipma", ISOBuilder.big(1, 4) + [0, 1, 1, 1])))
    }
    return start + meta(start.count + meta(0).count + 8) + ISOBuilder.box("mdat", header + tile)
  }

  /// An item with 25,500 properties, named in 1,024 places: 26 million if they were read for every place.
  @Test func associationsAreReadOnce() throws {
    var file = grid(side: 32, tile: FlatPictureDecoder.file(8, 8, 50), tileSide: 8)
    // Another association box after the first one: 100 entries of 255 properties for item 2.
    let entry = ISOBuilder.big(2, 2) + [255] + [UInt8](repeating: 2, count: 255)
    let box = ISOBuilder.fullBox("ipma", ISOBuilder.big(100, 4) + (0..<100).flatMap { _ in entry })
    file = try #require(inserting(box, at: "iprp", in: file))
    let (bitmap, work) = try decode(file, by: FlatPictureDecoder())
    #expect(bitmap[255, 255].red == 50)
    #expect(work < 20_000_000)
  }

  /// Appends a box to the property box, and moves the data by as much.
  private func inserting(_ box: [UInt8], at container: String, in file: [UInt8]) -> [UInt8]? {
    func offset(of name: String) -> Int? {
      let name = Array(name.utf8)
      return file.indices.dropLast(4).first { Array(file[$0..<$0 + 4]) == name }
    }
    func size(_ at: Int) -> Int { file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard let meta = offset(of: "meta"), let properties = offset(of: container), let locations = offset(of: "iloc")
    else { return nil }
    var result = file
    func store(_ value: Int, at offset: Int) {
      result.replaceSubrange(offset..<offset + 4, with: ISOBuilder.big(value, 4))
    }
    store(size(meta - 4) + box.count, at: meta - 4)
    store(size(properties - 4) + box.count, at: properties - 4)
    // Two items with one extent each: their offsets move.
    for item in 0..<2 {
      let at = locations + 4 + 4 + 2 + 2 + item * 14 + 6
      store(size(at) + box.count, at: at)
    }
    result.insert(contentsOf: box, at: properties - 4 + size(properties - 4))
    return result
  }

  @Test func entriesAreChargedAndUnlimitedMeansIt() throws {
    let items = (0..<30_000).map { Item(id: $0 + 1, type: "jpeg", properties: [1]) }
    let file = ISOBuilder.heif(items: items, properties: [ISOBuilder.extent(4, 3)])
    #expect(try HEIFContainer(parsing: file.span, limits: .unlimited).imageCount == 30_000)
    for limits in [DecodingLimits(maximumByteCount: 1 << 20), DecodingLimits(maximumWork: 1_000_000)] {
      let error = #expect(throws: CodecError.self) { try HEIFContainer(parsing: file.span, limits: limits) }
      #expect(error?.kind == .limitExceeded)
    }
  }

  @Test func nestedPicturesCountTowardsTheDepth() {
    let file = grid(side: 1, tile: FlatPictureDecoder.file(4, 4, 1), tileSide: 4)
    let options = DecodingOptions(limits: DecodingLimits(maximumNestingDepth: 0))
    let error = #expect(throws: CodecError.self) {
      try ISOMediaDecoder(jpegDecoder: FlatPictureDecoder()).decode(file.span, options: options)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// A gray JPEG of 8 × 8 whose only block has no coefficients: level 128 (ITU-T T.81, annex B).
  static let blackJPEG: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    + [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 15) + [0]
    + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
}
