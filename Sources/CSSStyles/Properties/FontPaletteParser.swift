// Values of `font-palette`: keywords, names of `@font-palette-values`, and `palette-mix()` (CSS Fonts 4, section 9.1).

internal import VectorGraphics

/// Parses values of `font-palette`.
enum FontPaletteParser {
  /// The maximum nesting depth of mixtures.
  private static let maximumDepth = 6

  static func parse(_ bytes: Span<UInt8>) -> FontPalette? {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    guard let palette = palette(&scanner, depth: 0) else { return nil }
    return scanner.isAtEnd ? palette : nil
  }

  /// Reads a name of `@font-palette-values`, which starts with two hyphens.
  static func name(_ bytes: Span<UInt8>) -> String? {
    guard case .named(let name)? = parse(bytes) else { return nil }
    return name
  }

  /// Reads a palette and white space around it.
  private static func palette(_ scanner: inout CSSScanner, depth: Int) -> FontPalette? {
    scanner.skipSpace()
    guard let word = scanner.identifier() else { return nil }
    let keywords: [(String, FontPalette)] = [("normal", .normal), ("light", .light), ("dark", .dark)]
    let palette: FontPalette?
    if scanner.take(UInt8(ascii: "(")) {
      palette = isWord(word.span, "palette-mix") && depth < maximumDepth ? mixture(&scanner, depth: depth) : nil
    } else if word.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]) {
      // Names are compared for every element with text.
      guard word.count <= FontSettings.maximumNameByteCount else { return nil }
      palette = .named(String(decoding: word, as: UTF8.self))
    } else {
      palette = Parse.keyword(word.span, keywords)
    }
    scanner.skipSpace()
    return palette
  }

  /// Reads the arguments of `palette-mix()` and the closing parenthesis.
  private static func mixture(_ scanner: inout CSSScanner, depth: Int) -> FontPalette? {
    scanner.skipSpace()
    guard let word = scanner.identifier(), isWord(word.span, "in") else { return nil }
    var colors = TextScanner(scanner.bytes)
    colors.position = scanner.position
    guard let (space, path) = ColorParser.interpolation(&colors) else { return nil }
    scanner.position = colors.position
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ",")), let first = part(&scanner, depth: depth),
      scanner.take(UInt8(ascii: ",")), let second = part(&scanner, depth: depth), scanner.take(UInt8(ascii: ")")),
      let mix = ColorMix(space: space, path: path, shares: (first.share, second.share))
    else { return nil }
    return .mixture(mix, first.palette, second.palette)
  }

  /// Reads a palette with a percentage before or after it, and white space around them.
  private static func part(_ scanner: inout CSSScanner, depth: Int) -> (palette: FontPalette, share: Double?)? {
    scanner.skipSpace()
    var share = percentage(&scanner)
    guard let palette = palette(&scanner, depth: depth + 1) else { return nil }
    share = share ?? percentage(&scanner)
    scanner.skipSpace()
    if let share, !(0...1 ~= share) { return nil }
    return (palette, share)
  }

  private static func percentage(_ scanner: inout CSSScanner) -> Double? {
    var numbers = TextScanner(scanner.bytes)
    numbers.position = scanner.position
    guard let share = ColorParser.percentage(&numbers) else { return nil }
    scanner.position = numbers.position
    return share
  }
}

extension FontPalette {
  /// The work units for comparing the value with another one.
  package var readingCost: Int {
    switch self {
    case .normal, .light, .dark: 1
    case .named(let name): name.utf8.count
    case .mixture(_, let first, let second): 10 + first.readingCost + second.readingCost
    }
  }
}
