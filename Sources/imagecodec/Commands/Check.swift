// `imagecodec check`: is there anything wrong with these files?

internal import ArgumentParser
internal import ImageCodecs

/// Decodes strictly, all frames of animations too, and prints what was noticed.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decode images strictly and tell what is wrong with them.",
    discussion: "Prints a line a file: OK, or what a lenient decode lives with. Errors go to standard error.")

  @Argument(help: ArgumentHelp("Images; - is standard input.", valueName: "file"))
  var files: [String]

  @Option(help: "What an image may cost.")
  var limits = DecodingArguments.Limits.default

  func run() throws {
    var bar = ProgressBar(total: files.count, label: "files")
    defer { bar.finish() }
    var done = 0
    try forEachFile(files) { file in
      defer {
        done += 1
        bar.update(done)
      }
      try check(file, bytes: Array(try StandardStreams.read(file)))
    }
  }

  private func check(_ file: String, bytes: [UInt8]) throws {
    let strict = DecodingOptions(tolerance: .strict, limits: limits.value)
    do {
      let image = try DecodedImage(decoding: bytes, options: strict)
      try checkFrames(bytes, options: strict)
      if image.diagnostics.isEmpty { print("\(file): OK") }
      for diagnostic in image.diagnostics { print("\(file): \(diagnostic)") }
    } catch {
      // What a lenient decode notices tells where the damage lies and what is left.
      let lenient = DecodingOptions(tolerance: .lenient, limits: limits.value)
      for diagnostic in (try? DecodedImage(decoding: bytes, options: lenient))?.diagnostics ?? [] {
        print("\(file): \(diagnostic)")
      }
      throw error
    }
  }

  private func checkFrames(_ bytes: [UInt8], options: DecodingOptions) throws {
    guard let animation = try ImageFormatRegistry.shared.animation(bytes, options: options) else { return }
    var cursor = animation.makeCursor()
    while try cursor.next() != nil {}
  }
}
