// The options of commands that draw: SVG at a size, on a background, with the pictures of a folder
// and some fonts.

internal import ArgumentParser
internal import ImageCodecs

/// How documents are drawn.
struct DrawingArguments: ParsableArguments {
  @Option(help: "SVG: columns of the drawing.")
  var width: Int?

  @Option(help: "SVG: rows of the drawing.")
  var height: Int?

  @Option(help: "SVG: what lies under the drawing, as RRGGBB or RRGGBBAA.")
  var background: String?

  @Option(help: "SVG: the folder that linked pictures may come from. Without it no link is followed.")
  var resources: String?

  @OptionGroup var fonts: FontArguments

  func validate() throws {
    guard (width ?? 1) > 0, (height ?? 1) > 0 else { throw ValidationError("a drawing has at least one pixel") }
    if let background, Self.color(background) == nil { throw ValidationError("'\(background)' is not RRGGBB[AA]") }
  }

  /// The drawing of an SVG; `nil` for other formats.
  func draw(_ bytes: [UInt8], options: DecodingOptions) throws(DecodeError) -> (
    bitmap: Bitmap, diagnostics: [ImageDiagnostic]
  )? {
    guard SVGDecoder().probe(bytes.span) == .yes(SVGDecoder.type) else { return nil }
    var documentOptions = SVGDocument.Options.withBuiltInPictures
    documentOptions.tolerance = options.tolerance
    documentOptions.fonts = fonts.provider
    if let resources { documentOptions.loadResource = { Self.load($0, from: resources) } }
    let document = try SVGDocument(
      parsing: bytes, limits: SVGDocument.Limits(decoding: options.limits), options: documentOptions)
    let color = background.flatMap { Self.color($0) }
    let bitmap = try document.render(width: width, height: height, background: color)
    return (bitmap.converted(to: .rgba8), document.diagnostics)
  }

  /// A file of the folder; links that lead out of it are not followed.
  private static func load(_ link: String, from folder: String) -> [UInt8]? {
    let parts = link.split(separator: "/", omittingEmptySubsequences: false)
    guard !link.contains(":"), !link.hasPrefix("/"), !parts.contains("..") else { return nil }
    return (try? StandardStreams.read(folder + "/" + link)).map { Array($0) }
  }

  private static func color(_ text: String) -> RGBA8? {
    let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
    guard digits.count == 6 || digits.count == 8, let value = UInt32(digits, radix: 16) else { return nil }
    let rgba = digits.count == 8 ? value : value << 8 | 255
    return RGBA8(
      red: UInt8(truncatingIfNeeded: rgba >> 24), green: UInt8(truncatingIfNeeded: rgba >> 16),
      blue: UInt8(truncatingIfNeeded: rgba >> 8), alpha: UInt8(truncatingIfNeeded: rgba))
  }
}
