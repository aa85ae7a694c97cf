// A bitstream of the tests, whose samples can be computed without decoding it.

import ISOMediaCodec
import ImageCore
import PixelPlanes

/// Decodes pictures of the tests: width, height and a number from which all samples follow, in two bytes each.
struct PatternDecoder: CodedPictureDecoder {
  var sampleEntryTypes: [String] { ["hvc1"] }

  static func picture(_ width: Int, _ height: Int, seed: Int = 0) -> [UInt8] {
    ISOBuilder.big(width, 2) + ISOBuilder.big(height, 2) + ISOBuilder.big(seed, 2)
  }

  /// The luma sample of a picture; chroma samples are those of components 1 and 2.
  static func sample(_ component: Int, _ x: Int, _ y: Int, seed: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (x * 7 + y * 13) * (component + 1) + seed * 31 + component * 50)
  }

  private func size(_ picture: borrowing CodedPicture) throws(CodecError) -> PixelSize {
    guard picture.payload.count == 6 else { throw CodecError(.truncated, "the pattern is cut off") }
    return PixelSize(
      width: Int(picture.payload[0]) << 8 | Int(picture.payload[1]),
      height: Int(picture.payload[2]) << 8 | Int(picture.payload[3]))
  }

  func description(of picture: borrowing CodedPicture) throws(CodecError) -> CodedPictureDescription {
    let size = try size(picture)
    return CodedPictureDescription(
      width: size.width, height: size.height, bitDepth: 8, chromaFormat: .yuv420, coding: .jfif)
  }

  func decode(
    _ picture: borrowing CodedPicture, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedPlanes {
    let size = try size(picture)
    let seed = Int(picture.payload[4]) << 8 | Int(picture.payload[5])
    guard seed != 0xDEAD else { throw CodecError(.malformed, "the pattern is damaged") }
    try budget.chargeWork(count: size.width * size.height, unitsEach: 10)
    var planes = try PlanarPicture(
      width: size.width, height: size.height, bitDepth: 8, chromaFormat: .yuv420, coding: .jfif, budget: &budget)
    for (index, component) in [PlanarPicture.Component.luma, .cb, .cr].enumerated() {
      planes.withMutablePlane(component) { plane in
        let (width, height) = (plane.width, plane.height)
        for y in 0..<height {
          var row = plane.mutableNarrowRow(y)
          for x in 0..<width { row[x] = Self.sample(index, x, y, seed: seed) }
        }
      }
    }
    return DecodedPlanes(picture: planes)
  }
}

extension ISOBuilder {
  /// A grid of pattern tiles, each with its position as seed.
  ///
  /// - Parameter properties: those of the grid, after its size.
  static func patternGrid(
    rows: Int, columns: Int, tile: (width: Int, height: Int), size: (width: Int, height: Int),
    properties: [[UInt8]] = [], seed: (Int) -> Int = { $0 }
  ) -> [UInt8] {
    let tiles = (0..<rows * columns).map {
      Item(
        id: 2 + $0, type: "hvc1", properties: [2], data: PatternDecoder.picture(tile.width, tile.height, seed: seed($0))
      )
    }
    let grid = Item(
      id: 1, type: "grid", properties: [1] + Array(0..<properties.count).map { $0 + 3 },
      data: [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(size.width, 2) + big(size.height, 2))
    return heif(
      items: [grid] + tiles,
      properties: [extent(size.width, size.height), extent(tile.width, tile.height)] + properties,
      references: [("dimg", 1, tiles.map(\.id))])
  }
}
