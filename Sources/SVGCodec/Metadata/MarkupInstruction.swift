// Processing instructions: the XML declaration, and links to style sheets (Associating Style Sheets with XML Documents).

internal import ImageCoding
internal import XMLDocuments

/// An instruction whose content looks like attributes.
struct MarkupInstruction {
  let target: String
  private let attributes: [(name: String, value: [UInt8])]

  /// Parses an instruction with its delimiters.
  init(_ text: ArraySlice<UInt8>) {
    let content = text.dropFirst(2).dropLast(2)
    let name = content.prefix { !isSpace($0) }
    target = String(decoding: name, as: UTF8.self)
    var attributes: [(name: String, value: [UInt8])] = []
    var index = name.endIndex
    while true {
      while index < content.endIndex, isSpace(content[index]) { index += 1 }
      let start = index
      while index < content.endIndex, content[index] != UInt8(ascii: "="), !isSpace(content[index]) { index += 1 }
      let name = String(decoding: content[start..<index], as: UTF8.self)
      while index < content.endIndex, isSpace(content[index]) { index += 1 }
      guard !name.isEmpty, index < content.endIndex, content[index] == UInt8(ascii: "=") else { break }
      index += 1
      while index < content.endIndex, isSpace(content[index]) { index += 1 }
      guard index < content.endIndex, content[index] == 34 || content[index] == 39 else { break }
      guard let end = content[(index + 1)...].firstIndex(of: content[index]) else { break }
      attributes.append((name, Array(content[(index + 1)..<end])))
      index = end + 1
    }
    self.attributes = attributes
  }

  /// The instruction with nothing but attributes of some names.
  ///
  /// - Parameter rewrite: returns the value that takes the place of one.
  func text(
    keeping names: [String], rewrite: (_ name: String, _ value: [UInt8]) throws(CodecError) -> [UInt8]
  ) throws(CodecError) -> [UInt8] {
    var text = Array("<?\(target)".utf8)
    for name in names {
      guard let value = attributes.first(where: { $0.name == name })?.value else { continue }
      let rewritten = try rewrite(name, value)
      let quote: UInt8 = rewritten.contains(34) ? 39 : 34
      text += Array(" \(name)=".utf8) + [quote] + rewritten + [quote]
    }
    return text + Array("?>".utf8)
  }
}
