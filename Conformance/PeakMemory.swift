// The memory that a decode takes.

import Foundation

/// Measures the peak memory of this process over an interval.
struct PeakMemory {
  private let base: Int?

  /// Starts a measurement by resetting the peak.
  init() {
    #if os(Linux)
      try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    #endif
    base = Self.kilobytes("VmRSS:")
  }

  /// Returns the peak above the initial value in bytes. `nil` if the system does not report it.
  func byteCount() -> Int? {
    guard let base, let peak = Self.kilobytes("VmHWM:") else { return nil }
    return max(0, peak - base) * 1024
  }

  private static func kilobytes(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
