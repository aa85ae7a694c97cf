// `imagecodec sheet`: writes the frames of an animation, or key frames of a video, side by side, for visual inspection.

internal import ArgumentParser
internal import ImageCodecs

/// Writes a contact sheet.
struct Sheet: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the frames of an animation, or key frames of a video, into one image.",
    discussion: """
      Frames are arranged in rows from left to right, and scaled down if they are larger than --size. Key frames that \
      cannot be decoded are left out, unless decoding is strict.
      """)

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "The format to write. Default: the format of the output's extension.")
  var format: OutputFormat?

  @Option(
    help: """
      The number of frames, which are spread over the animation or video. Default: all frames of an animation, 12 key \
      frames of a video.
      """)
  var count: Int?

  @Option(help: "The number of frames per row. Default: about the number of rows.")
  var columns: Int?

  @Option(help: "The maximum length of a frame's longer side on the sheet, in pixels.")
  var size = 160

  @Option(help: "The gap between frames in pixels.")
  var gap = 4

  @OptionGroup var decoding: DecodingArguments

  func validate() throws {
    try PixelArgument.check(size, "--size")
    try PixelArgument.check(count, "--count")
    try PixelArgument.check(columns, "--columns")
    try PixelArgument.check(gap, "--gap", from: 0)
  }

  func run() throws {
    let format = try OutputFormat(format, for: output)
    let options = decoding.options
    let video = StandardStreams.openVideo(input, options: options)
    let bytes = video == nil ? try StandardStreams.read(input, limits: options.limits) : []
    let file = FileOutput(path: output)
    let encoded = try naming(input) {
      let image = try video ?? ImageFile(bytes, options: options)
      var budget = ResourceBudget(options)
      budget.allowEncoding(ofByteCount: bytes.count)
      let sheet =
        if let times = try image.keyFrameTimes() {
          try sheet(of: image, keyFrameCount: times.count, &budget)
        } else if let animation = try image.animation(budget: &budget) {
          try sheet(of: animation, &budget)
        } else {
          try sheet(of: image, &budget)
        }
      return try format.encode(sheet.bitmap, metadata: nil, to: file.makeOutput(), budget: &budget)
    }
    try file.finish(encoded)
  }

  /// Returns the indices of the frames on the sheet, spread over all of them.
  private func shownFrames(of total: Int, count: Int) -> [Int] {
    let count = min(count, total)
    return (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }

  private func sheet(
    of animation: any AnimatedImageSource, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ContactSheet {
    let shown = shownFrames(of: animation.frameCount, count: count ?? animation.frameCount)
    var sheet = try ContactSheet(
      count: shown.count, tile: tile(for: animation.canvasSize), columns: columns, gap: gap, budget: &budget)
    var cursor = animation.makeCursor()
    var next = shown[...]
    var index = 0
    while let place = next.first, let picture = try cursor.next(budget: &budget) {
      if index == place {
        StandardStreams.report(cursor.diagnostics, of: input)
        try sheet.add(picture, budget: &budget)
        next.removeFirst()
      }
      index += 1
    }
    cursor.release(to: &budget)
    return sheet
  }

  private func sheet(
    of video: ImageFile, keyFrameCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ContactSheet {
    let shown = shownFrames(of: keyFrameCount, count: count ?? 12)
    var sheet = try ContactSheet(
      count: shown.count, tile: tile(for: try video.info().orientedSize), columns: columns, gap: gap, budget: &budget)
    var errors: [CodecError] = []
    for index in shown {
      let heldByteCount = budget.heldByteCount
      var frame = video
      frame.options.keyFrame = .index(index)
      do throws(CodecError) {
        try sheet.add(try frame.decode(budget: &budget).bitmap, budget: &budget)
      } catch {
        let isOfFrame = error.isDamage || error.kind == .unsupported || error.kind == .unrecognizedFormat
        guard video.options.tolerance == .lenient, isOfFrame else { throw error }
        StandardStreams.printError("imagecodec: \(input): key frame \(index) is left out: \(error.reason)")
        errors.append(error)
      }
      budget.settle(heldByteCount: heldByteCount)
    }
    if let error = errors.first, errors.count == shown.count { throw error }
    return sheet
  }

  private func sheet(of image: ImageFile, _ budget: inout ResourceBudget) throws(CodecError) -> ContactSheet {
    let only = try image.decode(budget: &budget).bitmap
    var sheet = try ContactSheet(count: 1, tile: tile(for: only.pixelSize), columns: 1, gap: 0, budget: &budget)
    try sheet.add(only, budget: &budget)
    return sheet
  }

  /// Returns the size of a frame on the sheet. Small frames keep theirs.
  private func tile(for canvas: PixelSize) -> PixelSize {
    let longest = max(canvas.width, canvas.height, 1)
    guard longest > size else { return canvas }
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * Double(size) / Double(longest)).rounded())) }
    return PixelSize(width: scaled(canvas.width), height: scaled(canvas.height))
  }
}
