// `imagecodec identify`: what the headers tell.

internal import ArgumentParser
internal import ImageCodecs

/// Prints one line a file. Decodes no pixels.
struct Identify: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print what the headers of images tell.")

  @Argument(help: ArgumentHelp("Images; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Print a JSON object a line.")
  var json = false

  @Option(help: "What reading an image may cost.")
  var limits = DecodingArguments.Limits.default

  func run() throws {
    let options = InfoOptions(limits: limits.value, indexesFrames: true)
    try forEachFile(files) { file in
      let data = try StandardStreams.read(file, mapped: true)
      let report = ImageReport(file: file, info: try ImageInfo(reading: data, options: options))
      print(json ? report.json : report.text)
    }
  }
}
