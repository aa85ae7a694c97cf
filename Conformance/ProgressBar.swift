// A line on standard error that is drawn over again, where that is a terminal.

import Foundation

/// How far a long run has come.
struct ProgressBar {
  private let total: Int
  private let isVisible: Bool
  private var done = 0
  private var lastPercent = -1

  /// A bar for so many steps.
  init(total: Int) {
    self.total = max(total, 1)
    isVisible = isatty(2) == 1
  }

  /// One step is done.
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
