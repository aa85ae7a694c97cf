// `imagecodec previews`: writes what a viewer would show while the file arrives.

internal import ArgumentParser
internal import ImageCodecs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Passes an image in parts to a session and writes each preview and the final image.
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
    let session = ImageSession(options: decoding.options)
    var bar = ProgressBar(total: data.count, label: "bytes")
    defer { bar.finish() }
    var arrived = 0
    if let reason = try writePreviews(of: data, by: session, &arrived, &bar) {
      // The image itself is decoded by a separate call.
      StandardStreams.printError("imagecodec: \(input): there are no more previews: \(reason)")
    }
    let final = try naming(input) {
      try session.append(data.span.extracting(arrived..<data.count))
      return try session.finish()
    }
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: data.count)
    if let error = try write(final.bitmap, name: "final", arrived: data.count, &budget) {
      throw ToolFailure(file: input, error)
    }
  }

  /// The work units for a pixel of a preview, which the decoder makes without a budget.
  private static let workPerPixel = 12

  /// Writes all previews within one budget. Returns the limit that is exceeded, if one is.
  private func writePreviews(
    of data: Data, by session: ImageSession, _ arrived: inout Int, _ bar: inout ProgressBar
  ) throws -> CodecError? {
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: data.count)
    var count = 0
    while data.count - arrived > chunkSize {
      // An error is thrown again at the end.
      _ = try? session.append(data.span.extracting(arrived..<arrived + chunkSize))
      arrived += chunkSize
      do throws(CodecError) { try budget.checkpoint() } catch { return error }
      if let preview = session.nextPreview() {
        count += 1
        let error = try write(preview, name: "preview-\(numbered(count))", arrived: arrived, &budget)
        if let error { return error }
      }
      bar.update(arrived)
    }
    return nil
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
