// A progress line on standard error, if that is a terminal.

import Foundation

/// The progress of a long run.
struct ProgressBar {
  private let total: Int
  private let isVisible: Bool
  private var done = 0
  private var lastPercent = -1

  /// Creates a bar for the given number of steps.
  init(total: Int) {
    self.total = max(total, 1)
    isVisible = isatty(2) == 1
  }

  /// Records that a step is done.
  mutating func advance() {
    done += 1
    let percent = done * 100 / total
    guard isVisible, percent != lastPercent else { return }
    lastPercent = percent
    let filled = percent * 30 / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    write("\r\(bar) \(percent) %  \(done)/\(total)")
  }

  /// Removes the bar.
  func clear() {
    if isVisible { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
