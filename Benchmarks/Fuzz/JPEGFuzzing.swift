// Files of JPEG: the picture, and others that a file has besides.

import ImageCoding
import JPEGCodec

/// Decodes a file; of some files also the planes, the thumbnails of EXIF and JFIF, and the gain map.
func fuzzJPEG(_ bytes: [UInt8]) {
  let decoder = JPEGDecoder()
  DecoderFuzzing(decoder).run(bytes)
  guard let options = DecodingOptions.furtherCalls(bytes) else { return }
  var budget = ResourceBudget(options.limits)
  _ = try? decoder.planes(bytes.span, options: options, budget: &budget)
  _ = decoder.isProgressive(bytes.span)
  _ = decoder.gainMap(in: bytes.span)
  for thumbnail in decoder.embeddedThumbnails(in: bytes.span).prefix(4) {
    precondition(thumbnail.byteRange.upperBound <= bytes.count, "a thumbnail is outside of the file")
    _ = try? thumbnail.storedPixels(in: bytes.span, budget: &budget)
  }
}
