// Why the data of a picture cannot be decoded any further.

/// What is wrong with a bitstream.
struct BitstreamDamage {
  /// In the words of the format.
  let reason: String
  /// Whether the bitstream just ends too early.
  let isEarlyEnd: Bool

  /// A bitstream that breaks a rule.
  static func violation(_ reason: String) -> BitstreamDamage { BitstreamDamage(reason: reason, isEarlyEnd: false) }

  /// A bitstream of which the end is missing.
  static func earlyEnd(_ reason: String) -> BitstreamDamage { BitstreamDamage(reason: reason, isEarlyEnd: true) }
}
