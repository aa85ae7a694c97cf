// The properties that transform text and divide it into lines (CSS Text 3 and 4; CSS Writing Modes 3; SVG 2, section
// 11.7).

extension PropertyTable {
  static let lines: [PropertyRow] = [
    .inherited("text-transform", \.text.transform, isAttribute: false) { TextTransform(parsing: $0) },
    .inherited("white-space-collapse", \.text.lines.whiteSpace, isAttribute: false) { bytes -> LineStyle.WhiteSpace?? in
      Parse.keyword(
        bytes,
        [
          ("collapse", .some(.collapse)), ("preserve", .preserve), ("preserve-breaks", .preserveBreaks),
          ("preserve-spaces", .preserveSpaces), ("break-spaces", .breakSpaces),
        ])
    },
    .inherited("text-wrap-mode", \.text.lines.wraps, isAttribute: false, LineValues.wrapMode),
    .shorthand(
      "white-space", of: ["white-space-collapse", "text-wrap-mode"], isAttribute: true, LineValues.whiteSpace),
    .shorthand("text-wrap", of: ["text-wrap-mode"], LineValues.textWrap),
    .ignored("text-wrap-style", isAttribute: false),
    .own("inline-size", \.ownText.inlineSize, LineValues.inlineSize) { value, style, context in
      value.map { Compute.absolute($0, style, context) }
    },
    .own("text-overflow", \.ownText.overflow, LineValues.overflow),
    .inherited(
      "text-indent", \.text.lines.indent, isAttribute: false, limitation: LineValues.indentLimitation,
      LineValues.indent, computed: Compute.absolute),
    .inherited(
      "line-height", \.text.lines.height, isFirst: true, LineValues.height, computed: LineValues.computedHeight),
    .inherited("tab-size", \.text.lines.tabSize, isAttribute: false, LineValues.tabSize) { value, style, context in
      if case .length(let length) = value { return .length(Compute.absolute(length, style, context)) }
      return value
    },
    .inherited(
      "hyphens", \.text.lines.hyphens, isAttribute: false,
      limitation: { isWord($0, "auto") ? "hyphens: auto breaks words only at soft hyphens" : nil }
    ) { Parse.keyword($0, [("none", .none), ("manual", .manual), ("auto", .manual)]) },
    overflowWrap("overflow-wrap"),
    overflowWrap("word-wrap"),
    wordBreak,
    lineBreak,
    // These align the lines of boxes and shapes; `text-anchor` aligns those of `inline-size`.
    .ignored("text-align", isAttribute: false),
    .ignored("text-align-last", isAttribute: false),
    .ignored("text-align-all", isAttribute: false),
    .ignored("text-justify", isAttribute: false),
  ]

  private static func overflowWrap(_ name: String) -> PropertyRow {
    .inherited(name, \.text.lines.breaksLongWords, isAttribute: false) {
      Parse.keyword($0, [("normal", false), ("break-word", true), ("anywhere", true)])
    }
  }

  private static let wordBreak = PropertyRow(
    name: "word-break", isInherited: true, isAttribute: false,
    parse: { bytes in
      // The legacy value `break-word` is short for `overflow-wrap: anywhere`.
      let breaksLongWords = isWord(bytes, "break-word")
      guard
        let words = Parse.keyword(
          bytes,
          [
            ("normal", LineStyle.WordBreak.normal), ("break-all", .breakAll), ("keep-all", .keepAll),
            ("break-word", .normal), ("auto-phrase", .normal),
          ])
      else { return nil }
      return StyleValue { style, _ in
        style.inherited.text.lines.wordBreak = words
        if breaksLongWords { style.inherited.text.lines.breaksLongWords = true }
      }
    },
    copy: { style, other in style.inherited.text.lines.wordBreak = other.text.lines.wordBreak })

  private static let lineBreak = PropertyRow(
    name: "line-break", isInherited: true, isAttribute: false,
    parse: { bytes in
      let breaksAnywhere = isWord(bytes, "anywhere")
      guard
        let strictness = Parse.keyword(
          bytes,
          [
            ("auto", LineStyle.Strictness.strict), ("strict", .strict), ("normal", .normal),
            ("loose", .loose), ("anywhere", .strict),
          ])
      else { return nil }
      return StyleValue { style, _ in
        style.inherited.text.lines.strictness = strictness
        style.inherited.text.lines.breaksAnywhere = breaksAnywhere
      }
    },
    copy: { style, other in
      style.inherited.text.lines.strictness = other.text.lines.strictness
      style.inherited.text.lines.breaksAnywhere = other.text.lines.breaksAnywhere
    })

  static let writingMode = PropertyRow(
    name: "writing-mode", isInherited: true, isAttribute: true,
    parse: { bytes in
      Parse.keyword(
        bytes,
        [
          ("horizontal-tb", (false, false)), ("lr", (false, false)), ("lr-tb", (false, false)), ("rl", (false, false)),
          ("rl-tb", (false, false)), ("tb", (true, false)), ("tb-rl", (true, false)), ("tb-lr", (true, true)),
          ("vertical-rl", (true, false)), ("vertical-lr", (true, true)), ("sideways-rl", (true, false)),
          ("sideways-lr", (true, true)),
        ]
      ).map { value in
        StyleValue { style, _ in
          (style.inherited.text.isVertical, style.inherited.text.stacksRightwards) = value
        }
      }
    },
    copy: { style, other in
      style.inherited.text.isVertical = other.text.isVertical
      style.inherited.text.stacksRightwards = other.text.stacksRightwards
    })
}

/// Values of the properties of lines.
enum LineValues {
  static func wrapMode(_ bytes: Span<UInt8>) -> Bool? { Parse.keyword(bytes, [("wrap", true), ("nowrap", false)]) }

  private static func value(_ wraps: Bool) -> DeclaredValue {
    .value(StyleValue { style, _ in style.inherited.text.lines.wraps = wraps })
  }

  static func whiteSpace(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    let values: [(String, (LineStyle.WhiteSpace, Bool))] = [
      ("normal", (.collapse, true)), ("nowrap", (.collapse, false)), ("pre", (.preserve, false)),
      ("pre-wrap", (.preserve, true)), ("pre-line", (.preserveBreaks, true)), ("break-spaces", (.breakSpaces, true)),
      ("collapse", (.collapse, true)), ("preserve", (.preserve, true)), ("preserve-breaks", (.preserveBreaks, true)),
      ("preserve-spaces", (.preserveSpaces, true)), ("wrap", (.collapse, true)),
    ]
    var result: (LineStyle.WhiteSpace, Bool)?
    for word in Parse.words(of: bytes) {
      if word == "nowrap", let known = result {
        result = (known.0, false)
      } else if word == "wrap", result != nil {
        continue
      } else {
        guard let known = values.first(where: { $0.0 == word }) else { return nil }
        result = (known.1.0, result?.1 == false ? false : known.1.1)
      }
    }
    guard let (collapse, wraps) = result else { return nil }
    return [
      ("white-space-collapse", .value(StyleValue { style, _ in style.inherited.text.lines.whiteSpace = collapse })),
      ("text-wrap-mode", value(wraps)),
    ]
  }

  static func textWrap(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    let words = Parse.words(of: bytes)
    let known: Set<String> = ["wrap", "nowrap", "auto", "balance", "stable", "pretty"]
    guard !words.isEmpty, words.allSatisfy(known.contains) else { return nil }
    return [("text-wrap-mode", value(!words.contains("nowrap")))]
  }

  /// Returns the inner `nil` if lines have no length.
  static func inlineSize(_ bytes: Span<UInt8>) -> Length?? {
    if isWord(bytes, "auto") { return .some(nil) }
    guard let length = Length(parsing: bytes), length.value >= 0 else { return nil }
    return length.unit != .calculated && length.value == 0 ? .some(nil) : .some(length)
  }

  static func overflow(_ bytes: Span<UInt8>) -> TextOverflow? {
    if let known = Parse.keyword(bytes, [("clip", TextOverflow.clip), ("ellipsis", .ellipsis)]) { return known }
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    scanner.skipSpace()
    guard let text = scanner.string() else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? .string(String(decoding: text, as: UTF8.self)) : nil
  }

  static func indent(_ bytes: Span<UInt8>) -> Length? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let length = Length(scanning: &scanner) else { return nil }
    let words = Parse.words(of: bytes.extracting(scanner.position..<bytes.count))
    return words.allSatisfy { $0 == "hanging" || $0 == "each-line" } ? length : nil
  }

  static func indentLimitation(_ bytes: Span<UInt8>) -> String? {
    let words = Parse.words(of: bytes)
    return words.contains("hanging") || words.contains("each-line")
      ? "the keywords of text-indent have no effect: only the first line is indented" : nil
  }

  static func height(_ bytes: Span<UInt8>) -> LineStyle.Height? {
    if isWord(bytes, "normal") { return .normal }
    guard let length = Length(parsing: bytes), length.value >= 0 else { return nil }
    return length.unit == .none && Parse.number(bytes) != nil ? .factor(length.value) : .length(length)
  }

  static func computedHeight(
    _ height: LineStyle.Height, _ style: ComputedStyle, _ context: StyleContext
  ) -> LineStyle.Height {
    guard case .length(let length) = height else { return height }
    // The unit lh is relative to the parent's line height.
    var lengths = context.lengths(style, percentBase: style.fontSize)
    if length.unit == .lineHeight { lengths = context.lengths(context.parent) }
    return .length(Length(max(0, lengths.resolve(length, .horizontal))))
  }

  static func tabSize(_ bytes: Span<UInt8>) -> LineStyle.TabSize? {
    if let number = Parse.number(bytes) { return number >= 0 ? .spaces(number) : nil }
    guard let length = Length(parsing: bytes), length.value >= 0, length.unit != .percent else { return nil }
    return .length(length)
  }
}
