// The options of the result's size, and of commands that render SVG: background, linked images and fonts.

internal import ArgumentParser
internal import ImageCodecs
internal import Platform

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The options of rendering documents.
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

  /// The resizing of images other than drawings; `nil` if they keep their size.
  var resizing: Thumbnail? {
    guard width != nil || height != nil else { return nil }
    return Thumbnail(
      width: width, height: height, fit: .exact, enlarges: true, filter: filter?.filter ?? .lanczos3, color: .source)
  }

  /// The colour behind drawings and transparent pixels.
  var backgroundColor: RGBA8? { background.flatMap { ColorArgument(argument: $0)?.color } }

  /// Returns the rendering of an SVG.
  ///
  /// - Parameters:
  ///   - path: the path of the document; `nil` if it has none.
  ///   - budget: charged for drawing. Parsing may cost what is left of it.
  func draw(
    _ bytes: [UInt8], of path: String?, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> (bitmap: Bitmap, diagnostics: [ImageDiagnostic]) {
    var documentOptions = SVGDocument.Options.withBuiltInPictures
    documentOptions.tolerance = options.tolerance
    documentOptions.fonts = fonts.provider
    if let resources {
      documentOptions.loadResource = { Self.load($0, from: resources, of: path, limits: options.limits) }
    }
    let document = try SVGDocument(
      parsing: bytes, limits: SVGDocument.Limits(decoding: budget.remainingLimits), options: documentOptions)
    var bitmap = try document.render(width: width, height: height, background: backgroundColor, budget: &budget)
    try bitmap.convert(to: .rgba8, budget: &budget)
    bitmap.colorSpace = .sRGB
    return (bitmap, document.diagnostics)
  }

  /// Returns a file of the folder, to which links refer. Links of a document in the folder refer to the document's own
  /// folder first. Links that lead outside the folder, including symbolic links, are not followed.
  private static func load(
    _ link: String, from folder: String, of document: String?, limits: DecodingLimits
  ) -> [UInt8]? {
    guard !link.contains(":"), !link.hasPrefix("/"), let path = URL(string: link)?.path(percentEncoded: false),
      !path.isEmpty, let root = try? Directories.realPath(FileName.bytes(of: folder))
    else { return nil }
    let slash = UInt8(ascii: "/")
    let inside = root.last == slash ? root : root + [slash]
    var bases = [inside]
    if let document, let file = try? Directories.realPath(FileName.bytes(of: document)), file.starts(with: inside),
      let end = file.lastIndex(of: slash)
    {
      bases.insert(Array(file[...end]), at: 0)
    }
    let relative = Array(withoutParents(path).utf8)
    for base in bases {
      guard let file = try? Directories.realPath(base + relative), file.starts(with: inside) else { continue }
      if let bytes = try? StandardStreams.readFile(FileName.text(of: file), limits: limits) { return bytes }
    }
    return nil
  }

  /// Removes `.`, and `..` with the component before it, as for URLs: the component need not exist.
  private static func withoutParents(_ path: String) -> String {
    var components: [Substring] = []
    for component in path.split(separator: "/") where component != "." {
      if component == "..", let last = components.last, last != ".." {
        components.removeLast()
      } else {
        components.append(component)
      }
    }
    return components.joined(separator: "/")
  }
}
