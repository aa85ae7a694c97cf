// Bitstreams of single pictures, without a container.

import AV1Codec
import AVCCodec
import ImageCoding
import PixelPlanes

/// Decodes an input as OBUs, and as OBUs that follow a configuration record.
func fuzzAV1(_ bytes: [UInt8]) {
  fuzzCodedPicture(AV1Decoder(), configuration: [], payload: bytes)
  guard bytes.count > 1 else { return }
  let count = min(Int(bytes[0]), bytes.count - 1)
  fuzzCodedPicture(AV1Decoder(), configuration: Array(bytes[1..<1 + count]), payload: Array(bytes[(1 + count)...]))
}

/// Decodes an input as NAL units with start codes, and as length-prefixed units after a configuration record.
func fuzzNALUnits(_ decoder: some CodedPictureDecoder, _ bytes: [UInt8]) {
  fuzzCodedPicture(decoder, configuration: [], payload: bytes)
  // The first two bytes determine the end of the record.
  guard bytes.count > 2 else { return }
  let count = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
  fuzzCodedPicture(decoder, configuration: Array(bytes[2..<2 + count]), payload: Array(bytes[(2 + count)...]))
}

private func fuzzCodedPicture(_ decoder: some CodedPictureDecoder, configuration: [UInt8], payload: [UInt8]) {
  let effort = FuzzingEffort(payload)
  let limits = effort.limits
  let picture = CodedPicture(configuration: configuration.span, payload: payload.span)
  if !effort.isQuick {
    var budget = ResourceBudget(limits)
    _ = try? decoder.description(of: picture, budget: &budget)
    precondition(budget.heldByteCount == 0, "a description retains memory")
  }
  for tolerance in effort.tolerances {
    let options = DecodingOptions(tolerance: tolerance, limits: limits)
    var context = DecodingContext(options, format: "public.heic")
    let result = decode(picture, decoder, &context)
    // Small pictures are decoded on one thread.
    if effort == .large {
      var parallel = DecodingContext(options.onThreads, format: "public.heic")
      compare(result, decode(picture, decoder, &parallel))
    }
    guard case .success(let decoded) = result else {
      precondition(context.budget.heldByteCount == 0, "a failed decode retains memory")
      continue
    }
    precondition(tolerance == .lenient || decoded.isComplete && context.diagnostics.isEmpty, "damage was tolerated")
    precondition(context.budget.heldByteCount == decoded.picture.rawPlanesByteCount, "more than the planes is retained")
  }
}

private func decode(
  _ picture: borrowing CodedPicture, _ decoder: some CodedPictureDecoder, _ context: inout DecodingContext
) -> Result<DecodedPlanes, CodecError> {
  do throws(CodecError) {
    return .success(try decoder.decode(picture, context: &context))
  } catch {
    return .failure(error)
  }
}

/// Traps if two threads decode other planes than one.
private func compare(_ one: Result<DecodedPlanes, CodecError>, _ two: Result<DecodedPlanes, CodecError>) {
  switch (one, two) {
  // Two threads need more memory than one.
  case (_, .failure(let error)) where error.kind == .limitExceeded: break
  case (.failure(let error), .success) where error.kind == .limitExceeded: break
  case (.success(let one), .success(let two)):
    precondition(one.picture == two.picture, "the planes depend on the number of threads")
  case (.failure(let one), .failure(let two)):
    precondition(one.kind == two.kind, "the error depends on the number of threads")
  default: preconditionFailure("the outcome depends on the number of threads")
  }
}
