// The decoder interface for SVG: recognised by content, decoded at the size that the document states.

public import ImageCoding
internal import XMLDocuments

/// Decodes SVG 1.1 and the parts of SVG 2 that browsers support, without animation and scripts.
///
/// The natural format is `rgba8`. Raster images in a document are decoded with ``SVGDocument/Options/decodeImage``. If
/// the decoder has no size, `DecodingOptions.targetSize` determines the size, even if that enlarges the document.
public struct SVGDecoder: ImageFormatDecoder {
  /// `public.svg-image`.
  public static let type = AssetType.svgDocument

  /// The options for reading documents.
  public var options: SVGDocument.Options
  /// The width of the result in pixels. If only one of width and height is `nil`, it follows from the aspect ratio; if
  /// both are, the document's size is used.
  public var width: Int?
  /// The height of the result in pixels; see ``width``.
  public var height: Int?

  /// Creates a decoder that draws at a document's own size, or at `width` and `height`.
  public init(
    width: Int? = nil, height: Int? = nil, options: SVGDocument.Options = SVGDocument.Options()
  ) {
    self.width = width
    self.height = height
    self.options = options
  }

  /// `public.svg-image`.
  public var types: [AssetType] { [Self.type] }

  /// Searches for an `svg` start tag after the XML declaration, comments, processing instructions and document type.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult { ContentSniffer.probe(prefix) }

  /// Reads the whole document, since its size may depend on all of it.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      info(of: try SVGDocument(parsing: bytes, options: self.options, budget: &budget))
    }
  }

  /// Draws the document at a size that depends on its own one. The pixel format is `rgba8.premultiplied`.
  ///
  /// - Parameter size: returns the size for that of the document, in pixels.
  package func draw(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget, size: (PixelSize) -> PixelSize
  ) throws(CodecError) -> DecodedImage {
    let document = try document(bytes, options: options, budget: &budget)
    let own = document.pixelSize(width: width, height: height)
    guard own.width > 0, own.height > 0 else {
      throw CodecError(.malformed, "the document has no size", format: Self.type)
    }
    let target = size(own)
    var drawing = try document.render(
      width: target.width, height: target.height, parallelism: options.parallelism, budget: &budget)
    drawing.colorSpace = .sRGB
    return DecodedImage(
      bitmap: drawing, details: DecodingDetails(info: info(of: document), diagnostics: document.diagnostics))
  }

  private func document(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> SVGDocument {
    var documentOptions = self.options
    documentOptions.tolerance = options.tolerance
    return try SVGDocument(parsing: bytes, options: documentOptions, budget: &budget)
  }

  /// Returns the size to draw at: the decoder's size, otherwise the smallest size that is at least as large as a
  /// target.
  private func size(of document: SVGDocument, for target: PixelSize?) -> (width: Int?, height: Int?) {
    let own = document.pixelSize(width: width, height: height)
    guard width == nil, height == nil, let target, target.width > 0, target.height > 0, own.width > 0, own.height > 0
    else { return (width, height) }
    let across = document.pixelSize(width: target.width)
    // A target computed from the document's own size may have been rounded.
    if abs(across.height - target.height) <= 1 { return (target.width, target.height) }
    return across.height > target.height ? (target.width, nil) : (nil, target.height)
  }

  private func info(of document: SVGDocument) -> ImageInfo {
    let size = document.pixelSize(width: width, height: height)
    return ImageInfo(
      type: Self.type, width: size.width, height: size.height, bitDepth: 8, colorModel: .vector, hasAlpha: true,
      colorSpace: .sRGB, frameCount: 1)
  }
}

extension SVGDecoder: WholeFileDecoder {
  /// The size may depend on the whole document.
  package var hasHeaders: Bool { false }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let options = context.options
    let document = try document(bytes, options: options, budget: &context.budget)
    let size = size(of: document, for: options.region == nil ? options.targetSize : nil)
    bitmap = try document.render(
      width: size.width, height: size.height, parallelism: options.parallelism, budget: &context.budget)
    try bitmap.convert(to: options.pixelFormat ?? .rgba8, budget: &context.budget)
    bitmap.colorSpace = .sRGB
    context.note(document.diagnostics)
    return DecodingDetails(info: info(of: document))
  }
}
