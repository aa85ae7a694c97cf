// The options of the result's size, and of commands that render SVG: background, linked images and fonts.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// How documents are rendered.
struct DrawingArguments: ParsableArguments {
  @Option(help: "The width of the result in pixels. If only one side is given, the aspect ratio is kept.")
  var width: Int?

  @Option(help: "The height of the result in pixels.")
  var height: Int?

  @Option(
    help: ArgumentHelp(
      "The filter that resizes images other than drawings. Default: lanczos3. Pillow's names are understood too.",
      valueName: "filter"))
  var filter: FilterArgument?

  @Option(help: "The colour behind drawings, and behind transparent pixels in JPEG: a CSS colour or RRGGBB[AA].")
  var background: String?

  @Option(help: "SVG: the folder to load linked images from. By default links are not followed.")
  var resources: String?

  @OptionGroup var fonts: FontArguments

  func validate() throws {
    try PixelArgument.check(width, "--width")
    try PixelArgument.check(height, "--height")
    if let background, ColorArgument(argument: background) == nil {
      throw ValidationError("'\(background)' is not a valid colour")
    }
    if filter != nil, width == nil, height == nil {
      throw ValidationError("--filter has no meaning without --width or --height")
    }
  }

  /// How images other than drawings are resized; `nil` if they keep their size.
  var resizing: Thumbnail? {
    guard width != nil || height != nil else { return nil }
    return Thumbnail(
      width: width, height: height, fit: .exact, enlarges: true, filter: filter?.filter ?? .lanczos3, color: .source)
  }

  /// The colour behind drawings and transparent pixels.
  var backgroundColor: RGBA8? { background.flatMap { ColorArgument(argument: $0)?.color } }

  /// Returns the rendering of an SVG, or `nil` for other formats.
  func draw(_ bytes: [UInt8], options: DecodingOptions) throws(CodecError) -> (
    bitmap: Bitmap, diagnostics: [ImageDiagnostic]
  )? {
    guard SVGDecoder().probe(bytes.span) == .yes(SVGDecoder.type) else { return nil }
    var documentOptions = SVGDocument.Options.withBuiltInPictures
    documentOptions.tolerance = options.tolerance
    documentOptions.fonts = fonts.provider
    if let resources { documentOptions.loadResource = { Self.load($0, from: resources) } }
    let document = try SVGDocument(
      parsing: bytes, limits: SVGDocument.Limits(decoding: options.limits), options: documentOptions)
    let bitmap = try document.render(width: width, height: height, background: backgroundColor)
    return (try bitmap.converted(to: .rgba8), document.diagnostics)
  }

  /// Returns a file of the folder. Links that lead outside it, including symbolic links, are not followed.
  private static func load(_ link: String, from folder: String) -> [UInt8]? {
    guard !link.contains(":"), !link.hasPrefix("/"), let path = link.removingPercentEncoding else { return nil }
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL
    let file = root.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL
    guard !path.isEmpty, file.path.hasPrefix(root.path + "/") else { return nil }
    return (try? StandardStreams.read(file.path)).map { Array($0) }
  }
}
