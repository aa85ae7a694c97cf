// Fuzzes SVG: no document may trap or take long, whether it is read leniently or strictly, drawn by areas or by samples.
//
//   FUZZ=1 swift build -c release --product FuzzSVG --sanitize=address --scratch-path .b-fuzz
//   .b-fuzz/release/FuzzSVG -max_len=16384 -timeout=5 -rss_limit_mb=2048 corpus/

import ImageCore
import SVGCodec

private let fonts = FontProvider.system

private let limits: SVGDocument.Limits = {
  var limits = SVGDocument.Limits(decoding: DecodingLimits(maximumPixelCount: 1 << 20))
  limits.maximumPixelWork = 50_000_000
  limits.maximumFilterWork = 50_000_000
  return limits
}()

/// Reads and draws one document; called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
    let options = SVGDocument.Options(
      decodeImage: { _, _ throws(DecodeError) in try Bitmap(width: 3, height: 2, format: .rgba8) }, fonts: fonts,
      tolerance: tolerance)
    guard let document = try? SVGDocument(parsing: bytes, limits: limits, options: options) else { continue }
    _ = try? document.render(width: 40)
    if tolerance == .lenient { _ = try? document.render(width: 24, height: 33, antialiasing: .samples) }
  }
  return 0
}
