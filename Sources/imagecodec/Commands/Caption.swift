// `imagecodec caption`: writes text on an image.

internal import ArgumentParser
internal import ImageCodecs

/// Draws text on an image and writes the result.
struct Caption: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write text on an image, such as a caption or a watermark.",
    discussion: """
      The text is wrapped within the image and its margin. Line feeds begin new lines. All scripts are shaped, and \
      characters that the font lacks are taken from other fonts. Sizes are in pixels of the upright image.
      Of an animation or a file with several images the main one is used. Colours and metadata are kept.
      """)

  @Argument(help: "The image; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "The text.")
  var text: String

  @Option(help: "The format to write. Default: the format of the output's extension.")
  var format: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "The font families in order of preference, or 'serif', 'sans-serif', 'monospace'.", valueName: "family"))
  var font: [String] = []

  @Option(help: "The font size. Default: a twentieth of the image's shorter side, at least 8.")
  var size: Double?

  @Option(help: "The weight of the font, 1…1000; 700 is bold.")
  var weight = 400

  @Flag(help: "Use italic letters.")
  var italic = false

  @Option(help: "The colour: a CSS colour or RRGGBB[AA]. Default: white.")
  var color: ColorArgument?

  @Option(help: "The opacity of the text as a whole, 0…1.")
  var opacity = 1.0

  @Option(help: "Where the text is placed.")
  var at = Position.bottom

  @Option(help: "The distance from the edges. Default: half the font size.")
  var margin: Double?

  @Option(help: "The angle by which the text is turned clockwise about the middle of the image, in degrees.")
  var rotate = 0.0

  @Option(help: "The maximum number of lines; an ellipsis replaces the rest.")
  var maxLines: Int?

  @Option(help: "A BCP 47 tag of the text's language, such as tr.")
  var language: String?

  @OptionGroup var fonts: FontArguments

  @OptionGroup var encoding: EncodingArguments

  @OptionGroup var decoding: DecodingArguments

  /// A place on an image.
  enum Position: String, CaseIterable, ExpressibleByArgument {
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case left
    case center
    case right
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"

    var horizontal: TextFrame.HorizontalAlignment {
      switch self {
      case .topLeft, .left, .bottomLeft: .left
      case .top, .center, .bottom: .center
      case .topRight, .right, .bottomRight: .right
      }
    }

    var vertical: TextFrame.VerticalAlignment {
      switch self {
      case .topLeft, .top, .topRight: .top
      case .left, .center, .right: .middle
      case .bottomLeft, .bottom, .bottomRight: .bottom
      }
    }
  }

  func validate() throws {
    guard size.map({ $0 > 0 && $0.isFinite }) ?? true else { throw ValidationError("--size must be positive") }
    guard (1...1000).contains(weight) else { throw ValidationError("--weight must be between 1 and 1000") }
    guard (0...1).contains(opacity) else { throw ValidationError("--opacity must be between 0 and 1") }
    guard margin.map({ $0 >= 0 && $0.isFinite }) ?? true else {
      throw ValidationError("--margin must not be negative")
    }
    guard rotate.isFinite else { throw ValidationError("--rotate must be a finite number") }
    guard maxLines.map({ $0 > 0 }) ?? true else { throw ValidationError("--max-lines must be positive") }
  }

  func run() throws {
    let format = try encoding.format(format, for: output)
    let bytes = try StandardStreams.read(input, limits: decoding.options.limits)
    let file = FileOutput(path: output)
    let encoded = try naming(input) {
      var budget = ResourceBudget(decoding.options)
      budget.allowEncoding(ofByteCount: bytes.count)
      var image = try ImageFile(bytes, options: decoding.options).decode(budget: &budget)
      StandardStreams.report(image.diagnostics, of: input)
      try drawCaption(on: &image.bitmap, &budget)
      return try format.encode(
        image.bitmap, metadata: image.metadata, settings: encoding.settings(background: nil), to: file.makeOutput(),
        budget: &budget)
    }
    try file.finish(encoded)
  }

  private func drawCaption(on picture: inout Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    let size = size ?? max(8, Double(min(picture.width, picture.height)) / 20)
    let margin = margin ?? size / 2
    let ink = color?.color ?? RGBA8(red: 255, green: 255, blue: 255, alpha: 255)
    let style = TextStyle(
      families: font.isEmpty ? ["sans-serif"] : font, size: size, weight: weight, isItalic: italic, color: ink,
      opacity: opacity, language: language)
    let frame = TextFrame(
      x: margin, y: margin, width: max(1, Double(picture.width) - 2 * margin),
      height: max(1, Double(picture.height) - 2 * margin), horizontalAlignment: at.horizontal,
      verticalAlignment: at.vertical, maximumLineCount: maxLines, rotation: rotate)
    let format = picture.format
    if format.colorModel == .gray, ink.red != ink.green || ink.green != ink.blue {
      // The colour of the text would be lost.
      try picture.convert(
        to: PixelFormat(.rgb, alpha: format.alpha, sampleType: format.sampleType), budget: &budget)
    }
    try picture.draw(
      text, style: style, in: frame, fonts: fonts.provider, limits: budget.remainingLimits,
      decodeImage: SVGDocument.Options.withBuiltInPictures.decodeImage)
    try budget.checkpoint()
  }
}
