// Fuzzes the GIF decoder: no input may trap, and a decode in pieces must equal one at once.
//
//   FUZZ=1 swift build -c release --product FuzzGIF --sanitize=address --scratch-path .b-fuzz
//   .b-fuzz/release/FuzzGIF -max_len=65536 -timeout=2 -rss_limit_mb=1024 corpus/ seeds/

import GIFCodec
import ImageCore

/// Small enough that no input spends its time in zeroing memory.
private let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)

/// Decodes one input in every way; called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
    let options = DecodingOptions(tolerance: tolerance, limits: limits)
    let whole = Result { try GIFDecoder().decode(bytes.span, options: options) }
    let pieces = Result { try decodeInPieces(bytes, options: options) }
    switch (whole, pieces) {
    case (.success(let a), .success(let b)): precondition(a.bitmap == b.bitmap && a.details == b.details)
    case (.failure(let a as DecodeError), .failure(let b as DecodeError)): precondition(a == b)
    default: preconditionFailure("one shot and pieces differ")
    }
    guard let animation = try? GIFDecoder().animation(bytes, options: options) else { continue }
    for index in (0..<min(animation.frameCount, 8)).reversed() { _ = try? animation.frame(at: index) }
  }
  return 0
}

private func decodeInPieces(_ bytes: [UInt8], options: DecodingOptions) throws -> DecodedImage {
  guard let session = GIFDecoder().makeSession(options: options) else { preconditionFailure("no session") }
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
