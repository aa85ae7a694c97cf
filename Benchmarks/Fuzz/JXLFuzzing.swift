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

/// Decodes the first channels in addition to the colours of some inputs.
func fuzzExtraChannels(_ bytes: [UInt8]) {
  guard let options = DecodingOptions.furtherCalls(bytes) else { return }
  guard let channels = try? JXLDecoder().extraChannels(bytes.span, limits: options.limits) else { return }
  for index in channels.indices.prefix(3) {
    _ = try? JXLDecoder().extraChannel(index, of: bytes.span, options: options)
  }
}

/// Builds an ICC profile from its commands.
func fuzzProfileCommands(_ bytes: [UInt8]) {
  var budget = ResourceBudget(DecodingLimits(maximumMetadataChunkByteCount: 1 << 20))
  guard let profile = try? ICCProfileCommands.decode(bytes.span, budget: &budget) else { return }
  precondition(profile.count <= 1 << 20, "the profile exceeds the limit")
}
