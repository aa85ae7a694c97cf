// The range of alpha planes: that of AV1 is expanded if it is limited, and alpha of other codings is full.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct AlphaRangeTests {
  private static let size = (width: 24, height: 16)

  /// A picture with alpha, the same pattern for both.
  private func file(_ coding: String, alphaProperties: [[UInt8]] = [], isGrid: Bool = false) -> [UInt8] {
    let (width, height) = Self.size
    let auxiliary = ISOBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
    let data = PatternDecoder.picture(width, height)
    let indices = [1, 2] + alphaProperties.indices.map { $0 + 3 }
    let alpha =
      isGrid
      ? ISOBuilder.Item(
        id: 2, type: "grid", properties: indices,
        data: [0, 0, 0, 0] + ISOBuilder.big(width, 2) + ISOBuilder.big(height, 2))
      : ISOBuilder.Item(id: 2, type: coding, properties: indices, data: data)
    return ISOBuilder.heif(
      brand: "avif",
      items: [
        ISOBuilder.Item(id: 1, type: coding, properties: [1], data: data), alpha,
        ISOBuilder.Item(id: 3, type: coding, properties: [1], data: data),
      ], properties: [ISOBuilder.extent(width, height), auxiliary] + alphaProperties,
      references: [("auxl", 2, [1])] + (isGrid ? [("dimg", 2, [3])] : []))
  }

  private func alpha(_ file: [UInt8], _ coding: String, range: SampleRange) throws -> [UInt8] {
    let pattern = PatternDecoder(
      sampleEntryTypes: [coding], coding: PlanarPicture.Coding(matrix: .bt601, range: range, siting: .center))
    let decoder = ISOMediaDecoder(pictureDecoders: [pattern])
    let bitmap = try decoder.decode(file.span).bitmap
    let values = (0..<Self.size.height).flatMap { y in (0..<Self.size.width).map { bitmap.row(y)[$0 * 4 + 3] } }
    let plane = try #require(try decoder.planes(file.span, options: DecodingOptions()).alpha)
    #expect(plane.narrow.count == values.count && values.indices.allSatisfy { plane.narrow[$0] == values[$0] })
    return values
  }

  private static let coded = (0..<size.height).flatMap { y in
    (0..<size.width).map { PatternDecoder.sample(0, $0, y, seed: 0) }
  }
  private static let expanded = coded.map { UInt8((min(max((Double($0) - 16) / 219, 0), 1) * 255).rounded()) }

  @Test(arguments: [false, true]) func limitedAlphaOfAV1IsExpanded(isGrid: Bool) throws {
    let file = file("av01", isGrid: isGrid)
    #expect(try alpha(file, "av01", range: .limited) == Self.expanded)
    #expect(try alpha(file, "av01", range: .full) == Self.coded)
  }

  @Test func codePointsOfAlphaDoNotApply() throws {
    for flags in [0x00, 0x80] as [UInt8] {
      let file = file(
        "av01", alphaProperties: [ISOBuilder.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, flags])])
      #expect(try alpha(file, "av01", range: .limited) == Self.expanded)
      #expect(try alpha(file, "av01", range: .full) == Self.coded)
    }
  }

  @Test func alphaOfHEVCIsFull() throws {
    #expect(try alpha(file("hvc1"), "hvc1", range: .limited) == Self.coded)
  }

  /// The colours of an identity derivation are pixels before they get their alpha.
  @Test func alphaOfDerivedImagesHasTheSameRange() throws {
    let (width, height) = Self.size
    let auxiliary = ISOBuilder.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
    let data = PatternDecoder.picture(width, height)
    for (coding, expected) in [("hvc1", Self.coded), ("av01", Self.expanded)] {
      let file = ISOBuilder.heif(
        items: [
          ISOBuilder.Item(id: 1, type: "iden", properties: [1]),
          ISOBuilder.Item(id: 2, type: coding, properties: [1, 2], data: data),
          ISOBuilder.Item(id: 3, type: coding, properties: [1], data: data),
        ], properties: [ISOBuilder.extent(width, height), auxiliary],
        references: [("auxl", 2, [1]), ("dimg", 1, [3])])
      let pattern = PatternDecoder(
        sampleEntryTypes: [coding], coding: PlanarPicture.Coding(matrix: .bt601, range: .limited, siting: .center))
      let bitmap = try ISOMediaDecoder(pictureDecoders: [pattern]).decode(file.span).bitmap
      let values = (0..<height).flatMap { y in (0..<width).map { bitmap.row(y)[$0 * 4 + 3] } }
      #expect(values == expected, "\(coding)")
    }
  }
}
