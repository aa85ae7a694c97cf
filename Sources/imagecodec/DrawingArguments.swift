// The options of commands that render SVG: size, background, linked images and fonts.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// How documents are rendered.
struct DrawingArguments: ParsableArguments {
  @Option(help: "SVG: the width of the drawing in pixels.")
  var width: Int?

  @Option(help: "SVG: the height of the drawing in pixels.")
  var height: Int?

  @Option(help: "The colour behind drawings, and behind transparent pixels in JPEG: a CSS colour or RRGGBB[AA].")
  var background: String?

  @Option(help: "SVG: the folder to load linked images from. By default links are not followed.")
  var resources: String?

  @OptionGroup var fonts: FontArguments

  func validate() throws {
    try PixelArgument.check(width, "--width")
    try PixelArgument.check(height, "--height")
    if let background, Self.color(background) == nil { throw ValidationError("'\(background)' is not a valid colour") }
  }

  /// The colour behind drawings and transparent pixels.
  var backgroundColor: RGBA8? { background.flatMap { Self.color($0) } }

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

  /// Hexadecimal digits are accepted without `#`, which starts a comment in a shell.
  private static func color(_ text: String) -> RGBA8? {
    RGBA8(css: text) ?? RGBA8(css: "#" + text)
  }
}
