// The `font` shorthand, divided into its longhands (CSS Fonts 4, section 2.7).

internal import XMLDocuments

/// The ranges of the parts of a `font` value.
struct FontShorthand {
  private(set) var style: Range<Int>?
  private(set) var variant: Range<Int>?
  private(set) var weight: Range<Int>?
  private(set) var stretch: Range<Int>?
  private(set) var size = 0..<0
  private(set) var lineHeight: Range<Int>?
  private(set) var family = 0..<0

  /// Parses a value; `nil` without a size and a family, as in the case of system fonts.
  init?(parsing bytes: Span<UInt8>) {
    var position = 0
    while let word = StyleSheetText.nextWord(bytes, &position) {
      if Self.isSize(bytes.extracting(word)) {
        size = Self.withoutLineHeight(bytes, word)
        lineHeight = Self.lineHeight(bytes, word, &position)
        family = StyleSheet.trimmed(position..<bytes.count, of: bytes)
        if family.isEmpty { return nil }
        return
      }
      take(word, of: bytes)
    }
    return nil
  }

  /// Returns whether a word starts with a size: a length with a unit, a percentage, or a keyword.
  private static func isSize(_ word: Span<UInt8>) -> Bool {
    var scanner = TextScanner(word)
    if let length = Length(scanning: &scanner) {
      // Numbers without a unit are weights.
      let isNumber = scanner.position > 0 && UInt8(ascii: "0")...UInt8(ascii: "9") ~= word[scanner.position - 1]
      return !isNumber || length.value == 0 || !scanner.isAtEnd || length.value > 1000
    }
    for keyword in [
      "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "smaller", "larger",
    ] {
      var end = 0
      while end < word.count, word[end] != UInt8(ascii: "/") { end += 1 }
      if isKeyword(word.extracting(0..<end), keyword) { return true }
    }
    return false
  }

  private static func withoutLineHeight(_ bytes: Span<UInt8>, _ word: Range<Int>) -> Range<Int> {
    var end = word.lowerBound
    while end < word.upperBound, bytes[end] != UInt8(ascii: "/") { end += 1 }
    return word.lowerBound..<end
  }

  /// Reads the line height of `size / line-height`, with or without spaces; `nil` if there is none.
  private static func lineHeight(_ bytes: Span<UInt8>, _ word: Range<Int>, _ position: inout Int) -> Range<Int>? {
    let slash = withoutLineHeight(bytes, word).upperBound
    if slash < word.upperBound - 1 { return slash + 1..<word.upperBound }
    if slash == word.upperBound {
      var next = position
      while next < bytes.count, isSpace(bytes[next]) { next += 1 }
      guard next < bytes.count, bytes[next] == UInt8(ascii: "/") else { return nil }
      position = next + 1
    }
    return StyleSheetText.nextWord(bytes, &position)
  }

  private mutating func take(_ word: Range<Int>, of bytes: Span<UInt8>) {
    let span = bytes.extracting(word)
    if isKeyword(span, "italic") || isKeyword(span, "oblique") {
      style = word
    } else if isKeyword(span, "small-caps") {
      variant = word
    } else if isKeyword(span, "bold") || isKeyword(span, "bolder") || isKeyword(span, "lighter")
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= span[0]
    {
      weight = word
    } else if !isKeyword(span, "normal") {
      stretch = word
    }
  }
}
