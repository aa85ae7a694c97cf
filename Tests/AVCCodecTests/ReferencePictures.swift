// Small stills with hashes of their planes as ffmpeg decodes them; Fixtures/make-reference-pictures.py wrote them.

import AVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

extension ReferencePicture {
  static let all = read(beside: #filePath)

  static func named(_ prefix: String) -> ReferencePicture { first(named: prefix, in: all) }

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
  limits: DecodingLimits = .default, shouldCancel: (@Sendable () -> Bool)? = nil
) throws(CodecError) -> DecodedStream {
  let options = DecodingOptions(
    tolerance: tolerance, limits: limits, shouldCancel: shouldCancel)
  var context = DecodingContext(options, format: "public.mpeg-4")
  let planes = try AVCDecoder().decode(
    CodedPicture(configuration: configuration.span, payload: payload.span), context: &context)
  return DecodedStream(
    picture: planes.picture, isComplete: planes.isComplete, diagnostics: context.diagnostics,
    heldByteCount: context.budget.heldByteCount, peakByteCount: context.budget.peakByteCount,
    work: context.budget.work)
}

func describe(_ payload: [UInt8], configuration: [UInt8] = []) throws(CodecError) -> CodedPictureDescription {
  var budget = ResourceBudget(.default)
  return try AVCDecoder().description(
    of: CodedPicture(configuration: configuration.span, payload: payload.span), budget: &budget)
}
