// Times in seconds that applications set, in the range that clocks can represent.

internal import Foundation

extension TimeInterval {
  /// Returns a time within 0…10⁹ seconds, which is about 32 years: `Duration` and Dispatch trap for times beyond theirs.
  ///
  /// - Parameter default: replaces NaN.
  static func limiting(_ seconds: TimeInterval, default: TimeInterval) -> TimeInterval {
    seconds.isNaN ? `default` : min(max(seconds, 0), 1e9)
  }
}

extension Duration {
  /// Returns a time within 0…10⁹ seconds.
  ///
  /// - Parameter default: replaces NaN.
  static func seconds(limiting seconds: TimeInterval, default: TimeInterval) -> Duration {
    .seconds(TimeInterval.limiting(seconds, default: `default`))
  }
}
