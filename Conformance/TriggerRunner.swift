// Runs all triggers of a folder through all entry points, with default limits and with server limits. A crash, a hang
// or excessive time or memory is a failure.

import ConformanceKit

/// A trigger with the limits of its runs.
private struct TriggerJob {
  var limits: TriggerLimits
  var path: String
  /// The position of the file among all.
  var number: Int

  /// The entry points that read the file. A drawing has no frames, so that indexing them would read its header again.
  /// Sessions receive small or large parts; files take turns with the two, which cost the same.
  var readingWays: [TriggerWay] {
    let isDrawing = path.hasSuffix(".svg") || path.hasSuffix(".svgz")
    let otherParts: TriggerWay? = limits == .server ? nil : number % 2 == 0 ? .parts : .pieces
    return limits.ways.filter {
      $0.format == nil && $0 != .strictDecode && $0 != otherParts && !(isDrawing && $0 == .frames)
    }
  }
  /// The entry point that converts the file. The cost of encoding follows from the size of the picture, which many files
  /// share, so that files take turns with the formats.
  var convertingWays: [TriggerWay] {
    let ways = limits.ways.filter { $0.format != nil }
    return [ways[number % ways.count]]
  }

  /// Returns the jobs of workers that enter by these ways.
  func lines(for ways: [TriggerWay]) -> [String] { ways.map { "\(limits.rawValue) \($0.rawValue) \(path)" } }
}

/// Runs the triggers of a folder.
struct TriggerRunner {
  /// The number of times that a failed run is repeated without concurrent runs. The processor time of a program grows
  /// with other uses of the machine's memory and caches, so the least time counts.
  private static let repetitionCount = 2

  /// The folder with the triggers.
  var folder: String
  /// The processor time in seconds that each entry point may take.
  var allowedSeconds: Double
  /// The number of concurrent child processes.
  var childCount: Int
  /// Whether each run is printed with its time and memory.
  var isVerbose: Bool

  /// Runs the triggers and prints the report. Returns whether there were no failures.
  func run() throws -> Bool {
    let files = filesToDecode(in: folder)
    guard !files.isEmpty else {
      print("\(folder) contains no triggers; Conformance/Triggers/generate.py writes them")
      return false
    }
    let jobs = files.enumerated().flatMap { (number, path) in
      TriggerLimits.allCases.map { TriggerJob(limits: $0, path: path, number: number) }
    }
    var results: [String: CaseResult] = [:]
    try perform(jobs.flatMap { $0.lines(for: $0.readingWays) }, into: &results)
    // Where lenient decoding reaches a limit, strict decoding reaches the same one, or ends earlier.
    let cheapOnes = jobs.filter { job in
      job.limits.ways.contains(.strictDecode)
        && !job.lines(for: [.decode]).contains { results[$0]?.remark.contains(": error: limitExceeded") ?? false }
    }
    try perform(cheapOnes.flatMap { $0.lines(for: [.strictDecode]) }, into: &results)
    // A conversion without a picture to convert would only decode again.
    let pictures = jobs.filter { job in
      job.lines(for: [.decode, .animation]).contains { results[$0].map(Self.isValue) ?? false }
    }
    try perform(pictures.flatMap { $0.lines(for: $0.convertingWays) }, into: &results)
    return report(results.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Runs jobs, and repeats those that failed.
  private func perform(_ jobs: [String], into results: inout [String: CaseResult]) throws {
    try perform(jobs, childCount: childCount, into: &results)
    for _ in 0..<Self.repetitionCount {
      let failed = jobs.filter { results[$0]?.outcome != .passed }
      if !failed.isEmpty { try perform(failed, childCount: 1, into: &results) }
    }
  }

  private func perform(
    _ jobs: [String], childCount: Int, into results: inout [String: CaseResult]
  ) throws {
    var bar = ProgressBar(total: jobs.count)
    let pool = WorkerPool(arguments: ["worker", "trigger", folder], childCount: childCount)
    try pool.run(jobs.map { "\(allowedSeconds) \($0)" }) { place, result in
      results[jobs[place]] = result
      if isVerbose { print("\(jobs[place]): \(result.outcome.name) \(result.outcome.reason)\(result.remark)") }
      bar.advance()
    }
    bar.clear()
  }

  /// Whether an entry point returned a value, and no error.
  private static func isValue(_ result: CaseResult) -> Bool {
    let isNothing = result.remark.contains(" MiB: no animation")
    return result.outcome != .passed || !(isNothing || result.remark.contains(" MiB: error: "))
  }

  private func report(_ results: [(job: String, result: CaseResult)]) -> Bool {
    var report = Report(columns: ["runs", "values", "typed errors", "failures"])
    for (job, result) in results {
      let words = job.split(separator: " ", maxSplits: 2)
      let format = words.last?.split(separator: "-").first.map { String($0) } ?? ""
      report.count(suite: format, column: "runs")
      let isError = result.remark.contains(" MiB: error: ")
      let column = result.outcome != .passed ? "failures" : isError ? "typed errors" : "values"
      report.count(suite: format, column: column)
    }
    print(report.table)
    for (job, result) in results {
      if case .failed(let reason) = result.outcome { print("\(job): \(reason)") }
    }
    return report.total("failures") == 0
  }
}
