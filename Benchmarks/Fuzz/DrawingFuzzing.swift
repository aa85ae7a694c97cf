// SVG documents: lenient and strict parsing, and rendering.

import ImageCoding
import SVGCodec

private let fonts = FontProvider.system

/// Parses and renders one document.
func fuzzDrawing(_ bytes: [UInt8]) {
  let effort = FuzzingEffort(bytes)
  var decodingLimits = effort.limits
  // Few documents need more.
  if effort.isQuick { decodingLimits.maximumWork = 3_000_000 }
  let limits = SVGDocument.Limits(decoding: decodingLimits)
  for tolerance in effort.tolerances {
    let options = SVGDocument.Options(
      decodeImage: { _, _ throws(CodecError) in try Bitmap(width: 3, height: 2, format: .rgba8) }, fonts: fonts,
      tolerance: tolerance)
    guard let document = try? SVGDocument(parsing: bytes, limits: limits, options: options) else { continue }
    _ = try? document.render(width: 40)
  }
}
