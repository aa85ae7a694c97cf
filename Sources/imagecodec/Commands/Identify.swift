// `imagecodec identify`: prints information from headers.

internal import ArgumentParser
internal import ImageCodecs

/// Prints one line for each file. Decodes no pixels.
struct Identify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print information from the headers of images.",
    discussion: """
      Files are memory-mapped, and only headers are read. The number of frames or pages and the duration are often not
      stored; finding them requires a scan of the file that skips pixel data, which --headers-only omits.
      """)

  @Argument(help: ArgumentHelp("Images, and directories of images; - means standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Print a JSON object for each file, one per line.")
  var json = false

  @Flag(help: "Do not scan files to count frames and pages.")
  var headersOnly = false

  @OptionGroup var limits: LimitArguments

  func run() throws {
    let options = DecodingOptions(limits: limits.value)
    let files = DirectoryFiles.expanding(files)
    var bar = ProgressBar(total: files.count, label: "files")
    defer { bar.finish() }
    var done = 0
    try forEachFile(files) { file in
      defer {
        done += 1
        bar.update(done)
      }
      let data = try StandardStreams.map(file, limits: limits.value)
      let info = try ImageFile(data, options: options).info(indexesFrames: !headersOnly)
      let report = ImageReport(file: file, info: info)
      try StandardStreams.printLine(json ? report.json : report.text)
    }
  }
}
