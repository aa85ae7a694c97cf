// The properties of emphasis marks (CSS Text Decoration 4, section 3).

package import VectorGraphics

/// The emphasis marks of an element's letters.
package struct TextEmphasis: Hashable, Sendable {
  static let initial = TextEmphasis()

  /// The mark that is drawn at each letter.
  package enum Mark: Hashable, Sendable {
    case none
    /// A shape; without one, circles in horizontal text and sesames in vertical text.
    case shape(Shape?, isOpen: Bool)
    /// The first characters of a string, of which the first grapheme cluster is drawn.
    case string([Unicode.Scalar])
  }

  package enum Shape: Hashable, Sendable {
    case dot
    case circle
    case doubleCircle
    case triangle
    case sesame
  }

  package var mark = Mark.none
  /// The colour of the marks; if `nil`, they are painted as the text.
  package var color: Color?
  /// Whether marks of horizontal text are below it.
  package var isUnder = false
  /// Whether marks of vertical text are on the left of it.
  package var isLeft = false
}

extension PropertyTable {
  static let emphasis: [PropertyRow] = [
    .inherited("text-emphasis-style", \.text.emphasis.mark, isAttribute: false, EmphasisValues.mark),
    .inherited("text-emphasis-color", \.text.emphasis.color, isAttribute: false, DecorationValues.color) {
      value, style, context in
      value.map { $0.resolved(style.color, isDark: style.isDark) }
    },
    emphasisPosition,
    .shorthand("text-emphasis", of: ["text-emphasis-style", "text-emphasis-color"], EmphasisValues.all),
  ]

  private static let emphasisPosition = PropertyRow(
    name: "text-emphasis-position", isInherited: true, isAttribute: false,
    parse: { bytes in
      guard let (isUnder, isLeft) = EmphasisValues.position(Parse.words(of: bytes)) else { return nil }
      return StyleValue { style, _ in
        style.inherited.text.emphasis.isUnder = isUnder
        style.inherited.text.emphasis.isLeft = isLeft
      }
    },
    copy: { style, other in
      style.inherited.text.emphasis.isUnder = other.text.emphasis.isUnder
      style.inherited.text.emphasis.isLeft = other.text.emphasis.isLeft
    })
}

/// Values of the properties of emphasis marks.
enum EmphasisValues {
  /// The maximum number of characters of a mark.
  private static let maximumMarkLength = 16

  private static let shapes: [(String, TextEmphasis.Shape)] = [
    ("dot", .dot), ("circle", .circle), ("double-circle", .doubleCircle), ("triangle", .triangle),
    ("sesame", .sesame),
  ]
  private static let fills = [("filled", false), ("open", true)]

  static func mark(_ bytes: Span<UInt8>) -> TextEmphasis.Mark? {
    if isWord(bytes, "none") { return TextEmphasis.Mark.none }
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var reader = MarkReader()
    scanner.skipSpace()
    while !scanner.isAtEnd {
      if let string = scanner.string() {
        guard reader.take(mark(of: string)) else { return nil }
      } else {
        guard let word = scanner.identifier(), reader.take(word) else { return nil }
      }
      scanner.skipSpace()
    }
    return reader.mark
  }

  /// The mark of a string.
  private static func mark(of string: [UInt8]) -> TextEmphasis.Mark {
    let scalars = Array(String(decoding: string, as: UTF8.self).unicodeScalars.prefix(maximumMarkLength))
    return scalars.isEmpty ? .none : .string(scalars)
  }

  static func position(_ words: [String]) -> (isUnder: Bool, isLeft: Bool)? {
    if words == ["auto"] { return (false, false) }
    let lines = words.filter { $0 == "over" || $0 == "under" }
    let sides = words.filter { $0 == "left" || $0 == "right" }
    guard lines.count == 1, sides.count <= 1, lines.count + sides.count == words.count else { return nil }
    return (lines == ["under"], sides == ["left"])
  }

  /// Divides the shorthand: a style and a colour in any order.
  static func all(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var reader = MarkReader()
    var color: ColorValue?
    scanner.skipSpace()
    guard !scanner.isAtEnd else { return nil }
    while !scanner.isAtEnd {
      let start = scanner.position
      if let string = scanner.string() {
        guard reader.take(mark(of: string)) else { return nil }
      } else if let word = scanner.identifier(), reader.take(word) {
      } else {
        var colors = TextScanner(bytes)
        colors.position = start
        guard color == nil, let value = ColorParser.parse(&colors) else { return nil }
        color = value
        scanner.position = colors.position
      }
      scanner.skipSpace()
    }
    let mark = reader.mark ?? .none
    return [
      ("text-emphasis-style", .value(StyleValue { target, _ in target.inherited.text.emphasis.mark = mark })),
      (
        "text-emphasis-color",
        .value(
          StyleValue { [color] target, _ in
            let isCurrent = if case .current? = color { true } else { false }
            target.inherited.text.emphasis.color =
              isCurrent ? nil : color.map { $0.resolved(target.color, isDark: target.isDark) }
          })
      ),
    ]
  }

  /// Puts the words of a mark together.
  private struct MarkReader {
    private var shape: TextEmphasis.Shape?
    private var isOpen: Bool?
    private var whole: TextEmphasis.Mark?

    /// The mark; `nil` if there were no words.
    var mark: TextEmphasis.Mark? {
      whole ?? (shape != nil || isOpen != nil ? .shape(shape, isOpen: isOpen ?? false) : nil)
    }

    mutating func take(_ mark: TextEmphasis.Mark) -> Bool {
      guard self.mark == nil else { return false }
      whole = mark
      return true
    }

    mutating func take(_ word: [UInt8]) -> Bool {
      if isWord(word.span, "none") { return take(.none) }
      guard whole == nil else { return false }
      if shape == nil, let known = Parse.keyword(word.span, EmphasisValues.shapes) {
        shape = known
        return true
      }
      if isOpen == nil, let known = Parse.keyword(word.span, EmphasisValues.fills) {
        isOpen = known
        return true
      }
      return false
    }
  }
}
