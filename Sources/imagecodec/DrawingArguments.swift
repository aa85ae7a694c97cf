// The options of commands that draw: SVG at a size, on a background, with the pictures of a folder
// and some fonts.

internal import ArgumentParser
internal import Foundation
internal import ImageCodecs

/// How documents are drawn.
struct DrawingArguments: ParsableArguments {
  @Option(help: "SVG: columns of the drawing.")
  var width: Int?

  @Option(help: "SVG: rows of the drawing.")
  var height: Int?

  @Option(help: "The colour under a drawing, and under transparent pixels in JPEG: of CSS, or RRGGBB[AA].")
  var background: String?

  @Option(help: "SVG: the folder that linked pictures may come from. Without it no link is followed.")
  var resources: String?

  @OptionGroup var fonts: FontArguments

  func validate() throws {
    try PixelArgument.check(width, "--width")
    try PixelArgument.check(height, "--height")
    if let background, Self.color(background) == nil { throw ValidationError("'\(background)' is no colour") }
  }

  /// The colour under drawings and transparent pixels.
  var backgroundColor: RGBA8? { background.flatMap { Self.color($0) } }

  /// The drawing of an SVG; `nil` for other formats.
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

  /// A file of the folder; links that lead out of it are not followed, be they symbolic.
  private static func load(_ link: String, from folder: String) -> [UInt8]? {
    guard !link.contains(":"), !link.hasPrefix("/"), let path = link.removingPercentEncoding else { return nil }
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL
    let file = root.appendingPathComponent(path).resolvingSymlinksInPath().standardizedFileURL
    guard !path.isEmpty, file.path.hasPrefix(root.path + "/") else { return nil }
    return (try? StandardStreams.read(file.path)).map { Array($0) }
  }

  /// Digits alone are taken as they stand behind `#`, which a shell takes for a comment.
  private static func color(_ text: String) -> RGBA8? {
    RGBA8(css: text) ?? RGBA8(css: "#" + text)
  }
}
