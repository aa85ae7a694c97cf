// `imagecodec identify`: what the headers tell.

internal import ArgumentParser
internal import ImageCodecs

/// Prints one line a file. Decodes no pixels.
struct Identify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what the headers of images tell.",
    discussion: """
      Files are mapped, not read: only headers are looked at. How many frames or pages there are and how long they last
      often stands nowhere; it takes a walk over the file that skips pixels, which --headers-only leaves out.
      """)

  @Argument(help: ArgumentHelp("Images, and directories of them; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Print a JSON object a line.")
  var json = false

  @Flag(help: "Do not walk over files to count frames and pages.")
  var headersOnly = false

  @Option(help: "What reading an image may cost.")
  var limits = DecodingArguments.Limits.default

  func run() throws {
    let options = InfoOptions(limits: limits.value, indexesFrames: !headersOnly)
    let files = expandingDirectories(files)
    var bar = ProgressBar(total: files.count, label: "files")
    defer { bar.finish() }
    var done = 0
    try forEachFile(files) { file in
      defer {
        done += 1
        bar.update(done)
      }
      let data = try StandardStreams.read(file, mapped: true)
      let report = ImageReport(file: file, info: try ImageInfo(reading: data, options: options))
      print(json ? report.json : report.text)
    }
  }
}
