// The child process: performs a job for each input line and answers with a line.

import ArgumentParser
import ConformanceKit
import Foundation
import Platform

/// Performs the runner's jobs within resource limits.
struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Performs the jobs read from standard input.", shouldDisplay: false)

  /// The kind of the jobs.
  enum Kind: String, ExpressibleByArgument {
    /// The index of a case in the manifest of ``folder``.
    case evaluate
    /// The index of a case in the manifest of ``folder``, whose images are written to ``target``.
    case depict
    /// A path relative to ``folder``.
    case examine
    /// A path relative to ``folder`` of a file whose metadata is removed.
    case strip
    /// The index of a row of the colour-managed references in ``folder``.
    case color
    /// The processor time allowed, limits, an entry point and a path relative to ``folder``.
    case trigger
    /// The name of a fault to cause, to check that the runner detects it.
    case fault
  }

  @Argument var kind: Kind
  @Argument var folder: String
  @Argument var target = "."

  func run() throws {
    var bounds = ResourceBounds(stackByteCount: 256 << 10, addressSpaceByteCount: 1536 << 20, processorSeconds: 20)
    // A trigger that far exceeds its time limit need not run to completion.
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
        guard let index = Int(job), cases.indices.contains(index) else { return CaseResult(.failed("case not found")) }
        return evaluator.evaluate(cases[index])
      }
    case .depict:
      let cases = try Manifest(folder: folder).cases
      let pictures = CasePictures(folder: folder, target: target)
      return { job in
        guard let index = Int(job), cases.indices.contains(index) else { return CaseResult(.failed("case not found")) }
        return pictures.write(cases[index], number: index)
      }
    case .examine: return { HostileExaminer.examine(folder + "/" + $0) }
    case .strip: return { StrippedExaminer.examine(folder + "/" + $0) }
    case .color:
      let cases = ColorEvaluator.cases(in: folder)
      let evaluator = ColorEvaluator(folder: folder)
      return { job in
        guard let index = Int(job), cases.indices.contains(index) else { return CaseResult(.failed("row not found")) }
        return evaluator.evaluate(cases[index])
      }
    case .trigger: return { TriggerExaminer.examine($0, in: folder) }
    case .fault: return { Fault(rawValue: $0)?.commit() ?? CaseResult(.passed) }
    }
  }
}

extension Manifest {
  /// Reads the tables of a folder.
  init(folder: String) throws {
    try self.init(
      manifest: readFile(folder + "/MANIFEST.tsv"), browser: (try? readFile(folder + "/BROWSER.tsv")) ?? [],
      frames: (try? readFile(folder + "/FRAMES.tsv")) ?? [],
      planes: (try? readFile(folder + "/PLANES.tsv")) ?? [],
      components: (try? readFile(folder + "/COMPONENTS.tsv")) ?? [],
      originals: (try? readFile(folder + "/JPEGS.tsv")) ?? [],
      previews: (try? readFile(folder + "/PREVIEWS.tsv")) ?? [],
      cameras: (try? readFile(folder + "/RAW.tsv")) ?? [])
  }
}
