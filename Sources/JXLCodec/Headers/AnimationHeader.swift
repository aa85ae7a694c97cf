// The properties of an animation (ISO/IEC 18181-1, A.8).

internal import ImageCoding

/// `AnimationHeader`.
struct AnimationHeader: Hashable, Sendable {
  /// The number of ticks in `denominator` seconds.
  let ticksPerSecond: UInt32
  let denominator: UInt32
  /// The number of times the animation plays; 0 means forever.
  let loopCount: UInt32
  let hasTimecodes: Bool

  init(parsing bits: inout BitReader) throws(CodecError) {
    ticksPerSecond = try bits.readU32(.value(100), .value(1000), .bits(10, offset: 1), .bits(30, offset: 1))
    denominator = try bits.readU32(.value(1), .value(1001), .bits(8, offset: 1), .bits(10, offset: 1))
    loopCount = try bits.readU32(.value(0), .bits(3), .bits(16), .bits(32))
    hasTimecodes = try bits.readFlag()
  }

  /// Returns the duration of a number of ticks.
  func duration(ofTicks ticks: UInt32) -> Duration {
    // At most 2³² · 2¹⁰ · 10⁹ / 1 nanoseconds: the product is divided in two steps.
    let (seconds, rest) = (UInt64(ticks) * UInt64(denominator)).quotientAndRemainder(
      dividingBy: UInt64(ticksPerSecond))
    return .seconds(Int64(seconds)) + .nanoseconds(Int64(rest * 1_000_000_000 / UInt64(ticksPerSecond)))
  }
}
