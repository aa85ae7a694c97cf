// Cancellation and the deadline of a call, for stages that charge nothing.

/// A check whether the caller has cancelled or the deadline has passed.
package struct Interruption: Sendable {
  /// The number of pixels processed between two checks.
  private static let pixelsBetweenChecks = 1 << 16

  private let shouldCancel: (@Sendable () -> Bool)?
  private let deadline: Deadline?
  private let format: AssetType?

  /// A time limit.
  struct Deadline: Sendable {
    /// The time allowed, and that spent before `start`.
    var allowed: Duration
    var elapsed: Duration
    var start: ContinuousClock.Instant
    /// Returns the current time. It is passed the work done so far.
    var clock: @Sendable (Int64) -> ContinuousClock.Instant
    var work: Int64

    var hasPassed: Bool { elapsed + start.duration(to: clock(work)) > allowed }
  }

  init(shouldCancel: (@Sendable () -> Bool)?, deadline: Deadline?, format: AssetType?) {
    (self.shouldCancel, self.deadline, self.format) = (shouldCancel, deadline, format)
  }

  /// Creates a check for work that is never interrupted.
  package init() {
    self.init(shouldCancel: nil, deadline: nil, format: nil)
  }

  /// Throws ``CodecError/Kind/cancelled`` if the caller has cancelled, and ``CodecError/Kind/deadlineExceeded`` once
  /// the deadline has passed. Called every few thousand pixels.
  package func check(byteOffset: Int? = nil) throws(CodecError) {
    if let shouldCancel, shouldCancel() {
      throw CodecError(.cancelled, "the caller cancelled the operation", format: format, byteOffset: byteOffset)
    }
    if let deadline, deadline.hasPassed {
      throw CodecError(
        .deadlineExceeded, "decoding exceeds the time limit of \(deadline.allowed)", format: format,
        byteOffset: byteOffset)
    }
  }

  /// Checks as ``check(byteOffset:)`` does, but only before rows between which there are enough pixels.
  @inline(__always)
  package func check(row: Int, width: Int) throws(CodecError) {
    if row % max(1, Self.pixelsBetweenChecks / max(width, 1)) == 0 { try check() }
  }
}
