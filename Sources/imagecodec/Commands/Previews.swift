// `imagecodec previews`: what a viewer would show while the file arrives.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// Feeds an image piece by piece to a pipeline's decoder and writes every preview and the final image.
struct Previews: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the previews that come while an image arrives.",
    discussion: "Prints a line a picture: the file and the bytes that had arrived, with a tab between.")

  @Argument(help: "The image; - is standard input.")
  var input: String

  @Argument(help: "The directory; it is made if it is not there.")
  var directory: String

  @Option(help: "Bytes that arrive at a time.")
  var chunkSize: Int

  @Option(help: "The format to write.")
  var format = OutputFormat.png

  @OptionGroup var decoding: DecodingArguments

  func validate() throws {
    if chunkSize < 1 { throw ValidationError("--chunk-size must be at least 1") }
  }

  func run() throws {
    let data = try StandardStreams.read(input)
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
    try StandardStreams.write(try naming(file) { try format.encode(image, metadata: nil) }, to: file)
    print("\(file)\t\(arrived)")
  }
}
