// Small stills with hashes of their planes as libdav1d decodes them; Fixtures/make-reference-pictures.py wrote them.

import AV1Codec
import Foundation
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
  /// OBUs.
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
}

func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// A decoded picture and what was wrong with it.
struct Decoded {
  let picture: PlanarPicture
  let isComplete: Bool
  let diagnostics: [ImageDiagnostic]
}

/// Decodes within limits.
func decode(
  _ payload: [UInt8], configuration: [UInt8] = [], tolerance: DecodingOptions.Tolerance = .strict,
  limits: DecodingLimits = .default, shouldCancel: (@Sendable () -> Bool)? = nil
) throws(CodecError) -> Decoded {
  let options = DecodingOptions(tolerance: tolerance, limits: limits, shouldCancel: shouldCancel)
  var context = DecodingContext(options, format: "public.avif")
  let coded = CodedPicture(configuration: configuration.span, payload: payload.span)
  let planes = try AV1Decoder().decode(coded, context: &context)
  return Decoded(picture: planes.picture, isComplete: planes.isComplete, diagnostics: context.diagnostics)
}

func describe(_ payload: [UInt8], configuration: [UInt8] = []) throws(CodecError) -> CodedPictureDescription {
  var budget = ResourceBudget(.default)
  return try AV1Decoder().description(
    of: CodedPicture(configuration: configuration.span, payload: payload.span), budget: &budget)
}
