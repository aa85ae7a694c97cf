// The tokens of XML text, without interpretation: for metadata, which is read and removed by position.

internal import ImageCoding

/// Splits text into tags, comments, declarations and character data.
struct MarkupScanner: ~Escapable {
  /// A token and its position.
  struct Token {
    enum Kind {
      case text
      case comment
      case startTag
      /// A start tag that is also the end.
      case emptyTag
      case endTag
      case characterData
      case instruction
      case documentType
    }

    let kind: Kind
    let range: Range<Int>
    /// The qualified name of a tag.
    var name = 0..<0
  }

  /// An attribute of a tag.
  struct Attribute {
    /// The position including the white space before it.
    let range: Range<Int>
    let name: Range<Int>
    /// The value without its quotes.
    let value: Range<Int>
  }

  private let text: Span<UInt8>
  private(set) var position = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
  }

  private func error(_ reason: String) -> CodecError {
    CodecError(.malformed, reason, format: SVGDecoder.type, byteOffset: position)
  }

  /// Returns the next token; `nil` at the end.
  ///
  /// - Throws: `CodecError.Kind.malformed` if a tag, a comment or a declaration is not closed.
  @_lifetime(self: copy self)
  mutating func next() throws(CodecError) -> Token? {
    guard position < text.count else { return nil }
    let start = position
    guard text[start] == UInt8(ascii: "<") else {
      while position < text.count, text[position] != UInt8(ascii: "<") { position += 1 }
      return Token(kind: .text, range: start..<position)
    }
    if matches("<!--") { return try token(.comment, closedBy: "-->", after: 4) }
    if matches("<![CDATA[") { return try token(.characterData, closedBy: "]]>", after: 9) }
    if matches("<?") { return try token(.instruction, closedBy: "?>", after: 2) }
    if matches("<!") { return try documentType() }
    return try tag()
  }

  private func matches(_ literal: StaticString) -> Bool {
    text.count - position >= literal.utf8CodeUnitCount
      && text.extracting(position..<position + literal.utf8CodeUnitCount).starts(with: literal.description)
  }

  @_lifetime(self: copy self)
  private mutating func token(
    _ kind: Token.Kind, closedBy end: StaticString, after openingByteCount: Int
  ) throws(CodecError) -> Token {
    let start = position
    let description = Array(end.description.utf8)
    position += openingByteCount
    while position + description.count <= text.count {
      if text[position] == description[0], matches(end) {
        position += description.count
        return Token(kind: kind, range: start..<position)
      }
      position += 1
    }
    throw error("a comment, a section or an instruction is not closed")
  }

  /// Reads a document type, whose internal subset may contain quoted values and comments.
  @_lifetime(self: copy self)
  private mutating func documentType() throws(CodecError) -> Token {
    let start = position
    var isInSubset = false
    position += 2
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "["): isInSubset = true
      case UInt8(ascii: "]"): isInSubset = false
      case UInt8(ascii: ">") where !isInSubset:
        position += 1
        return Token(kind: .documentType, range: start..<position)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        try skipQuotes()
        continue
      case UInt8(ascii: "<") where matches("<!--"):
        _ = try token(.comment, closedBy: "-->", after: 4)
        continue
      default: break
      }
      position += 1
    }
    throw error("the document type is not closed")
  }

  @_lifetime(self: copy self)
  private mutating func skipQuotes() throws(CodecError) {
    let quote = text[position]
    position += 1
    while position < text.count, text[position] != quote { position += 1 }
    guard position < text.count else { throw error("a quoted value is not closed") }
    position += 1
  }

  @_lifetime(self: copy self)
  private mutating func tag() throws(CodecError) -> Token {
    let start = position
    let isEnd = start + 1 < text.count && text[start + 1] == UInt8(ascii: "/")
    position += isEnd ? 2 : 1
    let nameStart = position
    while position < text.count, !text[position].endsName { position += 1 }
    let name = nameStart..<position
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuotes()
      case UInt8(ascii: ">"):
        let isEmpty = text[position - 1] == UInt8(ascii: "/")
        position += 1
        return Token(kind: isEnd ? .endTag : isEmpty ? .emptyTag : .startTag, range: start..<position, name: name)
      default: position += 1
      }
    }
    throw error("the text ends inside a tag")
  }

  /// Returns the attributes of a start tag, up to the first one that is malformed.
  func attributes(of tag: Token) -> [Attribute] { allAttributes(of: tag).attributes }

  /// Returns the attributes of a start tag.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there is anything else in the tag.
  func checkedAttributes(of tag: Token) throws(CodecError) -> [Attribute] {
    let (attributes, end) = allAttributes(of: tag)
    guard end == tag.range.upperBound - (tag.kind == .emptyTag ? 2 : 1) else {
      throw error("an attribute is malformed")
    }
    return attributes
  }

  /// Returns the attributes up to the first one that is malformed, and the index after them and white space.
  private func allAttributes(of tag: Token) -> (attributes: [Attribute], end: Int) {
    var attributes: [Attribute] = []
    var index = tag.name.upperBound
    let end = tag.range.upperBound
    var nameStart = index
    while index < end {
      let start = index
      while index < end, text[index].isMarkupSpace { index += 1 }
      nameStart = index
      while index < end, !text[index].endsName, text[index] != UInt8(ascii: "=") { index += 1 }
      let name = nameStart..<index
      while index < end, text[index].isMarkupSpace { index += 1 }
      guard !name.isEmpty, index < end, text[index] == UInt8(ascii: "=") else { break }
      index += 1
      while index < end, text[index].isMarkupSpace { index += 1 }
      guard index < end, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") else { break }
      let quote = text[index]
      let valueStart = index + 1
      index = valueStart
      while index < end, text[index] != quote { index += 1 }
      guard index < end else { break }
      attributes.append(Attribute(range: start..<index + 1, name: name, value: valueStart..<index))
      index += 1
      nameStart = index
    }
    return (attributes, nameStart)
  }

  /// Returns a part of the text as a string.
  func string(_ range: Range<Int>) -> String { String(utf8: text.extracting(range)) }
}

extension UInt8 {
  /// Whether the character is XML white space.
  fileprivate var isMarkupSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
  /// Whether the character ends a name in a tag.
  fileprivate var endsName: Bool { isMarkupSpace || self == UInt8(ascii: ">") || self == UInt8(ascii: "/") }
}
