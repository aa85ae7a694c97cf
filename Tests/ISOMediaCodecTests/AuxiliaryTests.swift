// Gain maps and other auxiliary images are found and decoded on request.

import ISOMediaCodec
import ImageCoding
import Testing

@Suite struct AuxiliaryTests {
  private typealias Item = ISOBuilder.Item
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  private func auxiliary(_ type: String) -> [UInt8] { ISOBuilder.fullBox("auxC", Array((type + "\0").utf8)) }

  private func item(_ id: Int, _ properties: [Int], width: Int, height: Int, seed: Int) -> Item {
    Item(id: id, type: "hvc1", properties: properties, data: PatternDecoder.picture(width, height, seed: seed))
  }

  @Test func appleGainMapsAndDepthMapsAreAuxiliaryImages() throws {
    let file = ISOBuilder.heif(
      items: [
        item(1, [1, 3], width: 32, height: 16, seed: 1), item(2, [2, 3, 4], width: 16, height: 8, seed: 2),
        item(3, [2, 5], width: 16, height: 8, seed: 3),
      ],
      properties: [
        ISOBuilder.extent(32, 16), ISOBuilder.extent(16, 8), ISOBuilder.box("irot", [1]),
        auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"), auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:depth"),
      ], references: [("auxl", 2, [1]), ("auxl", 3, [1])])
    let container = try HEIFContainer(parsing: file.span)
    #expect(container.auxiliaryItems.map(\.id) == [2, 3] && container.imageCount == 1)
    let map = try #require(try decoder.gainMap(file.span))
    #expect(map.reference == GainMapReference(standard: .apple, itemID: 2) && map.metadata == nil)
    #expect(map.bitmap.pixelSize == PixelSize(width: 8, height: 16))
    let depth = try decoder.auxiliaryImage(3, of: file.span)
    #expect(depth.pixelSize == PixelSize(width: 16, height: 8))
    let error = #expect(throws: CodecError.self) { try decoder.auxiliaryImage(9, of: file.span) }
    #expect(error?.kind == .invalidArgument)
    let unsupported = #expect(throws: CodecError.self) { try ISOMediaDecoder().gainMap(file.span) }
    #expect(unsupported?.kind == .unsupported)
  }

  @Test(arguments: [1, 3]) func toneMappedImagesLeadToTheirGainMap(_ primary: Int) throws {
    let colour = ISOBuilder.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
    let file = ISOBuilder.heif(
      primary: primary,
      items: [
        item(1, [1], width: 32, height: 16, seed: 1), item(2, [2], width: 16, height: 8, seed: 2),
        Item(id: 3, type: "tmap", properties: [1, 3], data: [0, 1, 2, 3]),
      ],
      properties: [ISOBuilder.extent(32, 16), ISOBuilder.extent(16, 8), colour], references: [("dimg", 3, [1, 2])])
    let map = try #require(try decoder.gainMap(file.span))
    #expect(map.reference == GainMapReference(standard: .iso21496, itemID: 2))
    #expect(map.metadata == [0, 1, 2, 3] && map.alternateColorSpace.codePoints?.transferFunction == 16)
    #expect(map.bitmap.pixelSize == PixelSize(width: 16, height: 8))
    // The image itself is the first source.
    let image = try decoder.decode(file.span).bitmap
    #expect(image.pixelSize == PixelSize(width: 32, height: 16) && image.colorSpace.gainMap == map.reference)
    #expect(try decoder.gainMap(ISOBuilder.patternGrid(rows: 1, columns: 1, tile: (8, 8), size: (8, 8)).span) == nil)
  }
}
