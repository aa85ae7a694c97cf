// The style sheets that processing instructions link (Associating Style Sheets with XML documents 1.0).

internal import XMLDocuments

extension XMLDocument {
  /// Returns the URL of an `xml-stylesheet` instruction for CSS; `nil` for others.
  func styleSheetLink(_ instruction: TextSlice) -> TextSlice? {
    let range = instruction.range
    var scanner = TextScanner(text.span.extracting(range))
    _ = scanner.word()
    var link: TextSlice?
    while true {
      scanner.skipSpace()
      let name = scanner.word()
      scanner.skipSpace()
      guard name.count > 0, scanner.take(UInt8(ascii: "=")) else { return link }
      scanner.skipSpace()
      let quote = scanner.next
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return link }
      scanner.position += 1
      let start = scanner.position
      while !scanner.isAtEnd, scanner.next != quote { scanner.position += 1 }
      let value = start..<scanner.position
      scanner.position += 1
      if isKeyword(name, "href") {
        link = TextSlice(range.lowerBound + value.lowerBound..<range.lowerBound + value.upperBound)
      } else if isKeyword(name, "alternate"), isWord(scanner.bytes.extracting(value), "yes") {
        return nil
      } else if isKeyword(name, "type"), !isWord(scanner.bytes.extracting(value), "text/css") {
        return nil
      }
    }
  }
}
