// `imagecodec frames`: writes each frame of an animation to a file.

internal import ArgumentParser
internal import ImageCodecs

/// Writes the composed frames of an animation, or the only frame of a still image.
struct Frames: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the frames of an animation to a directory.",
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
    let bytes = Array(try StandardStreams.read(input))
    let animation = try naming(input) {
      try ImageFormatRegistry.shared.animation(bytes, options: decoding.options)
    }
    let frameCount = animation?.frameCount ?? 1
    if let frame, frame < 0 || frame >= frameCount {
      throw ToolFailure(file: input, usage: "frame \(frame) is out of range: the frame count is \(frameCount)")
    }
    try StandardStreams.makeDirectory(directory)
    guard let animation else {
      try write(try naming(input) { try Bitmap(decoding: bytes, options: decoding.options) }, index: 0, delay: .zero)
      return
    }
    if let frame {
      try write(try naming(input) { try animation.frame(at: frame) }, of: animation, index: frame)
    } else {
      try writeAll(animation)
    }
  }

  private func writeAll(_ animation: any AnimatedImageSource) throws {
    var bar = ProgressBar(total: animation.frameCount, label: "frames")
    defer { bar.finish() }
    var cursor = animation.makeCursor()
    for index in 0..<animation.frameCount {
      var picture: Bitmap?
      do throws(CodecError) { picture = try cursor.next() } catch { throw ToolFailure(file: input, error) }
      guard let picture else { return }
      try write(picture, of: animation, index: index)
      bar.update(index + 1)
    }
  }

  private func write(_ picture: Bitmap, of animation: any AnimatedImageSource, index: Int) throws {
    try write(picture, index: index, delay: animation.frameInfo(at: index).storedDelay)
  }

  private func write(_ picture: Bitmap, index: Int, delay: Duration) throws {
    let file = "\(directory)/frame-\(numbered(index)).\(format.rawValue)"
    try StandardStreams.write(try naming(file) { try format.encode(picture, metadata: nil) }, to: file)
    print("\(file)\t\(delay.milliseconds)")
  }
}

/// Returns a number padded to at least four digits, so that file names sort by number.
func numbered(_ number: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
