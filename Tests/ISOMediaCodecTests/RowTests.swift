// Rows that go to a sink, against the same images decoded to bitmaps, and the memory that this takes.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct RowTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  /// A grid of several strips of rows in both directions.
  private func grid(_ properties: [[UInt8]], seed: (Int) -> Int = { $0 }) -> [UInt8] {
    ISOBuilder.patternGrid(
      rows: 5, columns: 6, tile: (64, 64), size: (377, 301), properties: properties, seed: seed)
  }

  private func expectRowsOfTheBitmap(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws {
    let expected = try decoder.decode(file, options: options)
    let sink = CollectingSink()
    var budget = ResourceBudget(options)
    let details = try decoder.decode(file.span, to: sink, options: options, budget: &budget)
    #expect(sink.bytes == expected.bitmap.packedPixels)
    #expect(sink.image?.width == expected.bitmap.width && sink.image?.height == expected.bitmap.height)
    #expect(sink.image?.format == expected.bitmap.format && sink.image?.colorSpace == expected.bitmap.colorSpace)
    #expect(details == expected.details)
    #expect(budget.heldByteCount == details.metadata.byteCount)
  }

  @Test(arguments: 0..<4, [nil, 0, 1]) func rowsAreThoseOfTheUprightImage(_ quarters: Int, _ axis: Int?) throws {
    var properties = [
      ISOBuilder.box("clap", [355, 1, 291, 1, 1, 1, -1, 1].flatMap { ISOBuilder.big($0, 4) }),
      ISOBuilder.box("irot", [UInt8(quarters)]),
    ]
    if let axis { properties.append(ISOBuilder.box("imir", [UInt8(axis)])) }
    try expectRowsOfTheBitmap(grid(properties))
    try expectRowsOfTheBitmap(grid(Array(properties.dropFirst())), DecodingOptions(pixelFormat: .rgba16))
  }

  /// Without a tile of the first strip, and without all tiles of the last one.
  @Test func damagedTilesAreThoseOfTheBitmap() throws {
    try expectRowsOfTheBitmap(grid([]) { $0 == 3 || $0 > 23 ? PatternDecoder.damagedSeed : $0 })
    try expectRowsOfTheBitmap(grid([]).dropLast(15))
  }

  @Test func alphaIsThatOfTheBitmap() throws {
    let (width, height) = (90, 300)
    let auxiliary = ISOBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
    let file = ISOBuilder.heif(
      items: [
        ISOBuilder.Item(id: 1, type: "hvc1", properties: [1, 3], data: PatternDecoder.picture(width, height)),
        ISOBuilder.Item(id: 2, type: "hvc1", properties: [1, 2], data: PatternDecoder.picture(width, height, seed: 7)),
      ], properties: [ISOBuilder.extent(width, height), auxiliary, ISOBuilder.box("irot", [1])],
      references: [("auxl", 2, [1]), ("prem", 1, [2])])
    let bitmap = try decoder.decode(file.span).bitmap
    #expect(!bitmap.isOpaque)
    try expectRowsOfTheBitmap(file)
  }

  /// The planes of a picture with halved chroma take half of the memory of its pixels.
  @Test func pixelsAreNotHeld() throws {
    let file = ISOBuilder.heif(
      items: [ISOBuilder.Item(id: 1, type: "hvc1", properties: [1, 2], data: PatternDecoder.picture(2000, 3000))],
      properties: [ISOBuilder.extent(2000, 3000), ISOBuilder.box("irot", [1])])
    var budget = ResourceBudget(.default)
    _ = try decoder.decode(file.span, to: CollectingSink(), options: DecodingOptions(), budget: &budget)
    #expect(budget.peakByteCount < 2000 * 3000 * 3 / 2 + 6_000_000)
  }
}
