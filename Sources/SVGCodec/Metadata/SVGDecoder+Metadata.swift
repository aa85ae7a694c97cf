// The metadata of documents: comments, `metadata` elements, and what editors note on the root element.

public import ImageCoding
internal import XMLDocuments

extension SVGDecoder {
  /// The work units for a byte of text.
  private static let workPerScannedByte = 8
  /// The bytes of memory of an attribute, which has at least four characters.
  private static let bytesPerAttribute = MemoryLayout<MarkupScanner.Attribute>.stride

  /// Returns the comments; the content of `metadata` elements as texts with the keyword `metadata`, or as the XMP packet if
  /// it is one; and the attributes of editors' namespaces on the root element as texts, such as `inkscape:version`.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      try metadata(bytes, options.limits, &budget)
    }
  }

  private func metadata(
    _ bytes: Span<UInt8>, _ limits: DecodingLimits, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    let limit = SVGDocument.Limits(decoding: limits).maximumTextByteCount
    let text = try TextEncoding.utf8(bytes, maximumByteCount: limit, budget: &budget)
    try budget.chargeWorkInParts(count: text.count, unitsEach: Self.workPerScannedByte)
    var metadata = ImageMetadata()
    var scanner = MarkupScanner(text.span)
    var namespaces = EditorNamespaces()
    var hasRoot = false
    var depth = 0
    var contentStart = 0
    // The text may be a prefix: metadata after its end is left out.
    while let token = (try? scanner.next()) ?? nil {
      switch token.kind {
      case .comment where depth == 0:
        let content = token.range.lowerBound + 4..<token.range.upperBound - 3
        if !content.isEmpty, budget.admitMetadata(content.count) { metadata.comments.append(scanner.string(content)) }
      case .startTag, .emptyTag:
        if !hasRoot {
          hasRoot = true
          try budget.allocate(count: token.range.count / 4, bytesEach: Self.bytesPerAttribute)
          let attributes = scanner.attributes(of: token)
          for attribute in attributes {
            _ = namespaces.declare(scanner.string(attribute.name), scanner.string(attribute.value))
          }
          for attribute in attributes {
            let name = scanner.string(attribute.name)
            guard namespaces.contains(name), budget.admitMetadata(attribute.range.count) else { continue }
            metadata.texts.append(.init(keyword: name, value: scanner.string(attribute.value)))
          }
        }
        guard token.kind == .startTag else { continue }
        let name = scanner.string(token.name)
        if depth > 0 {
          depth += 1
        } else if name == "metadata" || name == "svg:metadata" {
          depth = 1
          contentStart = token.range.upperBound
        }
      case .endTag where depth > 0:
        depth -= 1
        let content = contentStart..<token.range.lowerBound
        if depth == 0, budget.admitMetadata(content.count) { append(scanner.string(content), to: &metadata) }
      default: break
      }
    }
    return metadata
  }

  /// Adds the content of an element: an XMP packet if it is one, otherwise a text.
  private func append(_ content: String, to metadata: inout ImageMetadata) {
    let trimmed = content.drop(while: \.isWhitespace)
    guard !trimmed.isEmpty else { return }
    if metadata.xmp == nil, trimmed.hasPrefix("<?xpacket") || trimmed.hasPrefix("<x:xmpmeta") {
      metadata.xmp = Array(trimmed.utf8)
    } else {
      metadata.texts.append(.init(keyword: "metadata", value: content))
    }
  }
}
