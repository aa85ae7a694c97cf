// A bitstream of the tests, whose samples can be computed without decoding it.

import Foundation
import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Threading

/// Decodes pictures of the tests: width, height and a number from which all samples follow, in two bytes each. A picture
/// of two bytes has the size of the one that it follows.
struct PatternDecoder: CodedPictureDecoder {
  var sampleEntryTypes = ["hvc1"]
  var coding = PlanarPicture.Coding.jfif
  /// Counts the configuration records that are read, and the bytes that each holds.
  var log: ConfigurationLog?
  /// Counts the bytes that pictures which need memory hold at the same time.
  var memory: MemoryLog?

  func configured(
    by record: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> any ConfiguredPictureDecoder {
    try budget.chargeWork(1_000 + record.count)
    try budget.allocate(record.count)
    log?.append(record.count)
    if record.count == 1 { throw CodecError(.malformed, "the record is damaged") }
    return ConfiguredPatternDecoder(coding: coding, memory: memory)
  }

  /// The memory of pictures that are decoded at the same time.
  final class MemoryLog: Sendable {
    private let counts = Mutex((held: 0, peak: 0))

    func hold(_ byteCount: Int) {
      counts.withLock { $0 = (held: $0.held + byteCount, peak: max($0.peak, $0.held + byteCount)) }
    }
    var peakByteCount: Int { counts.withLock { $0.peak } }
  }

  /// The number of bytes of each record that a decoder has read.
  final class ConfigurationLog: Sendable {
    private let counts = Mutex<[Int]>([])

    func append(_ count: Int) { counts.withLock { $0.append(count) } }
    var byteCounts: [Int] { counts.withLock { $0 } }
  }

  static func picture(_ width: Int, _ height: Int, seed: Int = 0) -> [UInt8] {
    ISOBuilder.big(width, 2) + ISOBuilder.big(height, 2) + ISOBuilder.big(seed, 2)
  }

  /// A picture without a size.
  static func following(seed: Int) -> [UInt8] { ISOBuilder.big(seed, 2) }
  /// Pictures that do not decode alone: an inter-coded one, and one that shows another one again.
  static let interCoded = following(seed: 0xBEEF)
  static let repeated = following(seed: 0xCAFE)
  /// The number of a picture that is damaged in a way that lenient decoding tolerates.
  static let damagedSeed = 0xBAD0
  /// The number of a picture that needs memory while it is decoded, and how much.
  static let greedySeed = 0xF00D
  static let greedyByteCount = 600_000

  /// The luma sample of a picture; chroma samples are those of components 1 and 2.
  static func sample(_ component: Int, _ x: Int, _ y: Int, seed: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (x * 7 + y * 13) * (component + 1) + seed * 31 + component * 50)
  }

}

/// Decodes the pictures of the tests. Each layer has its own number.
private struct ConfiguredPatternDecoder: ConfiguredPictureDecoder {
  let coding: PlanarPicture.Coding
  var memory: PatternDecoder.MemoryLog?
  var layers = LayerSelection()
  var followedSize: PixelSize?

  func selecting(_ layers: LayerSelection) throws(CodecError) -> any ConfiguredPictureDecoder {
    ConfiguredPatternDecoder(coding: coding, layers: layers)
  }

  func following(
    _ payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> any ConfiguredPictureDecoder {
    try budget.chargeWork(100)
    return ConfiguredPatternDecoder(coding: coding, layers: layers, followedSize: try? size(payload))
  }

  private func size(_ payload: Span<UInt8>) throws(CodecError) -> PixelSize {
    if payload.count == 2 {
      guard let followedSize else { throw CodecError(.malformed, "the pattern has no size") }
      return followedSize
    }
    guard payload.count == 6 else { throw CodecError(.truncated, "the pattern is cut off") }
    return PixelSize(
      width: Int(payload[0]) << 8 | Int(payload[1]), height: Int(payload[2]) << 8 | Int(payload[3]))
  }

  func description(
    of payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    let size = try size(payload)
    return CodedPictureDescription(
      width: size.width, height: size.height, bitDepth: 8, chromaFormat: .yuv420, coding: coding)
  }

  func decode(_ payload: Span<UInt8>, context: inout DecodingContext) throws(CodecError) -> DecodedPlanes {
    let size = try size(payload)
    let layer = layers.operatingPoint * 16 + (layers.spatialLayer.map { $0 + 1 } ?? 0)
    let seed = Int(payload[payload.count - 2]) << 8 | Int(payload[payload.count - 1]) + layer
    if seed == 0xBEEF { throw CodecError(.unsupported, "inter-coded frames are not supported", byteOffset: 1) }
    if seed == 0xCAFE { throw CodecError(.malformed, "a frame that was not decoded is shown") }
    if seed == PatternDecoder.greedySeed {
      let byteCount = PatternDecoder.greedyByteCount
      try context.budget.allocate(byteCount)
      memory?.hold(byteCount)
      Thread.sleep(forTimeInterval: 0.002)
      memory?.hold(-byteCount)
      context.budget.release(byteCount)
    }
    if seed == PatternDecoder.damagedSeed {
      try context.tolerate(CodecError(.malformed, "a part of the pattern is missing", byteOffset: 4), as: .damage)
    }
    guard seed != 0xDEAD else { throw CodecError(.malformed, "the pattern is damaged") }
    try context.budget.chargeWork(count: size.width * size.height, unitsEach: 10)
    var planes = try PlanarPicture(
      width: size.width, height: size.height, bitDepth: 8, chromaFormat: .yuv420, coding: coding,
      budget: &context.budget)
    for (index, component) in [PlanarPicture.Component.luma, .cb, .cr].enumerated() {
      planes.withMutablePlane(component) { plane in
        let (width, height) = (plane.width, plane.height)
        for y in 0..<height {
          var row = plane.mutableNarrowRow(y)
          for x in 0..<width { row[x] = PatternDecoder.sample(index, x, y, seed: seed) }
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
        id: 2 + $0, type: "hvc1", properties: [2, 3 + properties.count],
        data: PatternDecoder.picture(tile.width, tile.height, seed: seed($0)))
    }
    let grid = Item(
      id: 1, type: "grid", properties: [1] + Array(0..<properties.count).map { $0 + 3 },
      data: [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(size.width, 2) + big(size.height, 2))
    return heif(
      items: [grid] + tiles,
      properties: [extent(size.width, size.height), extent(tile.width, tile.height)] + properties
        + [box("hvcC", [UInt8](repeating: 1, count: 23))],
      references: [("dimg", 1, tiles.map(\.id))])
  }
}
