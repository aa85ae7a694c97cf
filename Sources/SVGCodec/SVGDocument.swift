// The public face: a document that is parsed once and drawn at many sizes.

@_exported public import FontOutlines
@_exported public import ImageCore
internal import VectorGraphics

/// An SVG document, ready to be drawn at any size.
///
/// Parsing reads the XML, applies the style sheets and resolves every reference; it opens no file and no socket. The
/// value can be drawn from several threads at once.
public struct SVGDocument: Sendable {
  /// What was not understood or is not drawn.
  public let diagnostics: [ImageDiagnostic]
  let tree: RenderTree
  let limits: Limits

  /// Reads a document: UTF-8, UTF-16 or Latin-1 text, or any of them compressed by gzip (SVGZ).
  ///
  /// - Throws: ``DecodeError`` of kind `malformed` when there is no `svg` element, `limitExceeded` when the document
  ///   is larger, deeper or more entangled than `limits` allows.
  public init(
    parsing bytes: Span<UInt8>, limits: Limits = Limits(), options: Options = Options()
  ) throws(DecodeError) {
    try self.init(parsing: bytes, limits: limits, options: options, depth: 0)
  }

  /// Reads a document.
  public init(
    parsing bytes: [UInt8], limits: Limits = Limits(), options: Options = Options()
  ) throws(DecodeError) {
    try self.init(parsing: bytes.span, limits: limits, options: options, depth: 0)
  }

  /// Reads a document, of which only the element with an id is drawn if there is one.
  init(
    parsing bytes: Span<UInt8>, limits: Limits, options: Options, depth: Int, elementID: String? = nil
  ) throws(DecodeError) {
    let text = try TextEncoding.utf8(bytes, maximumByteCount: limits.maximumTextByteCount)
    let xml = try XMLReader.read(text, limits: limits, tolerance: options.tolerance)
    var styleOptions = options
    // A picture in a picture follows no links.
    if depth > 0 { styleOptions.loadResource = nil }
    let document = try StyledDocument(xml, limits: limits, options: styleOptions)
    let (tree, diagnostics) = try TreeBuilder.build(
      document, limits: limits, options: options, depth: depth, elementID: elementID)
    self.tree = tree
    self.diagnostics = diagnostics
    self.limits = limits
  }

  /// The size that the document asks for, in CSS pixels; from its content where it does not say. Zero when nothing is
  /// to be drawn.
  public var intrinsicSize: ImageSize { ImageSize(width: tree.width, height: tree.height) }

  /// The size in pixels of a drawing; see ``render(width:height:scale:background:limits:)``.
  public func pixelSize(width: Int? = nil, height: Int? = nil, scale: Double = 1) -> PixelSize {
    func rounded(_ value: Double) -> Int {
      value.isFinite && value > 0 ? Int(max(1, min(value, 0x1p31).rounded(.up))) : 0
    }
    // What is above a whole number by less than a thousandth was one before the division.
    func up(_ value: Double) -> Int { rounded(value - 1e-3) }
    guard tree.width > 0, tree.height > 0 else { return PixelSize(width: width ?? 0, height: height ?? 0) }
    switch (width, height) {
    case (let width?, let height?): return PixelSize(width: width, height: height)
    case (let width?, nil):
      return PixelSize(width: width, height: up(Double(width) * tree.height / tree.width))
    case (nil, let height?):
      return PixelSize(width: up(Double(height) * tree.width / tree.height), height: height)
    case (nil, nil): return PixelSize(width: up(tree.width * scale), height: up(tree.height * scale))
    }
  }
}

extension SVGDocument {
  /// What a document may cost. All bounds hold for one parse or one drawing.
  public struct Limits: Hashable, Sendable {
    /// Bounds of pixels and bytes.
    public var decoding: DecodingLimits
    /// The most bytes of text, after decompression. Default 128 MiB.
    public var maximumTextByteCount = 128 << 20
    /// The most elements. Default 1 million.
    public var maximumElementCount = 1_000_000
    /// The most attributes. Default 10 million.
    public var maximumAttributeCount = 10_000_000
    /// How deep elements may be nested. Default 1,024.
    public var maximumNestingDepth = 1_024
    /// The most entities that may be declared. Default 10,000.
    public var maximumEntityCount = 10_000
    /// How deep entities may refer to each other. Default 10.
    public var maximumEntityDepth = 10
    /// The most references to entities. Default 100,000.
    public var maximumEntityReferenceCount = 100_000
    /// The most bytes that entities may expand to. Default 1 MiB.
    public var maximumEntityByteCount = 1 << 20
    /// The most rules of all style sheets. Default 100,000.
    public var maximumStyleRuleCount = 100_000
    /// The most steps of matching selectors with elements. Default 20 million.
    public var maximumSelectorStepCount = 20_000_000
    /// The most references by `use`, `url()` and markers. Default 200,000.
    public var maximumReferenceCount = 200_000
    /// The most nodes to be drawn once all references are resolved. Default 1 million.
    public var maximumNodeCount = 1_000_000
    /// The most segments of all paths. Default 10 million.
    public var maximumPathSegmentCount = 10_000_000
    /// The most characters of all texts, those that `use` repeats counted again. Default 200,000.
    public var maximumCharacterCount = 200_000
    /// The most stops of a gradient; what follows is dropped. Default 10,000.
    public var maximumGradientStopCount = 10_000
    /// The most primitives of all filters. Default 10,000.
    public var maximumFilterPrimitiveCount = 10_000
    /// The most nodes that one drawing visits again, in patterns, masks and clips that are used more than once. Default
    /// 200,000.
    public var maximumRepeatedVisitCount = 200_000
    /// The most lines that one drawing makes of curves, strokes and dashes, beside two for each segment. Default 5
    /// million.
    public var maximumLineCount = 5_000_000
    /// The most work on pixels of one drawing, in units of about a nanosecond, or 512 units for each pixel of the canvas
    /// where that is more. A pixel of one colour is a unit, of a gradient 2 to 40, of a picture up to 50. Default 500
    /// million.
    public var maximumPixelWork = 500_000_000
    /// The most work of filters in one drawing, in units of about a nanosecond, or 512 units for each pixel of the canvas
    /// where that is more. Default 500 million.
    public var maximumFilterWork = 500_000_000
    /// How many layers may lie on top of each other. Default 50.
    public var maximumLayerDepth = 50

    /// The default limits.
    public init(decoding: DecodingLimits = .default) {
      self.decoding = decoding
    }
  }

  /// How a document is read.
  public struct Options: Sendable {
    /// Turns the bytes of a linked or embedded picture into pixels; `nil` draws no raster pictures.
    public var decodeImage: (@Sendable ([UInt8], DecodingLimits) throws(DecodeError) -> Bitmap)?
    /// Gives the bytes behind a link; `nil`, the default, follows none. `data:` URLs need no link.
    public var loadResource: (@Sendable (String) -> [UInt8]?)?
    /// The fonts that text is drawn with; none by default, and then text is not drawn.
    public var fonts: FontProvider
    /// The size of text that says none, and what `medium` stands for, in CSS pixels: 16, as in browsers. resvg and librsvg
    /// have 12.
    public var defaultFontSize = 16.0
    /// Languages that `systemLanguage` is compared with, such as `en`.
    public var languages: [String]
    /// How far letters may be from their place on a path, in user units; `nil` puts them where they belong. resvg stops
    /// looking for the place at half a unit; for comparing drawings with its own.
    package var textPathTolerance: Double?
    /// What becomes of malformed XML: what was read so far, or an error.
    public var tolerance: DecodingOptions.Tolerance

    /// Options that draw no pictures, follow no links, have no fonts, and speak English.
    public init(
      decodeImage: (@Sendable ([UInt8], DecodingLimits) throws(DecodeError) -> Bitmap)? = nil,
      loadResource: (@Sendable (String) -> [UInt8]?)? = nil, fonts: FontProvider = FontProvider(),
      languages: [String] = ["en"], tolerance: DecodingOptions.Tolerance = .lenient
    ) {
      self.decodeImage = decodeImage
      self.loadResource = loadResource
      self.fonts = fonts
      self.languages = languages
      self.tolerance = tolerance
    }
  }
}
