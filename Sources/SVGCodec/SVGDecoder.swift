// The codec contract for SVG: recognised by content, decoded at the size that the document asks for.

public import ImageCore

/// Reads SVG 1.1 and the parts of SVG 2 that browsers draw, static.
///
/// The natural format is `rgba8`. Pictures inside of a document are drawn with ``SVGDocument/Options/decodeImage``.
public struct SVGDecoder: ImageFormatDecoder {
  /// `public.svg-image`.
  public static let type: AssetType = "public.svg-image"

  /// What dividing a pixel by its alpha costs.
  private static let workPerConvertedPixel = 4

  /// How documents are read.
  public var options: SVGDocument.Options
  /// The size in pixels to draw at; a side that is `nil` follows from the other or from the document.
  public var width: Int?
  /// See ``width``.
  public var height: Int?

  /// A decoder that draws at a document's own size, or at `width` and `height`.
  public init(
    width: Int? = nil, height: Int? = nil, options: SVGDocument.Options = SVGDocument.Options()
  ) {
    self.width = width
    self.height = height
    self.options = options
  }

  /// `public.svg-image`.
  public var types: [AssetType] { [Self.type] }

  /// Looks for an `svg` start tag behind XML declaration, comments, instructions and document type.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult { ContentSniffer.probe(prefix) }

  /// Reads the whole document: its size may depend on all of it.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    var budget = ResourceBudget(options.limits, format: Self.type)
    return info(of: try SVGDocument(parsing: bytes, options: self.options, budget: &budget))
  }

  /// Draws the document. A `targetSize` counts where the decoder has no size of its own, also to enlarge.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try options.checkImageIndex(format: Self.type)
    let held = budget.heldByteCount
    var documentOptions = self.options
    documentOptions.tolerance = options.tolerance
    let document = try SVGDocument(parsing: bytes, options: documentOptions, budget: &budget)
    let size = size(of: document, for: options.region == nil ? options.targetSize : nil)
    let drawing = try document.render(
      width: size.width, height: size.height, parallelism: options.parallelism, budget: &budget)
    let format = options.pixelFormat ?? .rgba8
    try budget.chargeWork(count: drawing.width * drawing.height, unitsEach: Self.workPerConvertedPixel)
    try budget.allocatePixels(width: drawing.width, height: drawing.height, bytesPerPixel: format.bytesPerPixel)
    bitmap = try drawing.converted(to: format)
    try options.crop(&bitmap, budget: &budget)
    budget.settle(heldByteCount: held + bitmap.byteCount)
    bitmap.colorSpace = .sRGB
    return DecodingDetails(info: info(of: document), diagnostics: document.diagnostics)
  }

  /// No sessions: a drawing is parsed once it is complete, and its size may be chosen then.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? { nil }

  /// The size to draw at: what was asked for, else the smallest that is not smaller than a target.
  private func size(of document: SVGDocument, for target: PixelSize?) -> (width: Int?, height: Int?) {
    let own = document.pixelSize(width: width, height: height)
    guard width == nil, height == nil, let target, own.width > 0, own.height > 0 else { return (width, height) }
    let across = document.pixelSize(width: target.width)
    // A target that was computed from the document's own size may have been rounded.
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
