// Profile, tier and level (section 7.3.3). Nothing of it decides how a picture is decoded.

internal import PixelPlanes

/// Skips `profile_tier_level(1, maxNumSubLayersMinus1)`.
func skipProfileTierLevel(_ reader: inout BitReader, subLayerCount: Int) {
  reader.skip(88 + 8)
  guard subLayerCount > 1 else { return }
  var isProfilePresent: [Bool] = []
  var isLevelPresent: [Bool] = []
  for _ in 0..<subLayerCount - 1 {
    isProfilePresent.append(reader.readFlag())
    isLevelPresent.append(reader.readFlag())
  }
  for _ in subLayerCount - 1..<8 { reader.skip(2) }
  for index in 0..<subLayerCount - 1 {
    if isProfilePresent[index] { reader.skip(88) }
    if isLevelPresent[index] { reader.skip(8) }
  }
}
