// The document type and its entities, which may hide anything: the text of entities takes the place of references to
// them, after which the document type is not needed.

internal import ImageCoding
internal import XMLDocuments

/// Expands the entities that the internal subset of a document declares (XML 1.0, section 4.4).
struct EntityExpansion {
  private let limits: SVGDocument.Limits
  private var values: [String: [UInt8]] = [:]
  private var referenceCount = 0
  private var expandedByteCount = 0

  /// The work units for a byte that is copied.
  private static let workPerByte = 4

  /// Replaces the references in a document and removes its document type. References to entities that are not declared,
  /// such as external ones, stay.
  static func expand(
    _ text: [UInt8], limits: SVGDocument.Limits, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var expansion = EntityExpansion(limits: limits)
    var scanner = MarkupScanner(text.span)
    var declaration: Range<Int>?
    while let token = try scanner.next() {
      if token.kind == .documentType {
        declaration = token.range
        break
      }
      if token.kind == .startTag || token.kind == .emptyTag { break }
    }
    guard let declaration else { return text }
    try expansion.readDeclarations(text.span.extracting(declaration))
    try budget.allocate(text.count)
    try budget.chargeWorkInParts(count: text.count, unitsEach: workPerByte)
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    output.append(copying: text.span.extracting(..<declaration.lowerBound))
    while let token = try scanner.next() {
      switch token.kind {
      case .text: try expansion.append(text.span.extracting(token.range), isTag: false, to: &output, &budget)
      case .startTag, .emptyTag:
        try expansion.append(text.span.extracting(token.range), isTag: true, to: &output, &budget)
      case .documentType: break
      default: output.append(copying: text.span.extracting(token.range))
      }
    }
    return output
  }

  private init(limits: SVGDocument.Limits) {
    self.limits = limits
  }

  // MARK: Declarations

  /// Reads the entities that a document type declares. Parameter entities are not read, as in the drawing of documents.
  private mutating func readDeclarations(_ text: Span<UInt8>) throws(CodecError) {
    let (opening, comment, commentEnd) = (Array("<!ENTITY".utf8), Array("<!--".utf8), Array("-->".utf8))
    var index = 2
    while index < text.count {
      if text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") {
        index = Self.endOfLiteral(text, index)
      } else if Self.starts(text, index, comment) {
        index += comment.count
        while index < text.count, !Self.starts(text, index, commentEnd) { index += 1 }
      } else if Self.starts(text, index, opening), index + opening.count < text.count,
        isSpace(text[index + opening.count])
      {
        index += opening.count
        try readEntity(text, &index)
      } else {
        index += 1
      }
    }
  }

  private static func starts(_ text: Span<UInt8>, _ index: Int, _ literal: [UInt8]) -> Bool {
    guard literal.count <= text.count - index else { return false }
    for offset in literal.indices where text[index + offset] != literal[offset] { return false }
    return true
  }

  private static func endOfLiteral(_ text: Span<UInt8>, _ start: Int) -> Int {
    var end = start + 1
    while end < text.count, text[end] != text[start] { end += 1 }
    return end + 1
  }

  /// Reads a declaration from its name on.
  private mutating func readEntity(_ text: Span<UInt8>, _ index: inout Int) throws(CodecError) {
    while index < text.count, isSpace(text[index]) { index += 1 }
    let start = index
    while index < text.count, !isSpace(text[index]), text[index] != UInt8(ascii: ">") { index += 1 }
    let name = String(utf8: text.extracting(start..<index))
    while index < text.count, isSpace(text[index]) { index += 1 }
    guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") else { return }
    let end = Self.endOfLiteral(text, index)
    defer { index = end }
    // The first declaration of a name is binding.
    guard end <= text.count, name != "%", values[name] == nil else { return }
    guard values.count < limits.maximumEntityCount else {
      throw Self.exceeded("more than \(limits.maximumEntityCount) entities")
    }
    values[name] = Self.replacement(text.extracting(index + 1..<end - 1))
  }

  /// Returns the replacement text of a literal: only references to characters are replaced in it.
  private static func replacement(_ literal: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < literal.count {
      if literal[index] == UInt8(ascii: "&"), let reference = MarkupText.reference(in: literal, at: index),
        !reference.name.isEmpty, literal[reference.name.lowerBound] == UInt8(ascii: "#")
      {
        if let scalar = MarkupText.character(literal.extracting(reference.name)) {
          MarkupText.append(scalar, to: &result)
        }
        index = reference.next
      } else {
        result.append(literal[index])
        index += 1
      }
    }
    return result
  }

  private static func exceeded(_ reason: String) -> CodecError {
    CodecError(.limitExceeded, reason, format: SVGDecoder.type)
  }

  // MARK: Expansion

  /// A text that is being copied.
  private struct Source {
    var bytes: [UInt8]
    var position = 0
    /// The entity; empty for the document.
    var name: String
  }

  /// Appends a token with its references replaced. In a tag, delimiters in the text of entities are escaped.
  private mutating func append(
    _ token: Span<UInt8>, isTag: Bool, to output: inout [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var hasReference = false
    for index in token.indices where token[index] == UInt8(ascii: "&") { hasReference = true }
    guard hasReference else { return output.append(copying: token) }
    var open = [Source(bytes: Array(copying: token), name: "")]
    while let top = open.last {
      guard top.position < top.bytes.count else {
        open.removeLast()
        continue
      }
      let byte = top.bytes[top.position]
      if byte == UInt8(ascii: "&"), let reference = MarkupText.reference(in: top.bytes.span, at: top.position) {
        let name = String(utf8: top.bytes.span.extracting(reference.name))
        if let value = values[name], MarkupText.character(top.bytes.span.extracting(reference.name)) == nil {
          open[open.count - 1].position = reference.next
          guard !open.contains(where: { $0.name == name }) else {
            throw CodecError(.malformed, "an entity refers to itself", format: SVGDecoder.type)
          }
          referenceCount += 1
          expandedByteCount += value.count
          guard open.count <= limits.maximumEntityDepth, referenceCount <= limits.maximumEntityReferenceCount,
            expandedByteCount <= limits.maximumEntityByteCount
          else { throw Self.exceeded("the entities expand to more than the limits allow") }
          try budget.allocate(count: value.count, bytesEach: 2)
          try budget.chargeWork(count: value.count, unitsEach: Self.workPerByte)
          open.append(Source(bytes: value, name: name))
          continue
        }
      }
      switch byte {
      case _ where !isTag || open.count == 1: output.append(byte)
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&#39;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case 9, 10, 13: output.append(32)
      default: output.append(byte)
      }
      open[open.count - 1].position += 1
    }
  }
}
