// The command line of the runner.

import ArgumentParser
import ConformanceKit
import Foundation

/// Compares decoders with references, and tests them with hostile files.
@main
struct Conformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Compares the decoders with references, and tests them with hostile files.",
    subcommands: [Run.self, Worker.self, Drill.self], defaultSubcommand: Run.self)
}

/// Runs test suites.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the cases of a folder (default: Conformance/Cases).",
    discussion: """
      Exits with 1 if a case fails or is unsupported and is not listed, if a listed failure passes, or if a suite has \
      fewer passing cases than required.
      """)

  @Option(help: ArgumentHelp("A folder with MANIFEST.tsv.", valueName: "dir"))
  var corpus: [String] = []

  @Option(help: ArgumentHelp("A folder of hostile files, which must not crash or exhaust a decoder.", valueName: "dir"))
  var hostile: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of files that must show the same pictures without their metadata.", valueName: "dir"))
  var stripped: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of files written by Triggers/generate.py: small, but costly without a budget.", valueName: "dir"))
  var triggers: [String] = []

  @Option(help: "The processor time that decoding such a file may take, in seconds.")
  var triggerSeconds = 2.0

  @Option(
    help: ArgumentHelp(
      "A folder with ICC.tsv or ICC-existing.tsv: references converted to sRGB by their profiles.", valueName: "dir"))
  var colors: [String] = []

  @Option(help: "Select files of this format, such as png.")
  var format: [String] = []

  @Option(help: "Select this suite: the first component of the path.")
  var suite: [String] = []

  @Option(help: ArgumentHelp("The folder with the lists of expected results.", valueName: "dir"))
  var expectations = "Conformance/Expectations"

  @Flag(help: "Save this run's numbers of passing cases as the required minimum.")
  var recordPasses = false

  @Option(
    help: ArgumentHelp(
      "Write a page to this folder: results by suite and feature, and each failing case beside its reference.",
      valueName: "dir"))
  var report: String?

  @Option(help: ArgumentHelp("Write the results by suite as a table in Markdown.", valueName: "file"))
  var markdown: String?

  @Option(help: "The number of concurrent child processes.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "Print each failing file with the reason.")
  var failures = false

  @Flag(help: "Print each file with its outcome.")
  var verbose = false

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs must be positive") }
    guard triggerSeconds > 0 else { throw ValidationError("--trigger-seconds must be positive") }
    guard !recordPasses || (format.isEmpty && suite.isEmpty) else {
      throw ValidationError("--record-passes requires a run of all formats and suites")
    }
  }

  func run() throws {
    var isClean = true
    let hasOthers = !hostile.isEmpty || !stripped.isEmpty || !triggers.isEmpty || !colors.isEmpty
    var results: [FolderResults] = []
    for folder in corpus.isEmpty && !hasOthers ? ["Conformance/Cases"] : corpus {
      let run = try suiteRunner(for: folder).run()
      isClean = run.isClean && isClean
      results.append(run.results)
    }
    if let report {
      try makeFolder(report)
      try writeFile([UInt8](ReportPage(results: results).html.utf8), to: report + "/index.html")
      print("the results are shown in \(report)/index.html")
    }
    if let markdown { try writeFile([UInt8](ReportTable(results: results).markdown.utf8), to: markdown) }
    for folder in hostile {
      isClean = try run(.examine, folder) && isClean
    }
    for folder in stripped {
      isClean = try run(.strip, folder) && isClean
    }
    for folder in colors {
      let runner = ColorRunner(folder: folder, childCount: jobs, showsFailures: failures, isVerbose: verbose)
      isClean = try runner.run() && isClean
    }
    for folder in triggers {
      let runner = TriggerRunner(
        folder: folder, allowedSeconds: triggerSeconds, childCount: jobs, isVerbose: verbose)
      isClean = try runner.run() && isClean
    }
    if !isClean { throw ExitCode.failure }
  }

  private func suiteRunner(for folder: String) throws -> SuiteRunner {
    guard FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv") else {
      throw ValidationError("\(folder) contains no MANIFEST.tsv")
    }
    return SuiteRunner(
      folder: folder, formats: format, suites: suite, childCount: jobs,
      expectations: SuiteExpectations(folder: expectations, recordsPasses: recordPasses),
      showsFailures: failures, isVerbose: verbose,
      pictureFolder: report.map { $0 + "/" + FolderResults(folder: folder).name })
  }

  private func run(_ examination: FolderRunner.Examination, _ folder: String) throws -> Bool {
    let runner = FolderRunner(
      examination: examination, folder: folder, selects: selects, childCount: jobs, isVerbose: verbose)
    return try runner.run()
  }

  /// Returns whether the options select a file of a folder without a manifest.
  private var selects: (String) -> Bool {
    let (formats, suites) = (format, suite)
    return { path in
      let fileExtension = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      let top = path.split(separator: "/").first.map { String($0) } ?? ""
      return (formats.isEmpty || formats.contains(fileExtension)) && (suites.isEmpty || suites.contains(top))
    }
  }
}
