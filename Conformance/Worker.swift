// The child's side: one line in, one case done, one line out.

import ArgumentParser
import ConformanceKit
import Foundation

/// Does jobs for the runner, within bounds.
struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Does the jobs that come in on standard input.", shouldDisplay: false)

  /// What a job is.
  enum Kind: String, ExpressibleByArgument {
    /// An index into the manifest of ``folder``.
    case evaluate
    /// An index into the manifest of ``folder``, whose pictures go to ``target``.
    case depict
    /// A path inside of ``folder``.
    case examine
    /// Limits, a way in and a path inside of ``folder``.
    case trigger
    /// The name of a fault to commit, to see that the runner notices.
    case fault
  }

  @Argument var kind: Kind
  @Argument var folder: String
  @Argument var target = "."

  func run() throws {
    var bounds = ResourceBounds()
    // What costs far more than it may need not run to its end.
    if kind == .trigger { bounds.processorSeconds = 5 }
    bounds.apply()
    let perform = try performer()
    while let job = readLine() {
      bounds.renewProcessorTime()
      let answer = perform(job).line + "\n"
      FileHandle.standardOutput.write(Data(answer.utf8))
    }
  }

  private func performer() throws -> (String) -> CaseResult {
    switch kind {
    case .evaluate:
      let cases = try Manifest(folder: folder).cases
      let evaluator = CaseEvaluator(folder: folder, cases: cases)
      return { job in
        guard let index = Int(job), cases.indices.contains(index) else { return CaseResult(.failed("no such case")) }
        return evaluator.evaluate(cases[index])
      }
    case .depict:
      let cases = try Manifest(folder: folder).cases
      let pictures = CasePictures(folder: folder, target: target)
      return { job in
        guard let index = Int(job), cases.indices.contains(index) else { return CaseResult(.failed("no such case")) }
        return pictures.write(cases[index], number: index)
      }
    case .examine: return { HostileExaminer.examine(folder + "/" + $0) }
    case .trigger: return { TriggerExaminer.examine($0, in: folder) }
    case .fault: return { Fault(rawValue: $0)?.commit() ?? CaseResult(.passed) }
    }
  }
}

extension Manifest {
  /// Reads the tables of a folder.
  init(folder: String) throws {
    try self.init(
      manifest: readFile(folder + "/MANIFEST.tsv"), frames: (try? readFile(folder + "/FRAMES.tsv")) ?? [],
      planes: (try? readFile(folder + "/PLANES.tsv")) ?? [])
  }
}
