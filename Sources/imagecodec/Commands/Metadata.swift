// `imagecodec metadata`: what a file carries beside its pixels: shown, removed, or taken over from another file.

internal import ArgumentParser
internal import ImageCodecs

/// The three commands about metadata.
struct Metadata: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, remove or copy what images carry beside their pixels.",
    subcommands: [Show.self, Strip.self, Copy.self])
}

extension Metadata {
  /// Prints EXIF, IPTC, XMP, the profile's name, texts and comments.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print EXIF, IPTC, XMP, profile, texts and comments.",
      discussion:
        "Prints a line a value: its group, its name and itself, with tabs between; with --json an object a file.")

    @Argument(help: ArgumentHelp("Images, and directories of them; - is standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Print a JSON object a line.")
    var json = false

    @Option(help: "What reading an image may cost.")
    var limits = DecodingArguments.Limits.default

    func run() throws {
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
        let metadata = try ImageMetadata(reading: data, options: InfoOptions(limits: limits.value))
        let report = MetadataReport(metadata)
        if json {
          print(report.json(file: file))
        } else {
          if files.count > 1 { print("\(file):") }
          for line in report.lines { print(line) }
        }
      }
    }
  }

  /// Removes metadata from JPEG and PNG files.
  struct Strip: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a JPEG or PNG without its metadata.",
      discussion: """
        EXIF, XMP, IPTC, texts, comments, times and embedded thumbnails go. The bytes of the pixels, the colour profile \
        and the orientation stay, so that the picture looks as before.
        """)

    @Argument(help: "The image; - is standard input.")
    var input: String

    @Argument(help: "Where to write; - is standard output.")
    var output: String

    func run() throws {
      let file = Array(try StandardStreams.read(input))
      let stripped = try naming(input) { try ImageMetadata.stripped(from: file) }
      try StandardStreams.write(stripped, to: output)
    }
  }

  /// Gives a JPEG or PNG the metadata of another file.
  struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a JPEG or PNG with the metadata of another image.",
      discussion: """
        EXIF, XMP, IPTC, texts and comments of the image are exchanged for those of the source, without its thumbnail. \
        The bytes of the pixels, the colour profile and the orientation stay those of the image.
        """)

    @Argument(help: "The image with the metadata, of any format; - is standard input.")
    var source: String

    @Argument(help: "The image with the pixels.")
    var input: String

    @Argument(help: "Where to write; - is standard output.")
    var output: String

    func run() throws {
      let data = try StandardStreams.read(source)
      let metadata = try naming(source) { try ImageMetadata(reading: data) }
      let file = Array(try StandardStreams.read(input))
      let result = try naming(input) { try metadata.replacing(in: file) }
      try StandardStreams.write(result, to: output)
    }
  }
}
