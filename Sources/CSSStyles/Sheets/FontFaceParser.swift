// The grammar of @font-face (CSS Fonts 4, section 4; CSS Fonts 5, sections 2 and 3).

internal import Fonts

/// Reads the descriptors of a rule.
struct FontFaceParser {
  /// The maximum number of sources and of ranges of characters; further ones are ignored.
  private static let maximumCount = 64

  private(set) var rule: FontFaceRule

  /// Reads a block of descriptors.
  ///
  /// - Parameters:
  ///   - block: the text between the braces, in the document's text.
  ///   - byteOffset: the position in the document, for diagnostics.
  init(_ block: Range<Int>, of text: Span<UInt8>, byteOffset: Int) {
    rule = FontFaceRule(byteOffset: byteOffset)
    for (name, range) in Descriptors.read(block, of: text) { read(name, range, text) }
  }

  /// Reads a descriptor. One that is not valid has no effect.
  private mutating func read(_ name: String, _ range: Range<Int>, _ text: Span<UInt8>) {
    let value = text.extracting(range)
    switch name {
    case "font-family":
      // Only one name, which is never generic.
      var scanner = CSSScanner(value, range: 0..<value.count)
      if let string = scanner.string() {
        rule.family = String(decoding: string, as: UTF8.self).lowercased()
      } else {
        rule.family = FontFaceParser.words(value).joined(separator: " ").lowercased()
      }
    case "src":
      let sources = FontFaceParser.sources(range, text)
      if !sources.isEmpty { rule.sources = sources }
    case "font-weight": rule.weights = FontFaceParser.range(value, FontFaceParser.weight) ?? rule.weights
    case "font-stretch", "font-width":
      rule.stretches = FontFaceParser.range(value, FontFaceParser.stretch) ?? rule.stretches
    case "font-style":
      switch FontFaceParser.words(value).first?.lowercased() {
      case "italic": rule.style = .italic
      case "oblique": rule.style = .oblique
      case "normal": rule.style = .normal
      default: break
      }
    case "unicode-range":
      if let ranges = FontFaceParser.characters(value) { rule.characters = ranges }
    case "size-adjust":
      if let factor = FontFaceParser.percentage(value) { rule.sizeAdjustment = factor }
    case "ascent-override": rule.ascent = FontFaceParser.percentage(value)
    case "descent-override": rule.descent = FontFaceParser.percentage(value)
    case "line-gap-override": rule.lineGap = FontFaceParser.percentage(value)
    // No browser waits for fonts that are in the document.
    default: break
    }
  }

  // MARK: Values

  private static func words(_ value: Span<UInt8>) -> [String] {
    var scanner = CSSScanner(value, range: 0..<value.count)
    var words: [String] = []
    while words.count < 16, let word = scanner.identifier() {
      words.append(String(decoding: word, as: UTF8.self))
      scanner.skipSpace()
    }
    return words
  }

  /// One or two values, separated by white space.
  private static func range(_ value: Span<UInt8>, _ parse: (Span<UInt8>) -> Double?) -> ClosedRange<Double>? {
    var position = 0
    guard let word = StyleSheetText.nextWord(value, &position), let first = parse(value.extracting(word)) else {
      return nil
    }
    guard let word = StyleSheetText.nextWord(value, &position) else { return first...first }
    guard let last = parse(value.extracting(word)), StyleSheetText.nextWord(value, &position) == nil else { return nil }
    return min(first, last)...max(first, last)
  }

  /// A weight that does not depend on a parent.
  private static func weight(_ word: Span<UInt8>) -> Double? {
    if isWord(word, "auto") { return 400 }
    guard case .value(let value)? = TextValues.weight(word) else { return nil }
    return value
  }

  /// A width that does not depend on a parent.
  private static func stretch(_ word: Span<UInt8>) -> Double? {
    if isWord(word, "auto") { return 100 }
    guard case .value(let value)? = TextValues.stretch(word) else { return nil }
    return value
  }

  /// A percentage that is not negative, as a factor.
  private static func percentage(_ value: Span<UInt8>) -> Double? {
    guard let length = Length(parsing: value), length.unit == .percent, 0...10_000 ~= length.value else { return nil }
    return length.value / 100
  }

  /// Ranges such as `U+26`, `U+0-7F` and `U+4??`; `nil` if one is not valid.
  private static func characters(_ value: Span<UInt8>) -> [ClosedRange<UInt32>]? {
    var ranges: [ClosedRange<UInt32>] = []
    for item in spelling(value).split(separator: ",").prefix(maximumCount) {
      let text = item.filter { $0 != " " && $0 != "\n" && $0 != "\t" }.lowercased()
      guard text.hasPrefix("u+") else { return nil }
      let parts = text.dropFirst(2).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let last = parts.count == 2 ? parts[1] : parts[0]
      guard parts[0].count <= 6, last.count <= 6,
        let start = UInt32(parts[0].map { $0 == "?" ? "0" : String($0) }.joined(), radix: 16),
        let end = UInt32(last.map { $0 == "?" ? "f" : String($0) }.joined(), radix: 16), start <= end, end <= 0x10FFFF
      else { return nil }
      ranges.append(start...end)
    }
    return ranges.isEmpty ? nil : ranges
  }

  // MARK: Sources

  /// The sources in formats that are supported. An invalid one is skipped without effect on the others.
  private static func sources(_ range: Range<Int>, _ text: Span<UInt8>) -> [FontFaceRule.Source] {
    var scanner = CSSScanner(text, range: range)
    var sources: [FontFaceRule.Source] = []
    while !scanner.isAtEnd, sources.count < maximumCount {
      scanner.skipSpace()
      let start = scanner.position
      scanner.skip(to: UInt8(ascii: ","))
      if let source = source(StyleSheet.trimmed(start..<scanner.position, of: text), text) { sources.append(source) }
      scanner.position = min(scanner.end, scanner.position + 1)
    }
    return sources
  }

  private static func source(_ range: Range<Int>, _ text: Span<UInt8>) -> FontFaceRule.Source? {
    var scanner = CSSScanner(text, range: range)
    guard let (name, argument) = function(&scanner, text) else { return nil }
    let source: FontFaceRule.Source
    switch name {
    case "local":
      var inner = CSSScanner(text, range: argument)
      let name = inner.string().map { String(decoding: $0, as: UTF8.self) }
      let joined = name ?? words(text.extracting(argument)).joined(separator: " ")
      guard !joined.isEmpty else { return nil }
      source = .local(joined)
    case "url":
      var inner = CSSScanner(text, range: argument)
      let quote = inner.peek()
      if !inner.isAtEnd, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        guard argument.count >= 2, text[argument.upperBound - 1] == quote else { return nil }
        // Without a copy of a font's many bytes, if possible.
        let content = argument.lowerBound + 1..<argument.upperBound - 1
        var hasEscape = false
        for index in content where text[index] == UInt8(ascii: "\\") { hasEscape = true }
        source = hasEscape ? .unescapedURL(inner.string() ?? []) : .url(content)
      } else {
        source = .url(argument)
      }
    default: return nil
    }
    while true {
      scanner.skipSpace()
      if scanner.isAtEnd { return source }
      guard let (name, argument) = function(&scanner, text) else { return nil }
      let names = spelling(text.extracting(argument)).lowercased().split(separator: ",").map { item in
        String(item.filter { $0 != "\"" && $0 != "'" && $0 != " " })
      }
      let supported = name == "format" ? formats : name == "tech" ? technologies : []
      guard !names.isEmpty, names.allSatisfy({ supported.contains($0) }) else { return nil }
    }
  }

  /// Reads a function and returns its name in lower case and the range of its argument without white space around it.
  private static func function(
    _ scanner: inout CSSScanner, _ text: Span<UInt8>
  ) -> (name: String, argument: Range<Int>)? {
    guard let name = scanner.identifier(), scanner.take(UInt8(ascii: "(")) else { return nil }
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ")"))
    let argument = StyleSheet.trimmed(start..<scanner.position, of: text)
    guard scanner.take(UInt8(ascii: ")")), !argument.isEmpty else { return nil }
    return (String(decoding: name, as: UTF8.self).lowercased(), argument)
  }

  private static let formats: Set<String> = [
    "woff2", "woff", "truetype", "opentype", "collection", "woff2-variations", "woff-variations",
    "truetype-variations", "opentype-variations",
  ]

  private static let technologies: Set<String> = [
    "variations", "palettes", "color-colrv0", "color-colrv1", "color-svg", "color-sbix", "color-cbdt",
    "features-opentype",
  ]
}

/// Bytes as UTF-8 text.
private func spelling(_ bytes: Span<UInt8>) -> String {
  var copy: [UInt8] = []
  copy.reserveCapacity(bytes.count)
  for index in bytes.indices { copy.append(bytes[index]) }
  return String(decoding: copy, as: UTF8.self)
}
