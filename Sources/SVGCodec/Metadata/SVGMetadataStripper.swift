// Removes metadata from the text of a document and leaves the rest of the text as it is.

public import ImageCoding
internal import XMLDocuments

/// Strips documents of what no viewer draws:
///
/// - `metadata` elements, comments, processing instructions that do not link style sheets, and the document type, whose
///   entities are replaced by their text;
/// - elements and attributes of namespaces that no viewer draws, such as those of editors;
/// - attributes `data-…` that no style sheet selects by;
/// - comments of style sheets and scripts;
/// - the metadata of embedded pictures.
///
/// Titles and descriptions, which viewers show, are kept, as are ids and classes. Selectors that count siblings, such as
/// `:nth-child`, can match other elements afterwards, and scripts do not find the removed attributes.
///
/// A document without metadata is not safe to be served to browsers: it can run scripts and load resources. With
/// ``removesActiveContent`` it can do neither.
public struct SVGMetadataStripper: Sendable {
  /// Returns an embedded picture without its metadata; `nil` if the bytes are not a picture of a known format.
  public typealias PictureRewriting =
    @Sendable (_ picture: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) -> [UInt8]?

  /// Whether everything that runs scripts or loads resources is removed as well: scripts, handlers of events,
  /// `foreignObject`, links to other documents, style sheets and pictures, `@import`, animations of links, and all
  /// elements and attributes that are not known to draw.
  public let removesActiveContent: Bool
  private let rewritePicture: PictureRewriting

  /// Creates a stripper.
  ///
  /// - Parameters:
  ///   - removesActiveContent: see ``removesActiveContent``. `false` by default.
  ///   - rewritePicture: strips pictures that `data:` URLs embed. By default pictures stay as they are.
  public init(
    removesActiveContent: Bool = false,
    rewritePicture: @escaping PictureRewriting = { picture, _ throws(CodecError) in picture }
  ) {
    self.removesActiveContent = removesActiveContent
    self.rewritePicture = rewritePicture
  }

  /// The work units for a byte.
  private static let workPerByte = 24

  /// Returns the document in UTF-8, without compression.
  ///
  /// - Throws: `CodecError.Kind.malformed` if a tag or a comment is not closed or, without active content, if the
  ///   document is not well formed; `CodecError.Kind.limitExceeded`; errors of `rewritePicture`.
  public func strip(_ bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: SVGDecoder.type)
    return try strip(bytes, budget: &budget)
  }

  /// Returns the document in UTF-8, without compression; see ``strip(_:limits:)``.
  public func strip(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let limits = SVGDocument.Limits(decoding: budget.limits)
    let source = try TextEncoding.utf8(bytes, maximumByteCount: limits.maximumTextByteCount, budget: &budget)
    let isConverted = !Self.isSame(source.span, bytes)
    let text = try EntityExpansion.expand(source, limits: limits, budget: &budget)
    try budget.allocate(count: text.count, bytesEach: 2)
    try budget.chargeWorkInParts(count: text.count, unitsEach: Self.workPerByte)
    var rewriting = MarkupRewriting(
      text: text, embedded: EmbeddedData(rewritePicture: rewritePicture), isSafe: removesActiveContent)
    let output = try rewriting.run(budget: &budget)
    return Self.withoutEncodingDeclaration(output, isConverted: isConverted || removesActiveContent)
  }

  private static func isSame(_ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
    guard text.count == bytes.count else { return false }
    for index in text.indices where text[index] != bytes[index] { return false }
    return true
  }

  /// Replaces an XML declaration that may state another encoding than that of the result.
  private static func withoutEncodingDeclaration(_ text: [UInt8], isConverted: Bool) -> [UInt8] {
    let start = Array("<?xml".utf8)
    guard isConverted, text.starts(with: start), let end = text.firstIndex(of: UInt8(ascii: ">")) else { return text }
    return Array("<?xml version=\"1.0\"?>".utf8) + text[(end + 1)...]
  }
}
