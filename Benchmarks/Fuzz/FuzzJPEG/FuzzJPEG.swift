// Fuzzes the JPEG decoder: no input may trap, and a decode in pieces must equal one at once.
//
//   FUZZ=1 swift build -c release --product FuzzJPEG --sanitize=address --scratch-path .b-fuzz
//   .b-fuzz/release/FuzzJPEG -max_len=65536 -timeout=2 -rss_limit_mb=1024 corpus/ seeds/

import ImageCore
import JPEGCodec

/// Small enough that no input spends its time in zeroing memory.
private let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)

/// Decodes one input in every way; called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
    let options = DecodingOptions(tolerance: tolerance, limits: limits)
    let whole = Result { try JPEGDecoder().decode(bytes.span, options: options) }
    let pieces = Result { try decodeInPieces(bytes, options: options) }
    switch (whole, pieces) {
    case (.success(let a), .success(let b)): precondition(a.bitmap == b.bitmap && a.details == b.details)
    case (.failure(let a as DecodeError), .failure(let b as DecodeError)): precondition(a == b)
    default: preconditionFailure("one shot and pieces differ")
    }
  }
  return 0
}

private func decodeInPieces(_ bytes: [UInt8], options: DecodingOptions) throws -> DecodedImage {
  guard let session = JPEGDecoder().makeSession(options: options) else { preconditionFailure("no session") }
  var start = 0
  var scanCount = 0
  // Pieces of sizes that the input itself decides.
  while start < bytes.count {
    let end = min(bytes.count, start + 1 + Int(bytes[start] & 63))
    let progress = try session.append(bytes.span.extracting(start..<end))
    // A preview costs as much as a decode: one for each scan is enough.
    if progress.completedScanCount > scanCount { _ = session.makePreview() }
    scanCount = progress.completedScanCount
    start = end
  }
  return try session.finish()
}
