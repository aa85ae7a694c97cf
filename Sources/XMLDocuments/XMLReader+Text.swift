// Character data, CDATA sections and the basic tokens of markup: names, white space, literals.

internal import ImageCoding

extension XMLReader {
  /// The index in the text of the next byte to be read.
  var position: Int {
    get { inputs[inputs.count - 1].position }
    set { inputs[inputs.count - 1].position = newValue }
  }

  /// Returns the byte at a distance from the position; 0 past the end.
  func byte(_ distance: Int) -> UInt8 {
    let input = inputs[inputs.count - 1]
    let index = input.position + distance
    return index < input.end ? document.text[index] : 0
  }

  func error(_ reason: String) -> CodecError {
    CodecError(.malformed, reason, format: .svgDocument, byteOffset: min(inputs[0].position, fileByteCount))
  }

  func limit(_ reason: String) -> CodecError {
    CodecError(.limitExceeded, reason, format: .svgDocument, byteOffset: min(inputs[0].position, fileByteCount))
  }

  func matches(_ literal: String) -> Bool {
    var index = 0
    for expected in literal.utf8 {
      if byte(index) != expected { return false }
      index += 1
    }
    return true
  }

  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    let end = end(from: start, while: isSpace)
    position = end
    return end > start
  }

  /// Returns the end of the sequence of bytes that satisfy a condition.
  @inline(__always)
  private func end(from start: Int, while holds: (UInt8) -> Bool) -> Int {
    let end = inputs[inputs.count - 1].end
    let text = document.text.span
    var index = start
    while index < end, holds(text[index]) { index &+= 1 }
    return index
  }

  /// Moves to the end of the next occurrence of a literal.
  mutating func skip(past literal: String, openedBy count: Int) throws(CodecError) {
    guard let next = indexBehind(Array(literal.utf8), from: position + count) else {
      throw error("a comment or an instruction is not closed")
    }
    position = next
  }

  /// Returns whether the target of an instruction is `xml-stylesheet`.
  func isStyleSheet(_ instruction: Range<Int>) -> Bool {
    let text = document.text.span
    var end = instruction.lowerBound
    while end < instruction.upperBound, isWordByte(text[end]) { end += 1 }
    return isKeyword(text.extracting(instruction.lowerBound..<end), "xml-stylesheet")
  }

  private func indexBehind(_ pattern: [UInt8], from start: Int) -> Int? {
    let end = inputs[inputs.count - 1].end
    let text = document.text.span
    var index = start
    while index + pattern.count <= end {
      var length = 0
      while length < pattern.count, text[index + length] == pattern[length] { length += 1 }
      if length == pattern.count { return index + pattern.count }
      index += 1
    }
    return nil
  }

  /// Reads a name: a sequence of bytes other than separators and delimiters.
  mutating func readName() throws(CodecError) -> TextSlice {
    let start = position
    let end = end(from: start, while: isNameByte)
    guard end > start else { throw error("a name is missing") }
    let first = document.text[start]
    guard first != UInt8(ascii: "-"), first != UInt8(ascii: "."), !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first)
    else { throw error("a name starts with a character that may not start one") }
    position = end
    return TextSlice(start..<end)
  }

  /// Reads character data up to the next tag or the next entity that has to be parsed as markup.
  mutating func readText() throws(CodecError) {
    let start = position
    let (end, isPlain) = scanText(from: start)
    guard end > start else {
      try beginEntity()
      return
    }
    position = end
    guard openElements.last?.keepsText == true else { return }
    let slice = isPlain ? TextSlice(start..<end) : try expandedValue(start..<end, isAttribute: false)
    try appendText(slice, offset: min(start, fileByteCount))
  }

  /// Returns the end of the character data, and whether it is literal.
  private func scanText(from start: Int) -> (end: Int, isPlain: Bool) {
    let end = inputs[inputs.count - 1].end
    let text = document.text.span
    var index = start
    var isPlain = true
    while index < end, text[index] != UInt8(ascii: "<") {
      if text[index] == UInt8(ascii: "&") {
        if isGeneralEntity(at: index, end: end) { break }
        isPlain = false
      } else if text[index] == 13 {
        isPlain = false
      }
      index &+= 1
    }
    return (index, isPlain)
  }

  mutating func readCharacterData() throws(CodecError) {
    let start = position + 9
    let offset = position
    try skip(past: "]]>", openedBy: 9)
    try appendText(TextSlice(start..<position - 3), offset: min(offset, fileByteCount))
  }
}

@inline(__always)
private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: ":"),
    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xff:
    true
  default: false
  }
}
