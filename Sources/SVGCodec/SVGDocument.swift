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
  /// - Throws: ``CodecError`` of kind `malformed` when there is no `svg` element, `limitExceeded` or `deadlineExceeded`
  ///   when reading the document costs more than `limits` allow.
  public init(
    parsing bytes: Span<UInt8>, limits: Limits = Limits(), options: Options = Options()
  ) throws(CodecError) {
    var budget = ResourceBudget(limits.decoding, format: SVGDecoder.type)
    try self.init(parsing: bytes, limits: limits, options: options, budget: &budget)
  }

  /// Reads a document.
  public init(
    parsing bytes: [UInt8], limits: Limits = Limits(), options: Options = Options()
  ) throws(CodecError) {
    try self.init(parsing: bytes.span, limits: limits, options: options)
  }

  /// Reads a document with what a budget has left; what the document holds stays charged.
  ///
  /// - Parameters:
  ///   - limits: those of the budget by default.
  ///   - isNested: whether the document is a picture in another one.
  ///   - elementID: the element that is drawn in place of the whole document, if there is one.
  package init(
    parsing bytes: Span<UInt8>, limits: Limits? = nil, options: Options, budget: inout ResourceBudget,
    isNested: Bool = false, elementID: String? = nil
  ) throws(CodecError) {
    self.limits = limits ?? Limits(decoding: budget.limits)
    let held = budget.heldByteCount
    do throws(CodecError) {
      let result = try Self.read(
        bytes, self.limits, options, isNested: isNested, elementID: elementID, budget: &budget)
      tree = result.tree
      diagnostics = result.diagnostics
      // Text and styles go, the tree stays.
      budget.settle(heldByteCount: held + result.heldByteCount)
    } catch {
      budget.settle(heldByteCount: held)
      throw error
    }
  }

  /// The tree of a document, what was noticed on the way, and the bytes of the budget that the tree holds.
  private static func read(
    _ bytes: Span<UInt8>, _ limits: Limits, _ options: Options, isNested: Bool, elementID: String?,
    budget: inout ResourceBudget
  ) throws(CodecError) -> (tree: RenderTree, diagnostics: [ImageDiagnostic], heldByteCount: Int) {
    let text = try TextEncoding.utf8(bytes, maximumByteCount: limits.maximumTextByteCount, budget: &budget)
    let xml = try XMLReader.read(text, limits: limits, tolerance: options.tolerance, budget: &budget)
    var styleOptions = options
    // A picture in a picture follows no links.
    if isNested { styleOptions.loadResource = nil }
    let document = try StyledDocument(xml, limits: limits, options: styleOptions, budget: &budget)
    return try TreeBuilder.build(
      document, limits: limits, options: options, isNested: isNested, elementID: elementID, budget: &budget)
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
  /// How a document is read.
  public struct Options: Sendable {
    /// Turns the bytes of a linked or embedded picture into pixels; `nil` draws no raster pictures.
    ///
    /// The decode spends the budget of the document.
    public var decodeImage: (@Sendable ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap)?
    /// Gives the bytes behind a link; `nil`, the default, follows none. `data:` URLs need no link.
    public var loadResource: (@Sendable (String) -> [UInt8]?)?
    /// The fonts that text is drawn with; none by default, and then text is not drawn.
    public var fonts: FontProvider
    /// The size of text that says none, and what `medium` stands for, in CSS pixels: 16, as in browsers. resvg and librsvg
    /// have 12.
    public var defaultFontSize = 16.0
    /// Languages that `systemLanguage` is compared with, such as `en`.
    public var languages: [String]
    /// What becomes of malformed XML: what was read so far, or an error.
    public var tolerance: DecodingOptions.Tolerance

    /// Options that draw no pictures, follow no links, have no fonts, and speak English.
    public init(
      decodeImage: (@Sendable ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap)? = nil,
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
