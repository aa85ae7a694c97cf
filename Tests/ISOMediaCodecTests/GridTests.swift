// Grids of coded tiles: their planes, regions of them, several threads, damaged and missing tiles.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct GridTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  private func planes(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> PlanarPicture {
    var budget = ResourceBudget(options)
    return try decoder.planes(file.span, options: options, budget: &budget)
  }

  @Test func samplesAreThoseOfTheTiles() throws {
    let file = ISOBuilder.patternGrid(rows: 3, columns: 4, tile: (16, 10), size: (61, 27))
    let picture = try planes(file)
    #expect(picture.width == 61 && picture.height == 27)
    for y in 0..<27 {
      for x in 0..<61 {
        let seed = y / 10 * 4 + x / 16
        #expect(picture.luma[x, y] == UInt16(PatternDecoder.sample(0, x % 16, y % 10, seed: seed)))
        let (column, row) = (x / 2, y / 2)
        let chroma = PatternDecoder.sample(2, column % 8, row % 5, seed: row / 5 * 4 + column / 8)
        #expect(picture.cr?[column, row] == UInt16(chroma))
      }
    }
  }

  @Test(arguments: [2, 3, 8]) func parallelDecodingYieldsTheSame(_ threads: Int) throws {
    let file = ISOBuilder.patternGrid(rows: 7, columns: 9, tile: (16, 16), size: (140, 100))
    #expect(try planes(file, DecodingOptions(parallelism: threads)) == planes(file))
    // The total of all lanes is limited as one thread is.
    let work = Array(stride(from: 1_000_000, through: 4_000_000, by: 100_000))
    for limit in work {
      let limits = DecodingLimits(maximumWork: Int64(limit), maximumWorkPerPixel: 0)
      let one = (try? planes(file, DecodingOptions(limits: limits))) != nil
      let many = (try? planes(file, DecodingOptions(limits: limits, parallelism: threads))) != nil
      #expect(one == many)
    }
  }

  /// The first tile needs little memory; each of the others needs more than half of what there is.
  @Test(arguments: [1, 2, 8]) func tilesOnSeveralThreadsShareTheMemory(_ threads: Int) throws {
    let file = ISOBuilder.patternGrid(rows: 4, columns: 4, tile: (16, 16), size: (64, 64)) {
      $0 == 0 ? 0 : PatternDecoder.greedySeed
    }
    let memory = PatternDecoder.MemoryLog()
    let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder(memory: memory)])
    var options = DecodingOptions(limits: DecodingLimits(maximumByteCount: 1_000_000), parallelism: threads)
    var budget = ResourceBudget(options)
    let picture = try decoder.planes(file.span, options: options, budget: &budget)
    #expect(picture.luma[63, 63] == UInt16(PatternDecoder.sample(0, 15, 15, seed: PatternDecoder.greedySeed)))
    #expect(memory.peakByteCount == PatternDecoder.greedyByteCount)
    options.limits.maximumByteCount = 500_000
    let error = #expect(throws: CodecError.self) { try decoder.decode(file.span, options: options) }
    #expect(error?.limit == .memory)
  }

  @Test(arguments: [1, 4]) func damagedTilesAreLeftOut(_ threads: Int) throws {
    let file = ISOBuilder.patternGrid(rows: 2, columns: 4, tile: (16, 16), size: (64, 32)) {
      $0 == 0 || $0 == 5 ? 0xDEAD : $0
    }
    let options = DecodingOptions(parallelism: threads)
    let image = try decoder.decode(file.span, options: options)
    #expect(!image.details.isComplete)
    let picture = try planes(file, options)
    #expect(picture.luma[3, 3] == 0 && picture.luma[20, 20] == 0)
    #expect(picture.luma[20, 3] == UInt16(PatternDecoder.sample(0, 4, 3, seed: 1)))
    #expect(picture.luma[60, 30] == UInt16(PatternDecoder.sample(0, 12, 14, seed: 7)))
    let error = #expect(throws: CodecError.self) {
      try planes(file, DecodingOptions(tolerance: .strict, parallelism: threads))
    }
    #expect(error?.kind == .malformed)
  }

  @Test func tilesBeforeTheEndOfATruncatedFileAreDecoded() throws {
    let file = ISOBuilder.patternGrid(rows: 2, columns: 4, tile: (16, 16), size: (64, 32))
    let whole = try planes(file)
    // The last three tiles are missing, one of them in part.
    let image = try decoder.decode(Array(file.dropLast(15)).span)
    #expect(!image.details.isComplete && image.bitmap.width == 64)
    let picture = try planes(file.dropLast(15))
    for x in 0..<64 { #expect(picture.luma[x, 4] == whole.luma[x, 4]) }
    #expect(picture.luma[15, 31] == whole.luma[15, 31] && picture.luma[16, 31] == 0)
    #expect(throws: CodecError.self) { try planes(file.dropLast(15), DecodingOptions(tolerance: .strict)) }
  }

  @Test(arguments: 0..<4, [nil, 0, 1]) func regionsAreCutFromTheUprightImage(_ quarters: Int, _ axis: Int?) throws {
    var properties = [
      ISOBuilder.box("clap", [55, 1, 31, 1, 1, 1, -1, 1].flatMap { ISOBuilder.big($0, 4) }),
      ISOBuilder.box("irot", [UInt8(quarters)]),
    ]
    if let axis { properties.append(ISOBuilder.box("imir", [UInt8(axis)])) }
    let file = ISOBuilder.patternGrid(
      rows: 3, columns: 4, tile: (16, 16), size: (61, 37), properties: properties)
    let whole = try decoder.decode(file.span).bitmap
    #expect(whole.width == (quarters % 2 == 0 ? 55 : 31))
    for region in [
      PixelRegion(x: 0, y: 0, width: 1, height: 1), PixelRegion(x: 14, y: 9, width: 9, height: 20),
      PixelRegion(x: whole.width - 1, y: whole.height - 2, width: 1, height: 2),
      PixelRegion(x: 0, y: 0, width: whole.width, height: whole.height),
    ] {
      let part = try decoder.decode(file.span, options: DecodingOptions(region: region)).bitmap
      #expect(try part == whole.cropped(to: region))
    }
    let outside = PixelRegion(x: 1, y: 0, width: whole.width, height: 1)
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file.span, options: DecodingOptions(region: outside))
    }
    #expect(error?.kind == .invalidArgument)
  }

  /// Only one of the tiles can be decoded at all.
  @Test func regionsNeedOnlyTheTilesThatTheyTouch() throws {
    let file = ISOBuilder.patternGrid(rows: 4, columns: 4, tile: (16, 16), size: (64, 64)) { $0 == 6 ? 6 : 0xDEAD }
    let region = PixelRegion(x: 34, y: 18, width: 12, height: 12)
    let options = DecodingOptions(tolerance: .strict, region: region)
    let bitmap = try decoder.decode(file.span, options: options).bitmap
    #expect(bitmap.pixelSize == PixelSize(width: 12, height: 12))
    // One pixel more needs the chroma of the next tile.
    let wider = DecodingOptions(
      tolerance: .strict, region: PixelRegion(x: 34, y: 18, width: 13, height: 12))
    #expect(throws: CodecError.self) { try decoder.decode(file.span, options: wider) }
  }

  /// Twelve tiles with records of 3,000 bytes, each of which several tiles refer to.
  @Test(arguments: [1, 4], [1, 3]) func theConfigurationOfTilesIsReadOnce(_ threads: Int, _ recordCount: Int) throws {
    let tiles = (0..<12).map { index in
      ISOBuilder.Item(
        id: 2 + index, type: "hvc1", properties: [2, 3 + index % recordCount],
        data: PatternDecoder.picture(16, 16, seed: index))
    }
    let grid = ISOBuilder.Item(id: 1, type: "grid", properties: [1], data: [0, 0, 2, 3, 0, 64, 0, 48])
    let records = (0..<recordCount).map { ISOBuilder.box("hvcC", [UInt8](repeating: 1, count: 3_000 + $0)) }
    let file = ISOBuilder.heif(
      items: [grid] + tiles, properties: [ISOBuilder.extent(64, 48), ISOBuilder.extent(16, 16)] + records,
      references: [("dimg", 1, tiles.map(\.id))])
    let log = PatternDecoder.ConfigurationLog()
    let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder(log: log)])
    let options = DecodingOptions(parallelism: threads)
    var budget = ResourceBudget(options)
    let picture = try decoder.planes(file.span, options: options, budget: &budget)
    #expect(picture.luma[63, 47] == UInt16(PatternDecoder.sample(0, 15, 15, seed: 11)))
    #expect(log.byteCounts.sorted() == (0..<recordCount).map { 3_000 + $0 })
  }

  @Test func tilesThatDifferAreAnError() throws {
    let tiles = [(16, 16), (16, 12)].enumerated().map { index, size in
      ISOBuilder.Item(id: 2 + index, type: "hvc1", properties: [1], data: PatternDecoder.picture(size.0, size.1))
    }
    let grid = ISOBuilder.Item(id: 1, type: "grid", properties: [1], data: [0, 0, 0, 1, 0, 32, 0, 16])
    let file = ISOBuilder.heif(
      items: [grid] + tiles, properties: [ISOBuilder.extent(32, 16)], references: [("dimg", 1, [2, 3])])
    for threads in [1, 2] {
      let error = #expect(throws: CodecError.self) { try planes(file, DecodingOptions(parallelism: threads)) }
      #expect(error?.kind == .malformed && error?.reason.contains("differ") == true)
    }
  }

  /// The fourth of six tiles is damaged, and the fifth has a coding without a decoder.
  @Test(arguments: [1, 2, 8]) func theErrorIsThatOfTheFirstTileThatHasOne(_ threads: Int) throws {
    let tiles = (0..<6).map { index in
      ISOBuilder.Item(
        id: 2 + index, type: index == 4 ? "Hvc1" : "hvc1", properties: [2],
        data: PatternDecoder.picture(16, 16, seed: index == 3 ? 0xDEAD : index))
    }
    let grid = ISOBuilder.Item(id: 1, type: "grid", properties: [1], data: [0, 0, 1, 2, 0, 48, 0, 32])
    let file = ISOBuilder.heif(
      items: [grid] + tiles, properties: [ISOBuilder.extent(48, 32), ISOBuilder.extent(16, 16)],
      references: [("dimg", 1, tiles.map(\.id))])
    for (tolerance, kind) in [(DecodingOptions.Tolerance.strict, CodecError.Kind.malformed), (.lenient, .unsupported)] {
      let options = DecodingOptions(tolerance: tolerance, parallelism: threads)
      let error = #expect(throws: CodecError.self) { try planes(file, options) }
      #expect(error?.kind == kind)
    }
  }

  // MARK: Tiles coded as JPEG

  private let jpegTiles = ISOMediaDecoder(jpegDecoder: FlatPictureDecoder())

  /// A grid of 3 × 2 tiles of 4 × 4 pixels, of which some are damaged.
  private func jpegGrid(damaged: Set<Int> = [], sizes: [Int: UInt8] = [:]) -> [UInt8] {
    let tiles = (0..<6).map { index in
      let data = FlatPictureDecoder.file(4, sizes[index] ?? 4, UInt8(10 * index + 10))
      return ISOBuilder.Item(
        id: 2 + index, type: "jpeg", properties: [2], data: damaged.contains(index) ? data.dropLast() : data)
    }
    let grid = ISOBuilder.Item(id: 1, type: "grid", properties: [1], data: [0, 0, 1, 2, 0, 11, 0, 7])
    return ISOBuilder.heif(
      items: [grid] + tiles, properties: [ISOBuilder.extent(11, 7), ISOBuilder.extent(4, 4)],
      references: [("dimg", 1, tiles.map(\.id))])
  }

  @Test func damagedTilesOfPixelsAreLeftOutToo() throws {
    let file = jpegGrid(damaged: [0, 4])
    let image = try jpegTiles.decode(file.span)
    #expect(!image.details.isComplete)
    for y in 0..<7 {
      for x in 0..<11 {
        let tile = y / 4 * 3 + x / 4
        #expect(image.bitmap[x, y].red == (tile == 0 || tile == 4 ? 0 : UInt8(10 * tile + 10)))
      }
    }
    let error = #expect(throws: CodecError.self) {
      try jpegTiles.decode(file.span, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .malformed)
    #expect(throws: CodecError.self) { try jpegTiles.decode(jpegGrid(damaged: Set(0..<6)).span) }
  }

  @Test func regionsNeedOnlyTheTilesOfPixelsThatTheyTouch() throws {
    let options = DecodingOptions(tolerance: .strict, region: PixelRegion(x: 10, y: 6, width: 1, height: 1))
    let bitmap = try jpegTiles.decode(jpegGrid(damaged: [0, 1, 3, 4]).span, options: options).bitmap
    #expect(bitmap.pixelSize == PixelSize(width: 1, height: 1) && bitmap[0, 0].red == 60)
    let whole = try jpegTiles.decode(jpegGrid().span).bitmap
    for region in [(0, 0, 11, 7), (3, 3, 2, 2), (5, 0, 6, 5)] {
      let region = PixelRegion(x: region.0, y: region.1, width: region.2, height: region.3)
      let part = try jpegTiles.decode(jpegGrid().span, options: DecodingOptions(region: region)).bitmap
      #expect(try part == whole.cropped(to: region))
    }
  }

  @Test func tilesOfPixelsThatDifferAreAnError() throws {
    let error = #expect(throws: CodecError.self) { try jpegTiles.decode(jpegGrid(sizes: [4: 3]).span) }
    #expect(error?.kind == .malformed && error?.reason.contains("differ") == true)
  }

  @Test func metadataOfTilesIsATotal() throws {
    let decoder = ISOMediaDecoder(jpegDecoder: MetadataChargingDecoder())
    for limit in [99, 100, 599, 600] {
      let options = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: limit))
      let isDecoded = (try? decoder.decode(jpegGrid().span, options: options)) != nil
      #expect(isDecoded == (limit >= 600))
    }
  }
}

/// Decodes flat pictures, each with 100 bytes of metadata.
private struct MetadataChargingDecoder: ImageFormatDecoder {
  private let base = FlatPictureDecoder()
  var types: [AssetType] { base.types }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try base.info(bytes, options: options)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    guard budget.admitMetadata(100) else { throw CodecError(.limitExceeded, "the metadata exceeds the limit") }
    return try base.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }
}
