// The version of x264 that supplemental enhancement information states (section D.1.6).

/// Finds encoders whose streams deviate from the specification.
enum EncoderVersion {
  /// The first build of x264 that codes `coded_block_flag` of 8 × 8 blocks in 4:4:4 pictures as specified.
  static let firstConformingBuild = 151

  /// `user_data_unregistered`, and the UUID of x264's messages.
  private static let messageType: UInt8 = 5
  private static let uuid: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]
  private static let prefix = Array("x264 - core ".utf8)

  /// Returns the build of x264 that a message names, the first one of its NAL unit; `nil` if there is none.
  static func x264Build(_ bytes: Span<UInt8>, _ unit: NALUnit) -> Int? {
    guard unit.type == .supplementalInformation else { return nil }
    var position = unit.payload.lowerBound
    let end = min(unit.payload.upperBound, position + 64)
    guard position < end, bytes[position] == messageType else { return nil }
    // The size of the message, which may exceed 255 bytes.
    position += 1
    while position < end, bytes[position] == 0xFF { position += 1 }
    position += 1
    guard end - position > uuid.count + prefix.count else { return nil }
    for (offset, byte) in uuid.enumerated() where bytes[position + offset] != byte { return nil }
    position += uuid.count
    for (offset, byte) in prefix.enumerated() where bytes[position + offset] != byte { return nil }
    position += prefix.count
    var build = 0
    while position < end, (48...57).contains(bytes[position]), build < 10_000 {
      build = build * 10 + Int(bytes[position]) - 48
      position += 1
    }
    return build
  }
}
