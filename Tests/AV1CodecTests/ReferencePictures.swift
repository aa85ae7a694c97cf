// Small stills with hashes of their planes as libdav1d decodes them; Fixtures/make-reference-pictures.py wrote them.

import AV1Codec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

extension ReferencePicture {
  static let all = read(beside: #filePath)

  static func named(_ prefix: String) -> ReferencePicture { first(named: prefix, in: all) }
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
  limits: DecodingLimits = .default, parallelism: Int = 1, shouldCancel: (@Sendable () -> Bool)? = nil
) throws(CodecError) -> Decoded {
  let options = DecodingOptions(
    tolerance: tolerance, limits: limits, parallelism: parallelism, shouldCancel: shouldCancel)
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
