// The internal subset of a document type declaration, and references: character references, the five predefined
// entities, internal entities. External entities and parameter entities are never resolved.

internal import ImageCoding

extension XMLReader {
  /// An internal entity.
  struct Entity {
    var name: TextSlice
    /// The replacement text; empty for an external entity, which is never loaded.
    var value: TextSlice
  }

  // MARK: Declarations

  /// Reads `<!DOCTYPE … [ … ]>`, including the entity declarations in the internal subset.
  mutating func readDoctype() throws(CodecError) {
    position += 9
    while true {
      switch byte(0) {
      case 0: throw error("the document type declaration is not closed")
      case UInt8(ascii: ">"):
        position += 1
        return
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try readLiteral()
      case UInt8(ascii: "["):
        position += 1
        try readInternalSubset()
      default: position += 1
      }
    }
  }

  private mutating func readInternalSubset() throws(CodecError) {
    while true {
      skipSpace()
      switch byte(0) {
      case 0: throw error("the document type declaration is not closed")
      case UInt8(ascii: "]"):
        position += 1
        return
      case UInt8(ascii: "<"):
        if matches("<!--") {
          try skip(past: "-->", openedBy: 4)
        } else if matches("<?") {
          try skip(past: "?>", openedBy: 2)
        } else if matches("<!ENTITY") {
          try readEntityDeclaration()
        } else {
          try skipDeclaration()
        }
      default: position += 1
      }
    }
  }

  private mutating func readEntityDeclaration() throws(CodecError) {
    position += 8
    skipSpace()
    var isParameter = false
    if byte(0) == UInt8(ascii: "%") {
      isParameter = true
      position += 1
      skipSpace()
    }
    let name = try readName()
    skipSpace()
    var value = TextSlice.empty
    if byte(0) == UInt8(ascii: "\"") || byte(0) == UInt8(ascii: "'") {
      value = try replacementText(of: try readLiteral())
    }
    try skipDeclaration()
    guard !isParameter else { return }
    guard entities.count < limits.maximumEntityCount else {
      throw limit("more than \(limits.maximumEntityCount) entities")
    }
    let key = XMLDocument.hash(document.text.span.extracting(name.range))
    // The first declaration of a name is binding (XML 1.0, section 4.2).
    if entityIndices[key] == nil {
      entityIndices[key] = entities.count
      entities.append(Entity(name: name, value: value))
    }
  }

  /// Returns the replacement text of a literal, in which references to characters are replaced, so that they can be
  /// markup (XML 1.0, section 4.5).
  private mutating func replacementText(of literal: TextSlice) throws(CodecError) -> TextSlice {
    var result: [UInt8] = []
    var isPlain = true
    var index = literal.range.lowerBound
    while index < literal.range.upperBound {
      if document.text[index] == UInt8(ascii: "&"), let reference = reference(at: index, end: literal.range.upperBound),
        !reference.name.isEmpty, document.text[reference.name.range.lowerBound] == UInt8(ascii: "#"),
        let character = character(reference.name)
      {
        isPlain = false
        result.append(contentsOf: Array(String(character).utf8))
        index = reference.next
      } else {
        result.append(document.text[index])
        index += 1
      }
    }
    return isPlain ? literal : TextSlice(try document.append(result, budget: &budget))
  }

  private mutating func skipDeclaration() throws(CodecError) {
    while true {
      switch byte(0) {
      case 0: throw error("a markup declaration is not closed")
      case UInt8(ascii: ">"):
        position += 1
        return
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try readLiteral()
      default: position += 1
      }
    }
  }

  private mutating func readLiteral() throws(CodecError) -> TextSlice {
    let quote = byte(0)
    position += 1
    let start = position
    let end = inputs[inputs.count - 1].end
    var index = start
    while index < end, document.text[index] != quote { index += 1 }
    guard index < end else { throw error("a literal is not closed") }
    position = index + 1
    return TextSlice(start..<index)
  }

  // MARK: References

  /// Returns whether the reference at an index is to an entity whose text may contain markup.
  func isGeneralEntity(at index: Int, end: Int) -> Bool {
    guard let reference = reference(at: index, end: end), !reference.name.isEmpty else { return false }
    return document.text[reference.name.range.lowerBound] != UInt8(ascii: "#")
      && Self.predefined(document.text.span.extracting(reference.name.range)) == nil
  }

  /// Returns the name between `&` and `;`, and the index after it.
  private func reference(at index: Int, end: Int) -> (name: TextSlice, next: Int)? {
    var last = index + 1
    while last < end, last - index < 64 {
      let byte = document.text[last]
      if byte == UInt8(ascii: ";") { return (TextSlice(index + 1..<last), last + 1) }
      if isSpace(byte) || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return nil }
      last += 1
    }
    return nil
  }

  /// Continues with the replacement text of the entity at the position.
  mutating func beginEntity() throws(CodecError) {
    let end = inputs[inputs.count - 1].end
    guard let reference = reference(at: position, end: end) else {
      position += 1
      return
    }
    position = reference.next
    guard let entity = try entity(named: reference.name) else { return }
    try enter(entity)
    let value = entities[entity].value
    inputs.append(
      Input(
        position: value.range.lowerBound, end: value.range.upperBound, openElementCount: openElements.count,
        entity: entity))
  }

  mutating func endEntity() throws(CodecError) {
    guard openElements.count == inputs[inputs.count - 1].openElementCount else {
      throw error("an entity ends inside an element")
    }
    inputs.removeLast()
  }

  private mutating func entity(named name: TextSlice) throws(CodecError) -> Int? {
    let key = XMLDocument.hash(document.text.span.extracting(name.range))
    if let index = entityIndices[key], document.equal(entities[index].name, name) { return index }
    document.note(
      ImageDiagnostic(
        .warning, "the entity \(document.string(name)) is not declared", byteOffset: inputs[0].position))
    return nil
  }

  private mutating func enter(_ entity: Int, within open: [(position: Int, end: Int, entity: Int)] = [])
    throws(CodecError)
  {
    guard !inputs.contains(where: { $0.entity == entity }), !open.contains(where: { $0.entity == entity }) else {
      throw error("an entity refers to itself")
    }
    expansionCount += 1
    expandedByteCount += Int(entities[entity].value.count)
    guard inputs.count + open.count <= limits.maximumEntityDepth,
      expansionCount <= limits.maximumEntityReferenceCount,
      expandedByteCount <= limits.maximumEntityByteCount
    else { throw limit("the entities expand to more than the limits allow") }
  }

  /// Returns a value with references replaced and line ends normalised.
  ///
  /// In attributes, white space characters are replaced by spaces (XML 1.0, section 3.3.3); elsewhere, CR and CR LF by
  /// LF (section 2.11).
  mutating func expandedValue(_ range: Range<Int>, isAttribute: Bool) throws(CodecError) -> TextSlice {
    var value: [UInt8] = []
    value.reserveCapacity(range.count)
    var open: [(position: Int, end: Int, entity: Int)] = [(range.lowerBound, range.upperBound, -1)]
    while let current = open.last {
      guard current.position < current.end else {
        open.removeLast()
        continue
      }
      let plain = plainText(from: current.position, to: current.end)
      if !plain.isEmpty {
        let start = value.count
        value.append(contentsOf: document.text[plain])
        if isAttribute { replaceLineEndsAndTabs(in: &value, from: start) }
        open[open.count - 1].position = plain.upperBound
        continue
      }
      let byte = document.text[current.position]
      open[open.count - 1].position += 1
      switch byte {
      case UInt8(ascii: "&"):
        guard let reference = reference(at: current.position, end: current.end) else {
          value.append(byte)
          continue
        }
        open[open.count - 1].position = reference.next
        if let character = character(reference.name) {
          value.append(contentsOf: Array(String(character).utf8))
        } else if let entity = try entity(named: reference.name) {
          try enter(entity, within: open)
          let replacement = entities[entity].value.range
          open.append((replacement.lowerBound, replacement.upperBound, entity))
        }
      case 13:
        if current.position + 1 < current.end, document.text[current.position + 1] == 10 { continue }
        value.append(isAttribute ? 32 : 10)
      default: value.append(byte)
      }
    }
    return TextSlice(try store(value, insteadOf: range))
  }

  /// Stores the value of a range of the text in its place if it fits, which saves memory, or else at the end of the text.
  /// Entities are read again, and stay as they are.
  private mutating func store(_ value: [UInt8], insteadOf range: Range<Int>) throws(CodecError) -> Range<Int> {
    guard inputs.count == 1, value.count <= range.count else { return try document.append(value, budget: &budget) }
    return try document.replace(range, with: value, budget: &budget)
  }

  /// Returns the range of bytes up to a reference or a carriage return.
  private func plainText(from start: Int, to end: Int) -> Range<Int> {
    let text = document.text.span
    var index = start
    while end &- index >= 32 {
      // The quote is not looked for: the value is known to end at `end`.
      let block = AttributeBlock(text.extracting(index..<index &+ 32), quote: UInt8(ascii: "&"))
      if block.normalization >= .lineEnds { break }
      index &+= 32
    }
    while end &- index >= 8 {
      let next = EightBytes(text, at: index)
      if next.contains(UInt8(ascii: "&")) || next.contains(13) { break }
      index &+= 8
    }
    while index < end, text[index] != UInt8(ascii: "&"), text[index] != 13 { index &+= 1 }
    return start..<index
  }

  private func replaceLineEndsAndTabs(in value: inout [UInt8], from start: Int) {
    var bytes = value.mutableSpan
    var added = bytes._mutatingExtracting(start..<bytes.count)
    // Without branches, so that the loop is vectorised.
    for index in added.indices {
      let byte = added[index]
      added[index] = byte == 9 || byte == 10 ? 32 : byte
    }
  }

  /// Returns the character of `#…`, `#x…` or a predefined entity.
  private func character(_ name: TextSlice) -> Unicode.Scalar? {
    let bytes = document.text.span.extracting(name.range)
    guard bytes.count > 0 else { return nil }
    guard bytes[0] == UInt8(ascii: "#") else { return Self.predefined(bytes) }
    let isHexadecimal = bytes.count > 1 && bytes[1] | 0x20 == UInt8(ascii: "x")
    var value: UInt32 = 0
    for index in (isHexadecimal ? 2 : 1)..<bytes.count {
      guard let digit = hexadecimalDigit(bytes[index]), isHexadecimal || digit < 10, value < 0x11_0000 else {
        return nil
      }
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
    }
    return Unicode.Scalar(value) ?? "\u{fffd}"
  }

  private static func predefined(_ name: Span<UInt8>) -> Unicode.Scalar? {
    switch (name.count, name.count > 0 ? name[0] : 0, name.count > 1 ? name[1] : 0) {
    case (2, UInt8(ascii: "l"), UInt8(ascii: "t")): "<"
    case (2, UInt8(ascii: "g"), UInt8(ascii: "t")): ">"
    case (3, UInt8(ascii: "a"), UInt8(ascii: "m")): "&"
    case (4, UInt8(ascii: "a"), UInt8(ascii: "p")): "'"
    case (4, UInt8(ascii: "q"), UInt8(ascii: "u")): "\""
    default: nil
    }
  }
}

/// Returns the value of a hexadecimal digit.
@inlinable @inline(__always)
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
  default: nil
  }
}
