// JPEG files that are reconstructed from JPEG XL files.

import ImageCoding
import JXLCodec

/// Reconstructs the JPEG file that an input was made from.
func fuzzJPEGReconstruction(_ bytes: [UInt8]) {
  var budget = ResourceBudget(DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20))
  let file = try? JXLDecoder().reconstructJPEG(bytes.span, budget: &budget)
  precondition(budget.heldByteCount == (file?.count ?? 0), "more than the file is retained")
}
