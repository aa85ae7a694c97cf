// The descriptors of at-rules that describe a thing rather than style elements (CSS Syntax 3, section 5.4.4).

/// Reads blocks of descriptors.
enum Descriptors {
  /// The maximum number of descriptors of a block; further ones are ignored.
  private static let maximumCount = 256

  /// Returns the names in lower case and the ranges of the values, without white space around them.
  static func read(_ block: Range<Int>, of text: Span<UInt8>) -> [(name: String, value: Range<Int>)] {
    var descriptors: [(name: String, value: Range<Int>)] = []
    var scanner = CSSScanner(text, range: block)
    while !scanner.isAtEnd, descriptors.count < maximumCount {
      scanner.skipSpace()
      let name = scanner.identifier().map { String(decoding: $0, as: UTF8.self).lowercased() }
      scanner.skipSpace()
      let hasColon = scanner.take(UInt8(ascii: ":"))
      let start = scanner.position
      scanner.skip(to: UInt8(ascii: ";"))
      if let name, hasColon {
        descriptors.append((name, StyleSheet.trimmed(start..<scanner.position, of: text)))
      }
      scanner.position = min(scanner.end, scanner.position + 1)
    }
    return descriptors
  }
}
