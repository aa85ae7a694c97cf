// `imagecodec check`: reports damage in files.

internal import ArgumentParser
internal import ImageCodecs

/// Decodes images strictly, including all frames of animations, and prints their diagnostics.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decode images strictly and report damage.",
    discussion:
      "Prints OK for each valid file, or a line for each defect that a lenient decode tolerates. Errors go to stderr.")

  @Argument(help: ArgumentHelp("Images, and directories of images; - means standard input.", valueName: "file"))
  var files: [String]

  @Option(help: "The resource limits of decoding.")
  var limits = DecodingArguments.Limits.default

  func run() throws {
    let files = DirectoryFiles.expanding(files)
    var bar = ProgressBar(total: files.count, label: "files")
    defer { bar.finish() }
    var done = 0
    try forEachFile(files) { file in
      defer {
        done += 1
        bar.update(done)
      }
      try check(file, bytes: try StandardStreams.read(file, limits: limits.value))
    }
  }

  private func check(_ file: String, bytes: [UInt8]) throws {
    let strict = DecodingOptions(tolerance: .strict, limits: limits.value)
    let name = FileName.display(file)
    do {
      let file = try ImageFile(bytes, options: strict)
      let image = try file.decode()
      try checkFrames(of: file)
      if image.diagnostics.isEmpty { try StandardStreams.printLine("\(name): OK") }
      try report(image.diagnostics, of: name)
    } catch let error as CodecError {
      // The diagnostics of a lenient decode show where the damage is and what can be recovered.
      let lenient = DecodingOptions(tolerance: .lenient, limits: limits.value)
      try report((try? ImageFile(bytes, options: lenient).decode())?.diagnostics ?? [], of: name)
      throw error
    }
  }

  private func report(_ diagnostics: [ImageDiagnostic], of name: String) throws(LostOutput) {
    for diagnostic in diagnostics {
      try StandardStreams.printLine(TerminalText.escaped("\(name): \(diagnostic)"))
    }
  }

  private func checkFrames(of file: ImageFile) throws {
    guard let animation = try file.animation() else { return }
    var cursor = animation.makeCursor()
    while try cursor.next() != nil {}
  }
}
