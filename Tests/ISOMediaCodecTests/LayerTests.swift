// The properties that select a layer of an item, and properties that must be known.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct LayerTests {
  private func luma(_ properties: [[UInt8]]) throws -> UInt16 {
    let item = ISOBuilder.Item(
      id: 1, type: "hvc1", properties: Array(1...properties.count + 1), data: PatternDecoder.picture(8, 8))
    let file = ISOBuilder.heif(items: [item], properties: [ISOBuilder.extent(8, 8)] + properties)
    let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])
    return try decoder.planes(file.span, options: DecodingOptions()).luma[0, 0]
  }

  private func sample(_ seed: Int) -> UInt16 { UInt16(PatternDecoder.sample(0, 0, 0, seed: seed)) }

  @Test func operatingPointsAndLayersAreSelected() throws {
    #expect(try luma([ISOBuilder.box("pasp", [])]) == sample(0))
    #expect(try luma([ISOBuilder.box("a1op", [3])]) == sample(48))
    #expect(try luma([ISOBuilder.box("lsel", [0, 1])]) == sample(2))
    #expect(try luma([ISOBuilder.box("a1op", [1]), ISOBuilder.box("lsel", [0, 2])]) == sample(19))
    // All layers: the last one is shown.
    #expect(try luma([ISOBuilder.box("lsel", [0xFF, 0xFF])]) == sample(0))
    let error = #expect(throws: CodecError.self) { try luma([ISOBuilder.box("lsel", [1])]) }
    #expect(error?.isDamage == true)
  }

  /// The builder marks all properties as essential.
  @Test func unknownEssentialPropertiesAreRefused() {
    let error = #expect(throws: CodecError.self) { try luma([ISOBuilder.box("abcd", [1])]) }
    #expect(error?.kind == .unsupported && error?.reason.contains("'abcd'") == true)
  }
}
