// Parts of JPEG XL files that decoding to pixels does not reach often: JPEG files that are reconstructed, and ICC profiles
// as they are stored after entropy decoding.

import ImageCoding
import JXLCodec

/// Reconstructs the JPEG file that an input was made from.
func fuzzJPEGReconstruction(_ bytes: [UInt8]) {
  var budget = ResourceBudget(.fuzzing(bytes))
  let file = try? JXLDecoder().reconstructJPEG(bytes.span, budget: &budget)
  precondition(budget.heldByteCount == (file?.count ?? 0), "more than the file is retained")
}

/// Builds an ICC profile from its commands.
func fuzzProfileCommands(_ bytes: [UInt8]) {
  var budget = ResourceBudget(DecodingLimits(maximumMetadataChunkByteCount: 1 << 20))
  guard let profile = try? ICCProfileCommands.decode(bytes.span, budget: &budget) else { return }
  precondition(profile.count <= 1 << 20, "the profile exceeds the limit")
}
