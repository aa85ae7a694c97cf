// The properties that adjust the fonts that are found: `font-size-adjust`, `font-synthesis`, `font-palette`
// (CSS Fonts 4, sections 2.6, 2.8 and 9.1; CSS Fonts 5, section 2.1).

/// A value of `font-size-adjust` other than `none`.
struct FontSizeAdjustment: Hashable, Sendable {
  /// The metric of a font whose size is preserved.
  enum Metric: Hashable, Sendable {
    case exHeight
    case capHeight
    case chWidth
    case icWidth
    case icHeight
  }

  var metric: Metric
  /// The metric as a fraction of the font size; `nil` for that of the font of the element.
  var value: Double?
}

/// The slanted letters that may be synthesised.
enum SlantSynthesis: Hashable, Sendable {
  case always
  case never
  /// Oblique ones, but not italics.
  case oblique
}

/// A value of `font-palette` (see ``FontPaletteParser``).
package indirect enum FontPalette: Hashable, Sendable {
  case normal
  case light
  case dark
  /// A name of `@font-palette-values`.
  case named(String)
  /// The colours of two palettes mixed.
  case mixture(ColorMix, FontPalette, FontPalette)
}

/// The values of the properties.
package struct FontAdjustments: Hashable, Sendable {
  static let initial = FontAdjustments()

  var size: FontSizeAdjustment?
  /// Whether bold letters may be synthesised.
  var synthesizesWeight = true
  var slantSynthesis = SlantSynthesis.always
  package var palette = FontPalette.normal
}

extension PropertyTable {
  static let fontAdjustments: [PropertyRow] = [
    // Only in style sheets: browsers do not read the attribute.
    .inherited(
      "font-size-adjust", \.text.font.adjustments.size, isAttribute: false, isFirst: true, FontAdjustments.size,
      computed: FontAdjustments.computedSize),
    .inherited("font-synthesis-weight", \.text.font.adjustments.synthesizesWeight, isAttribute: false, isFirst: true) {
      Parse.keyword($0, [("auto", true), ("none", false)])
    },
    .inherited("font-synthesis-style", \.text.font.adjustments.slantSynthesis, isAttribute: false, isFirst: true) {
      Parse.keyword($0, [("auto", .always), ("none", .never), ("oblique-only", .oblique)])
    },
    .inherited("font-synthesis-small-caps", \.text.shaping.synthesizesCapitals, isAttribute: false) {
      Parse.keyword($0, [("auto", true), ("none", false)])
    },
    .inherited("font-synthesis-position", \.text.shaping.synthesizesPositions, isAttribute: false) {
      Parse.keyword($0, [("auto", true), ("none", false)])
    },
    .shorthand("font-synthesis", of: FontAdjustments.synthesisLonghands.map(\.property), FontAdjustments.synthesis),
    .inherited("font-palette", \.text.font.adjustments.palette, isAttribute: false, FontPaletteParser.parse),
  ]

  static let fontSizeAdjust = property(named: "font-size-adjust")
}

/// Values of the properties that adjust fonts, and the computed ones.
extension FontAdjustments {
  // MARK: Size

  /// Parses `font-size-adjust`; the inner value is `nil` for `none`.
  static func size(_ bytes: Span<UInt8>) -> FontSizeAdjustment?? {
    if isWord(bytes, "none") { return .some(nil) }
    let metrics: [(String, FontSizeAdjustment.Metric)] = [
      ("ex-height", .exHeight), ("cap-height", .capHeight), ("ch-width", .chWidth), ("ic-width", .icWidth),
      ("ic-height", .icHeight),
    ]
    var position = 0
    guard let first = StyleSheetText.nextWord(bytes, &position) else { return nil }
    let metric = Parse.keyword(bytes.extracting(first), metrics)
    let rest = StyleSheetText.trimmed(bytes.extracting((metric == nil ? first.lowerBound : first.upperBound)...))
    if isWord(rest, "from-font") { return FontSizeAdjustment(metric: metric ?? .exHeight, value: nil) }
    guard let value = Parse.number(rest), value >= 0, value.isFinite else { return nil }
    return FontSizeAdjustment(metric: metric ?? .exHeight, value: value)
  }

  /// Replaces `from-font` by the metric of the element's font, which descendants inherit.
  static func computedSize(
    _ adjustment: FontSizeAdjustment?, _ style: ComputedStyle, _ context: StyleContext
  ) -> FontSizeAdjustment? {
    guard var adjustment, adjustment.value == nil, let units = context.units else { return adjustment }
    var plain = style
    plain.inherited.text.font.adjustments.size = nil
    adjustment.value = units.metrics(of: plain).value(of: adjustment.metric)
    return adjustment
  }

  // MARK: Synthesis

  static let synthesisLonghands: [(word: String, property: String)] = [
    ("weight", "font-synthesis-weight"), ("style", "font-synthesis-style"),
    ("small-caps", "font-synthesis-small-caps"), ("position", "font-synthesis-position"),
  ]

  /// Divides the shorthand `font-synthesis`.
  static func synthesis(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    let words = Parse.words(of: bytes)
    let isNone = words == ["none"]
    let known = Set(synthesisLonghands.map(\.word))
    guard isNone || !words.isEmpty && Set(words).count == words.count && words.allSatisfy(known.contains) else {
      return nil
    }
    var expansion: PropertyRow.Expansion = []
    for (word, property) in synthesisLonghands {
      let value = Array((!isNone && words.contains(word) ? "auto" : "none").utf8)
      guard let parsed = PropertyTable.property(named: property)?.row.parse(value.span) else { return nil }
      expansion.append((property, .value(parsed)))
    }
    return expansion
  }
}
