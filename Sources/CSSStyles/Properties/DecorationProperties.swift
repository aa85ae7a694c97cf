// The properties of text decoration (CSS Text Decoration 4).

package import VectorGraphics
internal import XMLDocuments

extension PropertyTable {
  static let decorations: [PropertyRow] = [
    decorationLine,
    .own("text-decoration-style", \.ownText.lineStyle, isAttribute: false, DecorationValues.style),
    .own("text-decoration-color", \.ownText.lineColor, isAttribute: false, DecorationValues.color) {
      value, style, context in
      value.map { $0.resolved(style.color, isDark: style.isDark) }
    },
    .own("text-decoration-thickness", \.ownText.lineThickness, isAttribute: false, DecorationValues.thickness) {
      value, style, context in
      value.map { DecorationValues.absolute($0, style, context) }
    },
    .shorthand(
      "text-decoration",
      of: [
        "text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness",
      ], isAttribute: true, DecorationValues.all),
    .inherited("text-underline-offset", \.text.decoration.offset, isAttribute: false, DecorationValues.offset) {
      value, style, context in
      value.map { DecorationValues.absolute($0, style, context) }
    },
    underlinePosition,
    .inherited("text-decoration-skip-ink", \.text.decoration.skipping, isAttribute: false) {
      Parse.keyword($0, [("auto", .auto), ("none", .none), ("all", .all)])
    },
    .inherited("text-shadow", \.text.shadows, isAttribute: false, DecorationValues.shadows) { list, style, context in
      list.map { shadow in
        func pixels(_ length: Length) -> Double { context.lengths(style).resolve(length, .other) }
        return TextShadow(
          x: pixels(shadow.x), y: pixels(shadow.y), blur: pixels(shadow.blur),
          color: shadow.color.resolved(style.color, isDark: style.isDark))
      }
    },
  ]

  /// The lines of an element are also drawn at its descendants' text; see ``TextStyle/decorators``.
  private static let decorationLine = PropertyRow(
    name: "text-decoration-line", isInherited: false, isAttribute: false,
    parse: { DecorationValues.lines(Parse.words(of: $0)).map(DecorationValues.setting) },
    copy: { style, other in
      style.own.ownText.lines = other.ownText.lines
    })

  private static let underlinePosition = PropertyRow(
    name: "text-underline-position", isInherited: true, isAttribute: false,
    parse: { bytes in
      let words = Parse.words(of: bytes)
      let known: Set<String> = ["auto", "from-font", "under", "left", "right"]
      guard 1...2 ~= words.count, words.allSatisfy(known.contains) else { return nil }
      return StyleValue { style, _ in
        style.inherited.text.decoration.position = words.contains("under") ? .under : .auto
        style.inherited.text.decoration.isOnRight =
          words.contains("right") ? true : words.contains("left") ? false : nil
      }
    },
    copy: { style, other in
      style.inherited.text.decoration.position = other.text.decoration.position
      style.inherited.text.decoration.isOnRight = other.text.decoration.isOnRight
    })
}

/// A shadow of text, in user units.
package struct TextShadow: Hashable, Sendable {
  package var x: Double
  package var y: Double
  /// The radius of the blur: twice its standard deviation.
  package var blur: Double
  package var color: Color
}

/// Values of the decoration properties.
enum DecorationValues {
  /// The maximum number of shadows; further ones are not drawn.
  private static let maximumShadowCount = 32

  static func style(_ bytes: Span<UInt8>) -> TextStyle.DecorationStyle? { Parse.keyword(bytes, styles) }

  private static let styles: [(String, TextStyle.DecorationStyle)] = [
    ("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy),
  ]

  /// Returns the inner `nil` for `currentcolor`, the initial value: the paint of the text.
  static func color(_ bytes: Span<UInt8>) -> ColorValue?? {
    if isWord(bytes, "currentcolor") { return .some(nil) }
    return ColorParser.parse(bytes).map { .some($0) }
  }

  static func thickness(_ bytes: Span<UInt8>) -> Length?? {
    if isWord(bytes, "auto") || isWord(bytes, "from-font") { return .some(nil) }
    return Length(parsing: bytes).map { .some($0) }
  }

  static func offset(_ bytes: Span<UInt8>) -> Length?? {
    if isWord(bytes, "auto") { return .some(nil) }
    return Length(parsing: bytes).map { .some($0) }
  }

  /// Returns a length in user units; percentages refer to the font size.
  static func absolute(_ length: Length, _ style: ComputedStyle, _ context: StyleContext) -> Length {
    Length(context.lengths(style, percentBase: style.fontSize).resolve(length, .horizontal))
  }

  static func lines(_ words: [String]) -> TextStyle.DecorationLines? {
    var lines: TextStyle.DecorationLines = []
    for word in words {
      switch word {
      case "underline": lines.insert(.underline)
      case "overline": lines.insert(.overline)
      case "line-through": lines.insert(.lineThrough)
      default: break
      }
    }
    return words.isEmpty ? nil : lines
  }

  static func setting(_ lines: TextStyle.DecorationLines) -> StyleValue {
    StyleValue { style, _ in
      style.own.ownText.lines = lines
    }
  }

  /// Divides the shorthand: lines, a style, a colour and a thickness in any order.
  static func all(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    var scanner = TextScanner(bytes)
    var words: [String] = []
    var style: TextStyle.DecorationStyle?
    var color: ColorValue?
    var thickness: Length?
    scanner.skipSpace()
    while !scanner.isAtEnd {
      let start = scanner.position
      let word = scanner.word()
      let endsWord = scanner.isAtEnd || isSpace(scanner.next)
      if endsWord, let known = Parse.keyword(word, styles) {
        style = known
      } else if endsWord, isLineWord(word) {
        words += Parse.words(of: word)
      } else {
        scanner.position = start
        if let value = ColorParser.parse(&scanner) {
          color = value
        } else {
          scanner.position = start
          guard let length = Length(scanning: &scanner) else { return nil }
          thickness = length
        }
      }
      scanner.skipSpace()
    }
    guard !words.isEmpty || style != nil || color != nil || thickness != nil else { return nil }
    let lines = lines(words) ?? []
    return [
      ("text-decoration-line", .value(setting(lines))),
      (
        "text-decoration-style",
        .value(StyleValue { [style] target, _ in target.own.ownText.lineStyle = style ?? .solid })
      ),
      (
        "text-decoration-color",
        .value(
          StyleValue { [color] target, _ in
            let isCurrent = if case .current? = color { true } else { false }
            target.own.ownText.lineColor =
              isCurrent ? nil : color.map { $0.resolved(target.color, isDark: target.isDark) }
          })
      ),
      (
        "text-decoration-thickness",
        .value(
          StyleValue { [thickness] target, context in
            target.own.ownText.lineThickness = thickness.map { absolute($0, target, context) }
          })
      ),
    ]
  }

  private static func isLineWord(_ word: Span<UInt8>) -> Bool {
    for known in ["none", "underline", "overline", "line-through", "blink", "auto", "from-font"]
    where isWord(word, known) {
      return true
    }
    return false
  }

  static func shadows(_ bytes: Span<UInt8>) -> [ShadowValue]? {
    if isWord(bytes, "none") { return [] }
    var scanner = TextScanner(bytes)
    var list: [ShadowValue] = []
    repeat {
      scanner.skipSpace()
      guard let shadow = ShadowValue(scanning: &scanner) else { return nil }
      if list.count < maximumShadowCount { list.append(shadow) }
      scanner.skipSpace()
    } while scanner.take(UInt8(ascii: ","))
    return scanner.isAtEnd ? list : nil
  }
}
