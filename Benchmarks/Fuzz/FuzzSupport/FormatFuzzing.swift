// What every fuzz target of a format with sessions and animations asks of its decoder: no input may trap, and a decode in
// pieces must equal one at once.

package import ImageCore

/// Small enough that no input spends its time in zeroing memory.
private let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)

/// Decodes one input in every way; traps where two ways differ.
package func fuzz(_ bytes: [UInt8], with decoder: some ImageFormatDecoder) {
  for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
    let options = DecodingOptions(tolerance: tolerance, limits: limits)
    let whole = Result { try decoder.decode(bytes.span, options: options) }
    let pieces = Result { try decodeInPieces(bytes, with: decoder, options: options) }
    switch (whole, pieces) {
    case (.success(let a), .success(let b)): precondition(a.bitmap == b.bitmap && a.details == b.details)
    case (.failure(let a as DecodeError), .failure(let b as DecodeError)): precondition(a == b)
    default: preconditionFailure("one shot and pieces differ")
    }
    guard let animation = try? decoder.animation(bytes, options: options) else { continue }
    for index in (0..<min(animation.frameCount, 8)).reversed() { _ = try? animation.frame(at: index) }
  }
}

private func decodeInPieces(_ bytes: [UInt8], with decoder: some ImageFormatDecoder, options: DecodingOptions) throws
  -> DecodedImage
{
  guard let session = decoder.makeSession(options: options) else { preconditionFailure("no session") }
  var start = 0
  // Pieces of sizes that the input itself decides.
  while start < bytes.count {
    let end = min(bytes.count, start + 1 + Int(bytes[start] & 63))
    try session.append(bytes.span.extracting(start..<end))
    _ = session.makePreview()
    start = end
  }
  return try session.finish()
}
