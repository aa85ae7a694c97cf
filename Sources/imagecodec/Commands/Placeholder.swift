// `imagecodec placeholder`: prints placeholders of an image until it is loaded, and hashes that identify copies of it.

internal import ArgumentParser
internal import ImageCodecs

/// Prints one line for each file.
struct Placeholder: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print ThumbHash, BlurHash, perceptual hash and colours of images.",
    discussion: """
      Prints a JSON object for each file, one per line. thumbHash is in base64, perceptualHash has 16 hexadecimal digits, \
      and similar images differ in few of its bits. Colours are those of the upright image in sRGB.
      """)

  @Argument(help: ArgumentHelp("Images, and directories of images; - means standard input.", valueName: "file"))
  var files: [String]

  @Option(help: "The maximum number of dominant colours, 1…32.")
  var colors = 5

  @OptionGroup var limits: LimitArguments

  func validate() throws {
    guard (1...32).contains(colors) else { throw ValidationError("--colors must be between 1 and 32") }
  }

  func run() throws {
    let options = DecodingOptions(limits: limits.value)
    try forEachFile(DirectoryFiles.expanding(files)) { file in
      let data = try StandardStreams.read(file, limits: limits.value)
      let image = try ImageFile(data, options: options).thumbnail(width: 256, height: 256).bitmap
      var line = JSONLine()
      line.add("file", name: file)
      line.add("thumbHash", try ThumbHash(image).base64)
      line.add("blurHash", try BlurHash(image).text)
      line.add("perceptualHash", try PerceptualHash(image).description)
      line.add("averageColor", try image.averageColor().hex)
      let dominant = try image.dominantColors(maximumCount: colors)
      line.add(
        "dominantColors",
        dominant.map { "\($0.color.hex) \(Int(($0.share * 100).rounded()))%" }.joined(separator: ", "))
      try StandardStreams.printLine(line.text)
    }
  }
}
