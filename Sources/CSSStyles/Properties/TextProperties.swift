// The properties of text (SVG 2, chapter 11; CSS Fonts 4; CSS Text 3; CSS Writing Modes 3).

internal import Fonts

extension PropertyTable {
  static let text: [PropertyRow] = fonts + fontAdjustments + fontVariants + layout + lines + decorations + emphasis

  private static let fonts: [PropertyRow] = [
    .inherited("font-size", \.fontSize, isFirst: true, TextValues.fontSize, computed: TextValues.computedFontSize),
    .inherited("font-family", \.text.font.families, isFirst: true, TextValues.families),
    .inherited("font-weight", \.text.font.weight, isFirst: true, TextValues.weight) { value, _, context in
      value.weight(parent: context.parent.text.font.weight)
    },
    .inherited("font-style", \.text.font.slant, isFirst: true, TextValues.slant),
    .inherited("font-stretch", \.text.font.stretch, isFirst: true, TextValues.stretch) { value, _, context in
      value.stretch(parent: context.parent.text.font.stretch)
    },
    .inherited("font-variation-settings", \.text.font.variations, isFirst: true) { bytes in
      isWord(bytes, "normal") ? [] : FontSettings.variations(bytes)
    },
    .inherited("font-optical-sizing", \.text.font.hasOpticalSizing, isFirst: true) {
      Parse.keyword($0, [("auto", true), ("none", false)])
    },
    .inherited("font-feature-settings", \.text.shaping.features) { bytes in
      isWord(bytes, "normal") ? [] : FontSettings.features(bytes)
    },
    .inherited("font-kerning", \.text.shaping.hasKerning, isAttribute: false) {
      Parse.keyword($0, [("auto", true), ("normal", true), ("none", false)])
    },
    // In SVG 1.1, a length replaces the font's kerning. As in resvg, only zero has an effect.
    .inherited("kerning", \.text.shaping.hasKerning) { Length(parsing: $0).map { $0.value != 0 } ?? true },
    .shorthand(
      "font",
      of: [
        "font-style", "font-variant-caps", "font-variant-ligatures", "font-variant-numeric", "font-variant-alternates",
        "font-variant-east-asian", "font-variant-position", "font-weight", "font-stretch", "font-kerning", "font-size",
        "line-height", "font-family", "font-size-adjust", "font-palette",
      ], TextValues.font),
    .unsupported("font-language-override", except: "normal"),
  ]

  private static let layout: [PropertyRow] = [
    .inherited("letter-spacing", \.text.letterSpacing, TextValues.spacing, computed: Compute.absolute),
    .inherited("word-spacing", \.text.wordSpacing, TextValues.spacing, computed: Compute.absolute),
    .inherited("text-anchor", \.text.anchor) {
      Parse.keyword($0, [("start", .start), ("middle", .middle), ("end", .end)])
    },
    .inherited("text-rendering", \.text.isCrisp) {
      Parse.keyword(
        $0,
        [
          ("auto", false), ("optimizespeed", true), ("optimizelegibility", false), ("geometricprecision", false),
        ])
    },
    .inherited("dominant-baseline", \.text.dominantBaseline, TextValues.dominantBaseline) { value, _, context in
      value ?? context.parent.text.dominantBaseline
    },
    .own("alignment-baseline", \.ownText.alignmentBaseline, TextValues.baseline),
    .own("baseline-shift", \.ownText.baselineShift, TextValues.baselineShift, computed: TextValues.computedShift),
    writingMode,
    .inherited("text-orientation", \.text.orientation) {
      Parse.keyword(
        $0,
        [
          ("mixed", .mixed), ("upright", .upright), ("sideways", .sideways), ("sideways-right", .sideways),
        ])
    },
    // CSS Writing Modes 3, section 5.1.1: three of the values are still supported.
    .inherited("glyph-orientation-vertical", \.text.orientation) {
      Parse.keyword(
        $0,
        [
          ("auto", .mixed), ("0", .upright), ("0deg", .upright), ("90", .sideways), ("90deg", .sideways),
        ])
    },
    .ignored("glyph-orientation-horizontal"),
    .inherited("direction", \.text.isRightToLeft) { Parse.keyword($0, [("ltr", false), ("rtl", true)]) },
    .own("unicode-bidi", \.ownText.bidi) {
      Parse.keyword(
        $0,
        [
          ("normal", .normal), ("embed", .embed), ("isolate", .isolate), ("bidi-override", .override),
          ("isolate-override", .isolateOverride), ("plaintext", .plaintext),
        ])
    },
    .unsupported("text-combine-upright", except: "none"),
    .unsupported("-webkit-text-stroke", except: "0"),
  ]
}

/// Values of text properties.
enum TextValues {
  // MARK: Size

  enum FontSize: Sendable {
    case length(Length)
    /// A keyword, as the number of steps from `medium`.
    case keyword(Int)
    case larger
    case smaller
  }

  static func fontSize(_ bytes: Span<UInt8>) -> FontSize? {
    let names = ["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"]
    for (index, name) in names.enumerated() where isWord(bytes, name) { return .keyword(index - 3) }
    if isWord(bytes, "larger") { return .larger }
    if isWord(bytes, "smaller") { return .smaller }
    guard let length = Length(parsing: bytes), length.value >= 0 else { return nil }
    return .length(length)
  }

  static func computedFontSize(_ size: FontSize, _ style: ComputedStyle, _ context: StyleContext) -> Double {
    let parent = context.parent.fontSize
    switch size {
    case .length(let length):
      return max(0, context.lengths(context.parent, percentBase: parent).resolve(length, .horizontal))
    case .keyword(let step):
      // The sizes of browsers if medium is theirs; otherwise steps of 1.2 (CSS 1, section 5.2.6), as in resvg.
      if style.mediumFontSize == 16 { return [9, 10, 13, 16, 18, 24, 32, 48][step + 3] }
      let factors = [1 / 1.728, 1 / 1.44, 1 / 1.2, 1, 1.2, 1.44, 1.728, 2.0736]
      return style.mediumFontSize * factors[step + 3]
    case .larger: return parent * 1.2
    case .smaller: return parent / 1.2
    }
  }

  // MARK: Fonts

  static func families(_ bytes: Span<UInt8>) -> [FontQuery.Family]?? {
    let list = FontSettings.families(bytes)
    return list.isEmpty ? nil : .some(list)
  }

  /// CSS Fonts 4, section 2.2.
  enum Weight: Sendable {
    case value(Double)
    case bolder
    case lighter

    func weight(parent: Double) -> Double {
      switch self {
      case .value(let value): value
      case .bolder: parent < 350 ? 400 : parent < 550 ? 700 : max(parent, 900)
      case .lighter: parent < 100 ? parent : parent < 550 ? 100 : parent <= 750 ? 400 : 700
      }
    }
  }

  static func weight(_ bytes: Span<UInt8>) -> Weight? {
    if let known = Parse.keyword(
      bytes, [("normal", Weight.value(400)), ("bold", .value(700)), ("bolder", .bolder), ("lighter", .lighter)])
    {
      return known
    }
    guard let value = Parse.number(bytes), 1...1000 ~= value else { return nil }
    return .value(value)
  }

  static func slant(_ bytes: Span<UInt8>) -> TextStyle.Slant? {
    switch Parse.words(of: bytes).first {
    case "normal": .normal
    case "italic": .italic
    // The optional angle is ignored.
    case "oblique": .oblique
    default: nil
    }
  }

  /// CSS Fonts 4, section 2.3; `narrower` and `wider` are of SVG 1.1.
  enum Stretch: Sendable {
    case value(Double)
    case narrower
    case wider

    func stretch(parent: Double) -> Double {
      switch self {
      case .value(let value): value
      case .narrower: TextValues.widths.last { $0.1 < parent }?.1 ?? 50
      case .wider: TextValues.widths.first { $0.1 > parent }?.1 ?? 200
      }
    }
  }

  private static let widths: [(String, Double)] = [
    ("ultra-condensed", 50), ("extra-condensed", 62.5), ("condensed", 75), ("semi-condensed", 87.5), ("normal", 100),
    ("semi-expanded", 112.5), ("expanded", 125), ("extra-expanded", 150), ("ultra-expanded", 200),
  ]

  /// Parses a width: a keyword or a percentage.
  static func stretch(_ bytes: Span<UInt8>) -> Stretch? {
    for (word, value) in widths where isWord(bytes, word) { return .value(value) }
    if isWord(bytes, "narrower") { return .narrower }
    if isWord(bytes, "wider") { return .wider }
    guard let length = Length(parsing: bytes), length.unit == .percent, length.value >= 0 else { return nil }
    return .value(length.value)
  }

  /// Divides the shorthand `font`; longhands that it does not mention are reset.
  static func font(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    guard let font = FontShorthand(parsing: bytes) else { return nil }
    var list: PropertyRow.Expansion = []
    for (name, range) in [
      ("font-style", font.style), ("font-variant-caps", font.variant), ("font-variant-ligatures", nil),
      ("font-variant-numeric", nil), ("font-variant-alternates", nil), ("font-variant-east-asian", nil),
      ("font-variant-position", nil), ("font-weight", font.weight), ("font-stretch", font.stretch),
      ("font-kerning", nil), ("font-size", font.size), ("line-height", font.lineHeight),
      ("font-family", font.family), ("font-size-adjust", nil), ("font-palette", nil),
    ] {
      guard let range else {
        list.append((name, .initial))
        continue
      }
      guard let value = PropertyTable.property(named: name)?.row.parse(bytes.extracting(range)) else { return nil }
      list.append((name, .value(value)))
    }
    return list
  }

  // MARK: Layout

  static func spacing(_ bytes: Span<UInt8>) -> Length? { isWord(bytes, "normal") ? .zero : Length(parsing: bytes) }

  static func baseline(_ bytes: Span<UInt8>) -> TextStyle.Baseline? {
    switch Parse.words(of: bytes).first {
    case "auto", "baseline", "use-script", "reset-size": .auto
    case "alphabetic": .alphabetic
    case "ideographic": .ideographic
    case "hanging": .hanging
    case "mathematical": .mathematical
    case "central", "center": .central
    case "middle": .middle
    case "before-edge", "text-before-edge", "text-top", "top": .beforeEdge
    case "after-edge", "text-after-edge", "text-bottom", "bottom": .afterEdge
    default: nil
    }
  }

  /// Returns the inner `nil` for `no-change`.
  static func dominantBaseline(_ bytes: Span<UInt8>) -> TextStyle.Baseline?? {
    if isWord(bytes, "no-change") { return .some(nil) }
    return baseline(bytes).map { .some($0) }
  }

  enum Shift: Sendable {
    case none
    case lowered
    case raised
    case length(Length)
  }

  static func baselineShift(_ bytes: Span<UInt8>) -> Shift? {
    if isWord(bytes, "baseline") { return Shift.none }
    if isWord(bytes, "sub") { return .lowered }
    if isWord(bytes, "super") { return .raised }
    return Length(parsing: bytes).map { .length($0) }
  }

  static func computedShift(
    _ shift: Shift, _ style: ComputedStyle, _ context: StyleContext
  ) -> TextStyle.BaselineShift? {
    switch shift {
    case .none: return nil
    case .lowered: return .lowered
    case .raised: return .raised
    case .length(let length):
      // Percentages refer to the font size, as in resvg; in SVG 1.1 they refer to the line height, which is similar.
      return .distance(context.lengths(style, percentBase: style.fontSize).resolve(length, .horizontal))
    }
  }
}
