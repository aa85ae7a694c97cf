// Frame delays in the units of the format.

/// Rounds delays to hundredths of a second so that their running sum is never off by more than half a hundredth.
struct DelayClock {
  private var elapsed = Duration.zero
  private var written: Int64 = 0

  /// The delay to write for a frame of this duration.
  mutating func hundredths(after delay: Duration) -> Int {
    elapsed += max(.zero, min(delay, .seconds(655)))
    let (seconds, attoseconds) = elapsed.components
    let due = seconds * 100 + (attoseconds + 5_000_000_000_000_000) / 10_000_000_000_000_000
    let result = min(max(due - written, 0), 65_535)
    written += result
    return Int(result)
  }
}
