// Faults on purpose: does the runner notice each of them, and go on with the next job?

import ArgumentParser
import ConformanceKit

/// Something that a decoder must never do.
enum Fault: String, CaseIterable {
  case trap
  case deepRecursion
  case endlessLoop
  case hugeAllocation

  /// Does it.
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

  /// Needs a frame for every level: what comes back is worked on in a way that no loop can take over.
  @inline(never)
  private func depth(_ levels: Int) -> Int {
    levels == 0 ? 0 : (depth(levels - 1) &* 31) ^ levels
  }
}

/// Checks the runner itself.
struct Drill: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Commits faults on purpose and checks that the runner notices.", shouldDisplay: false)

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
      print("not noticed: \(unnoticed.joined(separator: ", "))")
      throw ExitCode.failure
    }
  }
}
