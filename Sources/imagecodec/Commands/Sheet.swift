// `imagecodec sheet`: writes all frames of an animation side by side, for visual inspection.

internal import ArgumentParser
internal import ImageCodecs

/// Writes a contact sheet.
struct Sheet: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write all frames of an animation into one image.",
    discussion: "Frames are arranged in rows from left to right, and scaled down if they are larger than --size.")

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "The format to write. Default: the format of the output's extension.")
  var format: OutputFormat?

  @Option(help: "The number of frames per row. Default: about the number of rows.")
  var columns: Int?

  @Option(help: "The maximum length of a frame's longer side on the sheet, in pixels.")
  var size = 160

  @Option(help: "The gap between frames in pixels.")
  var gap = 4

  @OptionGroup var decoding: DecodingArguments

  func validate() throws {
    try PixelArgument.check(size, "--size")
    try PixelArgument.check(columns, "--columns")
    try PixelArgument.check(gap, "--gap", from: 0)
  }

  func run() throws {
    let format = try OutputFormat(format, for: output)
    let bytes = try StandardStreams.read(input, limits: decoding.options.limits)
    let file = FileOutput(path: output)
    let encoded = try naming(input) {
      let image = try ImageFile(bytes, options: decoding.options)
      var budget = ResourceBudget(decoding.options)
      budget.allowEncoding(ofByteCount: bytes.count)
      var sheet: ContactSheet
      if let animation = try image.animation(budget: &budget) {
        sheet = try ContactSheet(
          count: animation.frameCount, tile: tile(for: animation.canvasSize), columns: columns, gap: gap,
          budget: &budget)
        var cursor = animation.makeCursor()
        while let picture = try cursor.next(budget: &budget) { try sheet.add(picture, budget: &budget) }
        cursor.release(to: &budget)
      } else {
        let only = try image.decode(budget: &budget).bitmap
        sheet = try ContactSheet(count: 1, tile: tile(for: only.pixelSize), columns: 1, gap: 0, budget: &budget)
        try sheet.add(only, budget: &budget)
      }
      return try format.encode(sheet.bitmap, metadata: nil, to: file.makeOutput(), budget: &budget)
    }
    try file.finish(encoded)
  }

  /// Returns the size of a frame on the sheet. Small frames keep theirs.
  private func tile(for canvas: PixelSize) -> PixelSize {
    let longest = max(canvas.width, canvas.height, 1)
    guard longest > size else { return canvas }
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * Double(size) / Double(longest)).rounded())) }
    return PixelSize(width: scaled(canvas.width), height: scaled(canvas.height))
  }
}
