// Small stills with hashes of their planes as ffmpeg decodes them; Fixtures/make-reference-pictures.py wrote them.

import Foundation
import HEVCCodec
import ImageCore
import PixelPlanes
import Testing

/// A picture of the fixture.
struct ReferencePicture: Sendable, CustomTestStringConvertible {
  let name: String
  let width: Int
  let height: Int
  let bitDepth: Int
  let layout: String
  /// NAL units after start codes.
  let stream: [UInt8]
  let hash: UInt64

  var testDescription: String { name }

  static let all: [ReferencePicture] = {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/reference-pictures.bin")
    guard let data = try? Data(contentsOf: url) else { return [] }
    var rest = [UInt8](data)[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    func integer(_ count: Int) -> UInt64 { take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    var pictures: [ReferencePicture] = []
    while let nameLength = take(1).first {
      let name = String(decoding: take(Int(nameLength)), as: UTF8.self)
      let (width, height, bitDepth) = (Int(integer(2)), Int(integer(2)), Int(integer(1)))
      let layout = String(decoding: take(3), as: UTF8.self)
      let stream = take(Int(integer(4)))
      pictures.append(
        ReferencePicture(
          name: name, width: width, height: height, bitDepth: bitDepth, layout: layout, stream: stream,
          hash: integer(8)))
    }
    return pictures
  }()

  static func named(_ prefix: String) -> ReferencePicture {
    all.first { $0.name.hasPrefix(prefix) }
      ?? ReferencePicture(name: "", width: 0, height: 0, bitDepth: 0, layout: "", stream: [], hash: 0)
  }

  /// The NAL units without start codes.
  var units: [[UInt8]] {
    var units: [[UInt8]] = []
    var start: Int?
    var index = 0
    while index + 2 < stream.count {
      if stream[index] == 0, stream[index + 1] == 0, stream[index + 2] == 1 {
        if let start { units.append(Self.trimmed(stream[start..<index])) }
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    if let start { units.append(Self.trimmed(stream[start...])) }
    return units
  }

  private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    Array(unit.prefix((unit.lastIndex { $0 != 0 } ?? unit.startIndex - 1) + 1 - unit.startIndex))
  }
}

func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// A decoded picture, and what is in the context afterwards.
struct DecodedStream {
  let picture: PlanarPicture
  let isComplete: Bool
  let diagnostics: [ImageDiagnostic]
  let heldByteCount: Int
  let peakByteCount: Int
  let work: Int64
}

/// Decodes within limits, as a byte stream if there is no configuration. Pictures of any size may use several threads.
func decode(
  _ payload: [UInt8], configuration: [UInt8] = [], tolerance: DecodingOptions.Tolerance = .strict,
  limits: DecodingLimits = .default, threadCount: Int = 1, shouldCancel: (@Sendable () -> Bool)? = nil
) throws(CodecError) -> DecodedStream {
  var decoder = HEVCDecoder()
  decoder.minimumParallelSampleCount = 0
  let options = DecodingOptions(
    tolerance: tolerance, limits: limits, parallelism: threadCount, shouldCancel: shouldCancel)
  var context = DecodingContext(options, format: "public.heic")
  let planes = try decoder.decode(
    CodedPicture(configuration: configuration.span, payload: payload.span), context: &context)
  return DecodedStream(
    picture: planes.picture, isComplete: planes.isComplete, diagnostics: context.diagnostics,
    heldByteCount: context.budget.heldByteCount, peakByteCount: context.budget.peakByteCount,
    work: context.budget.work)
}

func describe(_ payload: [UInt8], configuration: [UInt8] = []) throws(CodecError) -> CodedPictureDescription {
  var budget = ResourceBudget(.default)
  return try HEVCDecoder().description(
    of: CodedPicture(configuration: configuration.span, payload: payload.span), budget: &budget)
}
