// Intentional faults, to check that the runner detects each of them and continues with the next job.

import ArgumentParser
import ConformanceKit

/// A fault that a decoder must never cause.
enum Fault: String, CaseIterable {
  case trap
  case deepRecursion
  case endlessLoop
  case hugeAllocation

  /// Causes the fault.
  func commit() -> CaseResult {
    switch self {
    case .trap:
      let empty: [Int] = []
      return CaseResult(.passed, remark: "\(empty[rawValue.count])")
    case .deepRecursion: return CaseResult(.passed, remark: "\(depth(100_000))")
    case .endlessLoop: while true {}
    case .hugeAllocation: return CaseResult(.passed, remark: "\([UInt8](repeating: 1, count: 4 << 30).count)")
    }
  }

  /// Needs a stack frame for each level: the result is processed in a way that prevents conversion to a loop.
  @inline(never)
  private func depth(_ levels: Int) -> Int {
    levels == 0 ? 0 : (depth(levels - 1) &* 31) ^ levels
  }
}

/// Checks the runner itself.
struct Drill: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Causes faults and checks that the runner detects them.", shouldDisplay: false)

  func run() throws {
    var results: [String: CaseResult] = [:]
    let jobs = Fault.allCases.map(\.rawValue) + ["none"]
    let pool = WorkerPool(arguments: ["worker", "fault", "."], childCount: 1, patience: .seconds(3))
    try pool.run(jobs) { results[jobs[$0]] = $1 }
    var unnoticed: [String] = []
    for job in jobs {
      print("\(job): \(results[job]?.outcome.reason ?? "no result")")
      if (results[job]?.outcome == .passed) != (job == "none") { unnoticed.append(job) }
    }
    guard unnoticed.isEmpty else {
      print("not detected: \(unnoticed.joined(separator: ", "))")
      throw ExitCode.failure
    }
  }
}
