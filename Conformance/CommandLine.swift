// The command line: what to run, what to print, and the exit code.

import ArgumentParser
import ConformanceKit
import Foundation

/// Holds decoders against references, and against files made to break them.
@main
struct Conformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Holds the decoders against references, and against files made to break them.",
    subcommands: [Run.self, Worker.self, Drill.self], defaultSubcommand: Run.self)
}

/// Runs suites.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the cases of a folder (default: Conformance/Cases).",
    discussion: "Exits with 1 when a case fails that is not a known failure, or a known failure passes.")

  @Option(help: ArgumentHelp("A folder with MANIFEST.tsv.", valueName: "dir"))
  var corpus: [String] = []

  @Option(help: ArgumentHelp("A folder of files to survive, whatever they decode to.", valueName: "dir"))
  var hostile: [String] = []

  @Option(help: "Only files of this format, such as png.")
  var format: [String] = []

  @Option(help: "Only this suite: the first folder of the path.")
  var suite: [String] = []

  @Option(help: "The list of known failures.")
  var knownFailures = "Conformance/known-failures.tsv"

  @Option(
    help: ArgumentHelp(
      "Write a page into this folder that shows every failing case: ours, the reference and what differs.",
      valueName: "dir"))
  var report: String?

  @Option(help: "Child processes at a time.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "Print every failing file with its reason.")
  var failures = false

  @Flag(help: "Print every file with what became of it.")
  var verbose = false

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs wants a positive number") }
  }

  func run() throws {
    var isClean = true
    for folder in corpus.isEmpty && hostile.isEmpty ? ["Conformance/Cases"] : corpus {
      isClean = try suiteRunner(for: folder).run() && isClean
    }
    for folder in hostile {
      isClean = try hostileRunner(for: folder).run() && isClean
    }
    if !isClean { throw ExitCode.failure }
  }

  private func suiteRunner(for folder: String) throws -> SuiteRunner {
    guard FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv") else {
      throw ValidationError("\(folder) holds no MANIFEST.tsv; run from the top of the package or name one by --corpus")
    }
    let (formats, suites) = (format, suite)
    return SuiteRunner(
      folder: folder,
      selects: { test in
        (formats.isEmpty || formats.contains(test.format)) && (suites.isEmpty || suites.contains(test.suite))
      },
      childCount: jobs, knownFailures: KnownFailures((try? readFile(knownFailures)) ?? []),
      showsFailures: failures, isVerbose: verbose, reportFolder: report)
  }

  private func hostileRunner(for folder: String) -> HostileRunner {
    let (formats, suites) = (format, suite)
    return HostileRunner(
      folder: folder,
      selects: { path in
        let fileExtension = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let top = path.split(separator: "/").first.map { String($0) } ?? ""
        return (formats.isEmpty || formats.contains(fileExtension)) && (suites.isEmpty || suites.contains(top))
      },
      childCount: jobs, isVerbose: verbose)
  }
}
