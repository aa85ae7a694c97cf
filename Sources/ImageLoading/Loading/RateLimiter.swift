// A limit on the rate at which downloads start, for requests that are started and cancelled in quick succession.

/// A token bucket.
package struct TokenBucket: Sendable {
  /// The number of tokens that are added in a second.
  let rate: Double
  /// The number of tokens that the bucket holds when full.
  let burst: Double
  private var tokens: Double
  private var time: Duration

  /// Creates a full bucket.
  ///
  /// - Parameter time: the current time, measured from any point.
  package init(rate: Double, burst: Double, time: Duration) {
    self.rate = rate
    self.burst = burst
    tokens = burst
    self.time = time
  }

  /// Takes a token. If there is none, returns the time until there is one.
  package mutating func take(at now: Duration) -> Duration? {
    let elapsed = max(now - time, .zero)
    time = max(now, time)
    tokens = min(burst, tokens + elapsed / .seconds(1) * rate)
    guard tokens >= 1 else { return .seconds((1 - tokens) / rate) }
    tokens -= 1
    return nil
  }
}

/// Starts work at a limited rate, in the order in which it was added, whatever its priority.
@ImagePipelineActor final class RateLimiter {
  private static let startOfTime = ContinuousClock.now

  private var bucket: TokenBucket
  private typealias Work = @ImagePipelineActor () -> Bool

  private var pending = RecencyList<Int, Work>()
  private var addedCount = 0
  private var isWaiting = false

  nonisolated init(rate: Double = 80, burst: Double = 25) {
    bucket = TokenBucket(rate: rate, burst: burst, time: .zero)
  }

  /// Runs a closure now or, if too many have run lately, later.
  ///
  /// - Parameter work: returns whether it started anything. If not, the next closure takes its turn.
  func perform(_ work: @escaping @ImagePipelineActor () -> Bool) {
    pending.insert(work, for: addedCount, cost: 1)
    addedCount += 1
    if !isWaiting { runPending() }
  }

  private func runPending() {
    var isTokenTaken = false
    while pending.count > 0 {
      if !isTokenTaken, let delay = bucket.take(at: ContinuousClock.now - Self.startOfTime) {
        return wait(delay)
      }
      guard let work = pending.removeOldest()?.value else { return }
      isTokenTaken = !work()
    }
  }

  private func wait(_ delay: Duration) {
    isWaiting = true
    Task { [weak self] in
      try? await Task.sleep(for: delay)
      self?.isWaiting = false
      self?.runPending()
    }
  }
}
