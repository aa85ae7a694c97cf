// The reason why a picture's data cannot be decoded any further.

/// An error in a bitstream.
struct BitstreamDamage {
  /// The reason, in the format's terms.
  let reason: String
  /// Whether the bitstream merely ends too early.
  let isEarlyEnd: Bool

  /// Creates the damage of a bitstream that violates a rule.
  static func violation(_ reason: String) -> BitstreamDamage { BitstreamDamage(reason: reason, isEarlyEnd: false) }

  /// Creates the damage of a bitstream whose end is missing.
  static func earlyEnd(_ reason: String) -> BitstreamDamage { BitstreamDamage(reason: reason, isEarlyEnd: true) }
}
