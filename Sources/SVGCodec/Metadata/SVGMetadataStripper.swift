// Removes metadata from the text of a document and leaves the rest of the text as it is.

public import ImageCore

/// Strips documents of `metadata` elements, comments, and the elements and attributes of editors' namespaces. Titles and
/// descriptions, which viewers show, are kept.
///
/// Selectors that count siblings, such as `:nth-child`, can match other elements afterwards.
public struct SVGMetadataStripper: Sendable {
  /// Creates a stripper. It has no options.
  public init() {}

  /// The work units for a byte.
  private static let workPerByte = 8

  /// Returns the document in UTF-8, without compression.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if a tag or a comment is not closed; ``CodecError/Kind/limitExceeded``.
  public func strip(_ bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: SVGDecoder.type)
    let text = try TextEncoding.utf8(
      bytes, maximumByteCount: SVGDocument.Limits(decoding: limits).maximumTextByteCount, budget: &budget)
    try budget.allocate(text.count)
    try budget.chargeWork(count: text.count, unitsEach: Self.workPerByte)
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var scanner = MarkupScanner(text.span)
    var namespaces = EditorNamespaces()
    // The number of open elements below the one that is being removed, which counts as well; 0 outside.
    var removedDepth = 0
    while let token = try scanner.next() {
      switch token.kind {
      case .comment: continue
      case .startTag, .emptyTag:
        if removedDepth > 0 {
          if token.kind == .startTag { removedDepth += 1 }
          continue
        }
        let attributes = scanner.attributes(of: token)
        var removed: [Range<Int>] = []
        for attribute in attributes {
          if namespaces.declare(scanner.string(attribute.name), scanner.string(attribute.value)) {
            removed.append(attribute.range)
          }
        }
        let name = scanner.string(token.name)
        if name == "metadata" || name == "svg:metadata" || namespaces.contains(name) {
          if token.kind == .startTag { removedDepth = 1 }
          continue
        }
        for attribute in attributes where namespaces.contains(scanner.string(attribute.name)) {
          removed.append(attribute.range)
        }
        append(token.range, of: text.span, without: removed, to: &output)
      case .endTag where removedDepth > 0: removedDepth -= 1
      case .text, .other, .endTag:
        guard removedDepth == 0 else { continue }
        append(token.range, of: text.span, without: [], to: &output)
      }
    }
    guard removedDepth == 0 else {
      throw CodecError(.malformed, "the text ends inside an element", format: SVGDecoder.type, byteOffset: bytes.count)
    }
    return withoutEncodingDeclaration(output, isConverted: !isSame(text.span, bytes))
  }

  private func append(
    _ range: Range<Int>, of text: Span<UInt8>, without removed: [Range<Int>], to output: inout [UInt8]
  ) {
    var start = range.lowerBound
    for part in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      output.append(copying: text.extracting(start..<part.lowerBound))
      start = part.upperBound
    }
    output.append(copying: text.extracting(start..<range.upperBound))
  }

  private func isSame(_ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
    guard text.count == bytes.count else { return false }
    for index in text.indices where text[index] != bytes[index] { return false }
    return true
  }

  /// Replaces an XML declaration that may state another encoding than that of the result.
  private func withoutEncodingDeclaration(_ text: [UInt8], isConverted: Bool) -> [UInt8] {
    let start = Array("<?xml".utf8)
    guard isConverted, text.starts(with: start), let end = text.firstIndex(of: UInt8(ascii: ">")) else { return text }
    return Array("<?xml version=\"1.0\"?>".utf8) + text[(end + 1)...]
  }
}
