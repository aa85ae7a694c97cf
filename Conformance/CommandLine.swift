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
    discussion: """
      Exits with 1 when a case fails or is unsupported without being listed, a listed failure passes, or a suite passes \
      fewer cases than it must.
      """)

  @Option(help: ArgumentHelp("A folder with MANIFEST.tsv.", valueName: "dir"))
  var corpus: [String] = []

  @Option(help: ArgumentHelp("A folder of files to survive, whatever they decode to.", valueName: "dir"))
  var hostile: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of files that Triggers/generate.py wrote: small, and costly for who has no budget.", valueName: "dir"))
  var triggers: [String] = []

  @Option(help: "Only files of this format, such as png.")
  var format: [String] = []

  @Option(help: "Only this suite: the first folder of the path.")
  var suite: [String] = []

  @Option(help: ArgumentHelp("The folder of the lists that runs are held against.", valueName: "dir"))
  var expectations = "Conformance/Expectations"

  @Flag(help: "Write the numbers of passes of this run as the least that must pass from now on.")
  var recordPasses = false

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
    guard !recordPasses || (format.isEmpty && suite.isEmpty) else {
      throw ValidationError("--record-passes wants a run of all formats and suites")
    }
  }

  func run() throws {
    var isClean = true
    let hasOthers = !hostile.isEmpty || !triggers.isEmpty
    for folder in corpus.isEmpty && !hasOthers ? ["Conformance/Cases"] : corpus {
      isClean = try suiteRunner(for: folder).run() && isClean
    }
    for folder in hostile {
      isClean = try hostileRunner(for: folder).run() && isClean
    }
    for folder in triggers {
      isClean = try TriggerRunner(folder: folder, childCount: jobs, isVerbose: verbose).run() && isClean
    }
    if !isClean { throw ExitCode.failure }
  }

  private func suiteRunner(for folder: String) throws -> SuiteRunner {
    guard FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv") else {
      throw ValidationError("\(folder) holds no MANIFEST.tsv; run from the top of the package or name one by --corpus")
    }
    return SuiteRunner(
      folder: folder, formats: format, suites: suite, childCount: jobs,
      expectations: SuiteExpectations(folder: expectations, recordsPasses: recordPasses),
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
