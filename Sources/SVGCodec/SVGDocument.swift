// The public interface: a document that is parsed once and can be drawn at many sizes.

internal import CSSStyles
@_exported public import Fonts
@_exported public import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// A parsed SVG document, which can be drawn at any size.
///
/// Parsing reads the XML, applies the style sheets and resolves all references. It does not access files or the
/// network. A document can be drawn on several threads at once.
public struct SVGDocument: Sendable {
  /// The errors and unsupported features found in the document.
  public let diagnostics: [ImageDiagnostic]
  let tree: RenderTree
  let limits: Limits

  /// Reads a document from UTF-8, UTF-16 or Latin-1 text, optionally compressed with gzip (SVGZ).
  ///
  /// - Throws: `CodecError` of kind `malformed` if there is no `svg` element, `limitExceeded` or `deadlineExceeded`
  ///   if reading the document exceeds `limits`.
  public init(
    parsing bytes: Span<UInt8>, limits: Limits = Limits(), options: Options = Options()
  ) throws(CodecError) {
    var budget = ResourceBudget(limits.decoding, format: SVGDecoder.type)
    try self.init(parsing: bytes, limits: limits, options: options, budget: &budget)
  }

  /// Reads a document from bytes.
  public init(
    parsing bytes: [UInt8], limits: Limits = Limits(), options: Options = Options()
  ) throws(CodecError) {
    try self.init(parsing: bytes.span, limits: limits, options: options)
  }

  /// Reads a document within the remainder of a budget. The memory of the document stays charged.
  ///
  /// - Parameters:
  ///   - limits: the limits; those of the budget by default.
  ///   - isNested: whether the document is an image in another document.
  ///   - elementID: the identifier of the element to draw instead of the whole document; `nil` for the document.
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
      // Text and styles are released, the tree is kept.
      budget.settle(heldByteCount: held + result.heldByteCount)
    } catch {
      budget.settle(heldByteCount: held)
      throw error
    }
  }

  /// Returns the tree of a document, its diagnostics, and the number of budget bytes that the tree holds.
  private static func read(
    _ bytes: Span<UInt8>, _ limits: Limits, _ options: Options, isNested: Bool, elementID: String?,
    budget: inout ResourceBudget
  ) throws(CodecError) -> (tree: RenderTree, diagnostics: [ImageDiagnostic], heldByteCount: Int) {
    // The text is moved, since the reader changes it.
    var xml = try XMLReader.read(
      try TextEncoding.utf8(bytes, maximumByteCount: limits.maximumTextByteCount, budget: &budget), names: .svg,
      limits: limits.xml, tolerance: options.tolerance, budget: &budget)
    try Animations.apply(to: &xml, maximumSegmentCount: limits.maximumPathSegmentCount, budget: &budget)
    // A nested image loads no external resources.
    let document = try StyledDocument(
      xml, limits: limits.styles, loadResource: isNested ? nil : options.loadResource, budget: &budget)
    return try TreeBuilder.build(
      document, limits: limits, options: options, isNested: isNested, elementID: elementID, budget: &budget)
  }

  /// The size that the document states, in CSS pixels; computed from its content if not stated. Zero if nothing is
  /// drawn.
  public var intrinsicSize: ImageSize { ImageSize(width: tree.width, height: tree.height) }

  /// Returns the size of a drawing in pixels; see `render(width:height:scale:background:parallelism:)`.
  public func pixelSize(width: Int? = nil, height: Int? = nil, scale: Double = 1) -> PixelSize {
    func rounded(_ value: Double) -> Int {
      value.isFinite && value > 0 ? Int(max(1, min(value, PixelSize.maximumSide).rounded(.up))) : 0
    }
    // An excess over an integer of less than a thousandth is a rounding error of the division.
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
  /// The options for reading a document.
  public struct Options: Sendable {
    /// Decodes a linked or embedded raster image; if `nil`, raster images are not drawn.
    ///
    /// The decode is charged to the budget of the document.
    public var decodeImage: (@Sendable ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap)?
    /// Returns the bytes of an external resource; if `nil`, the default, none are loaded. `data:` URLs do not need it.
    public var loadResource: (@Sendable (String) -> [UInt8]?)?
    /// The fonts for text. None by default, in which case text is not drawn.
    public var fonts: FontProvider
    /// The initial font size and the value of `medium`, in CSS pixels. 16 by default, as in browsers; resvg and librsvg
    /// use 12.
    public var defaultFontSize: Double
    /// The languages with which `systemLanguage` is compared, such as `en`.
    public var languages: [String]
    /// Whether malformed XML is an error, or the part before the error is drawn.
    public var tolerance: DecodingOptions.Tolerance

    /// Creates options. By default no images are decoded, no external resources are loaded, there are no fonts, and the
    /// language is English.
    public init(
      decodeImage: (@Sendable ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap)? = nil,
      loadResource: (@Sendable (String) -> [UInt8]?)? = nil, fonts: FontProvider = FontProvider(),
      defaultFontSize: Double = 16, languages: [String] = ["en"], tolerance: DecodingOptions.Tolerance = .lenient
    ) {
      self.decodeImage = decodeImage
      self.loadResource = loadResource
      self.fonts = fonts
      self.defaultFontSize = defaultFontSize
      self.languages = languages
      self.tolerance = tolerance
    }
  }
}
