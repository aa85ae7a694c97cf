// Files of the ISO base media format: the picture, and the others that a file has besides.

import ISOMediaCodec
import ImageCoding

/// Decodes a file; of some files also the planes and the auxiliary pictures.
func fuzzContainer(_ decoder: ISOMediaDecoder, _ bytes: [UInt8]) {
  DecoderFuzzing(decoder).run(bytes)
  guard let options = DecodingOptions.furtherCalls(bytes) else { return }
  var budget = ResourceBudget(options.limits)
  _ = try? decoder.planes(bytes.span, options: options, budget: &budget)
  _ = try? decoder.gainMap(bytes.span, options: options)
  guard let container = try? HEIFContainer(parsing: bytes.span, limits: options.limits) else { return }
  for item in container.auxiliaryItems.prefix(4) {
    _ = try? decoder.auxiliaryImage(item.id, of: bytes.span, options: options)
  }
}
