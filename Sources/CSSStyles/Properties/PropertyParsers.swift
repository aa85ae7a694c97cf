// Parsers of property values that several rows use, and computed values that depend on the element.

internal import VectorGraphics
internal import XMLDocuments

/// Computed values.
enum Compute {
  /// Converts font-relative lengths to user units, since they depend on this element's font.
  static func absolute(_ length: Length, _ style: ComputedStyle, _ context: StyleContext) -> Length {
    guard length.isFontRelative else { return length }
    return context.lengths(style).absolute(length)
  }

  static func color(_ value: ColorValue, _ style: ComputedStyle, _ context: StyleContext) -> Color {
    value.resolved(style.color, isDark: style.isDark)
  }

  static func color(_ value: ColorValue, _ style: ComputedStyle, _ context: StyleContext) -> Color? {
    value.resolved(style.color, isDark: style.isDark)
  }
}

/// Parsers; each returns `nil` for an invalid value.
enum Parse {
  static func keyword<Value>(_ bytes: Span<UInt8>, _ words: [(String, Value)]) -> Value? {
    for (word, value) in words where isWord(bytes, word) { return value }
    return nil
  }

  static func color(_ bytes: Span<UInt8>) -> ColorValue? { ColorParser.parse(bytes) }

  /// Parses a colour of SVG 1.1.
  static func profileColor(_ bytes: Span<UInt8>) -> ColorValue? { ColorParser.parseWithProfileColor(bytes) }

  /// Parses `color-scheme`; returns whether only the dark one is supported.
  static func colorScheme(_ bytes: Span<UInt8>) -> Bool? {
    let words = words(of: bytes)
    guard !words.isEmpty else { return nil }
    return words.contains("dark") && !words.contains("light") && !words.contains("normal")
  }

  static func rule(_ bytes: Span<UInt8>) -> Fill.Rule? {
    keyword(bytes, [("nonzero", .nonZero), ("evenodd", .evenOdd)])
  }

  static func number(_ bytes: Span<UInt8>) -> Double? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let value = scanner.numberOrCalculation() else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? value : nil
  }

  /// Parses a number or a percentage, clamped to 0…1.
  static func opacity(_ bytes: Span<UInt8>) -> Double? { parseFraction(bytes).map { min(max($0, 0), 1) } }

  static func reference(_ bytes: Span<UInt8>) -> ElementReference? {
    if isWord(bytes, "none") { return ElementReference.none }
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let reference = parseReference(&scanner) else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? reference : nil
  }

  static func isLinear(_ bytes: Span<UInt8>) -> Bool? {
    keyword(bytes, [("auto", false), ("srgb", false), ("linearrgb", true)])
  }

  static func dashes(_ bytes: Span<UInt8>) -> [Length]? {
    if isWord(bytes, "none") { return [] }
    var scanner = TextScanner(bytes)
    var list: [Length] = []
    scanner.skipSpace()
    while !scanner.isAtEnd, list.count < 10_000 {
      guard let length = Length(scanning: &scanner) else { return nil }
      list.append(length)
      scanner.skipSpaceAndComma()
    }
    return list
  }

  static func paintOrder(_ bytes: Span<UInt8>) -> [InheritedStyle.PaintLayer]? {
    let normal: [InheritedStyle.PaintLayer] = [.fill, .stroke, .markers]
    if isWord(bytes, "normal") { return normal }
    var order: [InheritedStyle.PaintLayer] = []
    for word in words(of: bytes) {
      let layer: InheritedStyle.PaintLayer
      switch word {
      case "fill": layer = .fill
      case "stroke": layer = .stroke
      case "markers": layer = .markers
      default: return nil
      }
      if order.contains(layer) { return nil }
      order.append(layer)
    }
    guard !order.isEmpty else { return nil }
    return order + normal.filter { !order.contains($0) }
  }

  static func display(_ bytes: Span<UInt8>) -> Bool? {
    let words = words(of: bytes)
    if words == ["none"] { return false }
    let known: Set<String> = [
      "inline", "block", "list-item", "run-in", "compact", "marker", "table", "inline-table", "table-row-group",
      "table-header-group", "table-footer-group", "table-row", "table-column-group", "table-column", "table-cell",
      "table-caption", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "contents", "flow", "flow-root",
      "ruby", "math",
    ]
    return !words.isEmpty && words.allSatisfy(known.contains) ? true : nil
  }

  static func overflow(_ bytes: Span<UInt8>) -> OwnStyle.Overflow? {
    let words = words(of: bytes)
    guard 1...2 ~= words.count else { return nil }
    let values: [OwnStyle.Overflow?] = words.map { word in
      switch word {
      case "visible", "auto": .visible
      case "hidden", "scroll", "clip", "overlay": .hidden
      default: nil
      }
    }
    guard !values.contains(where: { $0 == nil }) else { return nil }
    return values.contains { $0 == .hidden } ? .hidden : .visible
  }

  static func blending(_ bytes: Span<UInt8>) -> OwnStyle.Blending? {
    if isWord(bytes, "plus-lighter") { return OwnStyle.Blending(isAdditive: true) }
    return BlendMode.allCases.first { isWord(bytes, $0.rawValue) }.map { OwnStyle.Blending(mode: $0) }
  }

  /// Parses the property `d`; empty for `none`.
  static func pathData(_ bytes: Span<UInt8>) -> [UInt8]? {
    if isWord(bytes, "none") { return [] }
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    scanner.skipSpace()
    guard let name = scanner.identifier(), name.elementsEqual("path".utf8), scanner.take(UInt8(ascii: "(")) else {
      return nil
    }
    scanner.skipSpace()
    guard let data = scanner.string() else { return nil }
    scanner.skipSpace()
    return scanner.take(UInt8(ascii: ")")) ? data : nil
  }

  /// Returns the words of a value in lower case.
  static func words(of bytes: Span<UInt8>) -> [String] {
    var words: [String] = []
    var word = ""
    for index in 0..<bytes.count {
      if isSpace(bytes[index]) {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.unicodeScalars.append(Unicode.Scalar(lowercased(bytes[index])))
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
