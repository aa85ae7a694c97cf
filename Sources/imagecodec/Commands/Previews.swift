// `imagecodec previews`: writes what a viewer would show while the file arrives.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// Passes an image in parts to a pipeline's decoder and writes each preview and the final image.
struct Previews: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the previews of an image that arrives in parts.",
    discussion: "Prints a line for each preview: the file and the number of bytes received, separated by a tab.")

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The directory, which is created if necessary.")
  var directory: String

  @Option(help: "The number of bytes in each part.")
  var chunkSize: Int

  @Option(help: "The format to write.")
  var format = OutputFormat.png

  @OptionGroup var decoding: DecodingArguments

  func validate() throws {
    if chunkSize < 1 { throw ValidationError("--chunk-size must be at least 1") }
  }

  func run() throws {
    let data = Data(try StandardStreams.read(input, limits: decoding.options.limits))
    try StandardStreams.makeDirectory(directory)
    let decoder = ImageDecoders.Default(options: decoding.options)
    var bar = ProgressBar(total: data.count, label: "bytes")
    defer { bar.finish() }
    var arrived = 0
    while arrived < data.count {
      arrived += min(chunkSize, data.count - arrived)
      if arrived == data.count { break }
      if let preview = decoder.decodePartiallyDownloadedData(data.prefix(arrived)) {
        let number = preview.userInfo[.scanNumberKey] as? Int ?? 1
        try write(preview.image, name: "preview-\(numbered(number))", arrived: arrived)
      }
      bar.update(arrived)
    }
    let final = try naming(input) { try decoder.decode(data) }
    try write(final.image, name: "final", arrived: arrived)
  }

  private func write(_ image: Bitmap, name: String, arrived: Int) throws {
    let file = "\(directory)/\(name).\(format.rawValue)"
    let output = FileOutput(path: file)
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: arrived)
    let encoded = try naming(file) {
      try format.encode(image, metadata: nil, to: output.makeOutput(), budget: &budget)
    }
    try output.finish(encoded)
    try StandardStreams.printLine("\(FileName.display(file))\t\(arrived)")
  }
}
