// `imagecodec frames`: writes each frame of an animation, or each image of a file with several, to a file.

internal import ArgumentParser
internal import ImageCodecs

/// Writes the composed frames of an animation, the pages or entries of a file with several images, or the only image.
struct Frames: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the frames of an animation, or the pages or entries of a file, to a directory.",
    discussion: "Prints a line for each frame: the file and the stored delay in milliseconds, separated by a tab.")

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The directory, which is created if necessary.")
  var directory: String

  @Option(help: "The format to write.")
  var format = OutputFormat.png

  @Option(help: "Only this frame, counted from 0.")
  var frame: Int?

  @OptionGroup var decoding: DecodingArguments

  func run() throws {
    let bytes = try StandardStreams.read(input, limits: decoding.options.limits)
    var budget = ResourceBudget(decoding.options)
    budget.allowEncoding(ofByteCount: bytes.count)
    let animation = try naming(input) {
      try ImageFile(bytes, options: decoding.options).animation(budget: &budget)
    }
    let frameCount = try animation?.frameCount ?? imageCount(bytes, budget)
    if let frame, frame < 0 || frame >= frameCount {
      throw ToolFailure(file: input, usage: "frame \(frame) is out of range: the frame count is \(frameCount)")
    }
    try StandardStreams.makeDirectory(directory)
    guard let animation else { return try writeImages(bytes, count: frameCount, &budget) }
    StandardStreams.report(animation.diagnostics, of: input)
    if let frame {
      let picture = try naming(input) { try animation.frame(at: frame, budget: &budget) }
      try naming(input) { StandardStreams.report(try animation.diagnostics(ofFrameAt: frame), of: input) }
      try write(picture, of: animation, index: frame, &budget)
    } else {
      try writeAll(animation, &budget)
    }
  }

  /// Returns the number of images in a file that is not animated.
  private func imageCount(_ bytes: [UInt8], _ budget: borrowing ResourceBudget) throws -> Int {
    let options = DecodingOptions(limits: budget.remainingLimits)
    return try naming(input) { try ImageFile(bytes, options: options).info(indexesFrames: true).imageCount ?? 1 }
  }

  /// Writes the images of a file that is not animated.
  private func writeImages(_ bytes: [UInt8], count: Int, _ budget: inout ResourceBudget) throws {
    var bar = ProgressBar(total: count, label: "images")
    defer { bar.finish() }
    for index in frame.map({ $0..<$0 + 1 }) ?? 0..<count {
      var options = decoding.options
      if count > 1 { options.imageIndex = index }
      let heldByteCount = budget.heldByteCount
      let picture = try naming(input) {
        try ImageFile(bytes, options: options).decode(budget: &budget).bitmap
      }
      try write(picture, index: index, delay: .zero, &budget)
      budget.settle(heldByteCount: heldByteCount)
      bar.update(index + 1)
    }
  }

  private func writeAll(_ animation: any AnimatedImageSource, _ budget: inout ResourceBudget) throws {
    var bar = ProgressBar(total: animation.frameCount, label: "frames")
    defer { bar.finish() }
    var cursor = animation.makeCursor()
    for index in 0..<animation.frameCount {
      var picture: Bitmap?
      do throws(CodecError) { picture = try cursor.next(budget: &budget) } catch {
        throw ToolFailure(file: input, error)
      }
      guard let picture else { return }
      StandardStreams.report(cursor.diagnostics, of: input)
      try write(picture, of: animation, index: index, &budget)
      bar.update(index + 1)
    }
  }

  private func write(
    _ picture: Bitmap, of animation: any AnimatedImageSource, index: Int, _ budget: inout ResourceBudget
  ) throws {
    try write(picture, index: index, delay: animation.frameInfo(at: index).storedDelay, &budget)
  }

  private func write(_ picture: Bitmap, index: Int, delay: Duration, _ budget: inout ResourceBudget) throws {
    let file = "\(directory)/frame-\(numbered(index)).\(format.rawValue)"
    let output = FileOutput(path: file)
    let heldByteCount = budget.heldByteCount
    let encoded = try naming(file) {
      try format.encode(picture, metadata: nil, to: output.makeOutput(), budget: &budget)
    }
    budget.settle(heldByteCount: heldByteCount)
    try output.finish(encoded)
    try StandardStreams.printLine("\(FileName.display(file))\t\(delay.milliseconds)")
  }
}

/// Returns a number padded to at least four digits, so that file names sort by number.
func numbered(_ number: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
