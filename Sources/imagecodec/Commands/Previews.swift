// `imagecodec previews`: writes what a viewer would show while the file arrives.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// Passes an image in parts to a pipeline's decoder and writes each preview and the final image.
struct Previews: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the previews of an image that arrives in parts.",
    discussion:
      "Prints a line for each preview: the file and the number of bytes received, separated by a tab. All previews together have the limits of one call; the final image is another."
  )

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
    if let reason = try writePreviews(of: data, by: decoder, &bar) {
      // The image itself is a call of its own.
      StandardStreams.printError("imagecodec: \(input): there are no more previews: \(reason)")
    }
    let final = try naming(input) { try decoder.decode(data) }
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: data.count)
    if let error = try write(final.image, name: "final", arrived: data.count, &budget) {
      throw ToolFailure(file: input, error)
    }
  }

  /// The work units for a pixel of a preview, which the decoder makes without a budget.
  private static let workPerPixel = 12

  /// Writes all previews within one budget. Returns the limit that is exceeded, if one is.
  private func writePreviews(
    of data: Data, by decoder: ImageDecoders.Default, _ bar: inout ProgressBar
  ) throws -> CodecError? {
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: data.count)
    var arrived = 0
    while true {
      arrived += min(chunkSize, data.count - arrived)
      if arrived >= data.count { return nil }
      do throws(CodecError) { try budget.checkpoint() } catch { return error }
      if let preview = decoder.decodePartiallyDownloadedData(data.prefix(arrived)) {
        let number = preview.userInfo[.scanNumberKey] as? Int ?? 1
        let error = try write(preview.image, name: "preview-\(numbered(number))", arrived: arrived, &budget)
        if let error { return error }
      }
      bar.update(arrived)
    }
  }

  /// Writes a picture. Returns the limit that is exceeded, if one is; then there is no file.
  private func write(
    _ image: Bitmap, name: String, arrived: Int, _ budget: inout ResourceBudget
  ) throws -> CodecError? {
    let file = "\(directory)/\(name).\(format.rawValue)"
    let output = FileOutput(path: file)
    let held = budget.heldByteCount
    let encoded: [UInt8]
    do throws(CodecError) {
      try budget.chargeWork(count: image.width * image.height, unitsEach: Self.workPerPixel)
      encoded = try format.encode(image, metadata: nil, to: output.makeOutput(), budget: &budget)
    } catch {
      return error
    }
    budget.release(budget.heldByteCount - held)
    try output.finish(encoded)
    try StandardStreams.printLine("\(FileName.display(file))\t\(arrived)")
    return nil
  }
}
