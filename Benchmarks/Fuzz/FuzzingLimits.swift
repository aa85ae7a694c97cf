// The limits of inputs, which decide how many are tried in a second.

import ImageCoding

extension DecodingLimits {
  /// Returns limits that the last byte of an input selects, which most decoders ignore: one of 256 inputs may become a
  /// picture of a megapixel, the others only small pictures, of which hundreds are decoded in the same time.
  static func fuzzing(_ bytes: [UInt8]) -> DecodingLimits {
    let isLarge = bytes.last == 255
    return DecodingLimits(
      maximumPixelCount: isLarge ? 1 << 20 : smallPixelCount, maximumSourcePixelCount: isLarge ? 1 << 22 : 1 << 16,
      maximumByteCount: 16 << 20, maximumWork: isLarge ? 1_000_000_000 : 50_000_000)
  }

  /// Whether they are those of large pictures.
  var areLarge: Bool { maximumPixelCount > Self.smallPixelCount }

  /// The pixels of a picture that most inputs may become.
  private static let smallPixelCount = 1 << 14
}
