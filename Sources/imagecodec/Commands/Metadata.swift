// `imagecodec metadata`: prints metadata, removes it, or copies it from another file.

internal import ArgumentParser
internal import ImageCodecs

/// The commands for metadata.
struct Metadata: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, remove or copy the metadata of images.",
    subcommands: [Show.self, Strip.self, Copy.self])
}

extension Metadata {
  /// Prints EXIF, IPTC, XMP, the profile's name, texts and comments.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print EXIF, IPTC, XMP, profile, texts and comments.",
      discussion:
        "Prints a line for each value: group, name and value, separated by tabs; with --json, an object for each file.")

    @Argument(help: ArgumentHelp("Images, and directories of images; - means standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Print a JSON object for each file, one per line.")
    var json = false

    @OptionGroup var limits: LimitArguments

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
        let data = try StandardStreams.map(file, limits: limits.value)
        let metadata = try ImageFile(data, options: DecodingOptions(limits: limits.value)).metadata()
        let report = MetadataReport(metadata)
        if json {
          try StandardStreams.printLine(report.json(file: file))
        } else {
          if files.count > 1 { try StandardStreams.printLine("\(FileName.display(file)):") }
          for line in report.lines { try StandardStreams.printLine(line) }
        }
      }
    }
  }

  /// Removes metadata from files.
  struct Strip: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write an image without its metadata; the picture is copied, not encoded again.",
      discussion: """
        EXIF, XMP, IPTC, texts, comments, times and thumbnails are removed. The image data, the colour profile \
        and the orientation are kept, so that the image looks the same. An SVG may still run scripts and load \
        resources; with --safe it can do neither.
        """)

    @Argument(help: "The image; - means standard input.")
    var input: String

    @Argument(help: "The file to write; - means standard output.")
    var output: String

    @OptionGroup var limits: LimitArguments

    @Flag(help: "Also remove what runs scripts or loads resources from an SVG.")
    var safe = false

    func run() throws {
      let file = try StandardStreams.read(input, limits: limits.value)
      let stripped = try naming(input) {
        try ImageFile(file, options: DecodingOptions(limits: limits.value))
          .stripped(removing: safe ? .activeContent : [])
      }
      try StandardStreams.write(stripped, to: output)
    }
  }

  /// Replaces the metadata of a file by that of another one.
  struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write an image with the metadata of another one; the picture is copied.",
      discussion: """
        The image's EXIF, XMP, IPTC, texts and comments are replaced by those of the source, without its thumbnail. \
        The image data, the colour profile and the orientation of the image are kept.
        """)

    @Argument(help: "The image with the metadata, of any format; - means standard input.")
    var source: String

    @Argument(help: "The image with the pixels.")
    var input: String

    @Argument(help: "The file to write; - means standard output.")
    var output: String

    @OptionGroup var limits: LimitArguments

    func run() throws {
      let data = try StandardStreams.read(source, limits: limits.value)
      let options = DecodingOptions(limits: limits.value)
      let metadata = try naming(source) { try ImageFile(data, options: options).metadata() }
      let file = try StandardStreams.read(input, limits: limits.value)
      let result = try naming(input) { try ImageFile(file, options: options).replacingMetadata(with: metadata) }
      try StandardStreams.write(result, to: output)
    }
  }
}
