// A line on a terminal that shows the progress of a long command.

/// Shows progress on standard error if that is a terminal and the work takes longer than half a second.
struct ProgressBar {
  private let total: Int
  private let label: String
  private let isShown = StandardStreams.isErrorTerminal
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?

  /// - Parameter label: the unit of the count, such as `"frames"`.
  init(total: Int, label: String) {
    self.total = total
    self.label = label
  }

  /// Draws the bar, at most ten times a second.
  mutating func update(_ done: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500) else { return }
    if let lastDrawn, now - lastDrawn < .milliseconds(100) { return }
    lastDrawn = now
    StandardStreams.writeError("\r" + Self.line(done: done, total: total, label: label))
  }

  /// Removes the bar.
  func finish() {
    if lastDrawn != nil { StandardStreams.writeError("\r\u{1B}[K") }
  }

  /// Returns the bar as text.
  static func line(done: Int, total: Int, label: String) -> String {
    let width = 30
    let filled = total > 0 ? Int(Double(min(done, total)) / Double(total) * Double(width)) : width
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "[\(bar)] \(done)/\(total) \(label)"
  }
}
