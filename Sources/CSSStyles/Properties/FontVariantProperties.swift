// The properties `font-variant` and `font-variant-*` (CSS Fonts 4, sections 6.4 to 6.10).

internal import Fonts
internal import ImageCoding

extension PropertyTable {
  static let fontVariants: [PropertyRow] = [
    .inherited("font-variant-caps", \.text.shaping.variants.caps, FontVariantValues.caps),
    .inherited("font-variant-position", \.text.shaping.variants.position, FontVariantValues.position),
    .inherited("font-variant-ligatures", \.text.shaping.variants.ligatures) {
      FontVariantValues.features($0, FontVariantValues.ligatures)
    },
    .inherited("font-variant-numeric", \.text.shaping.variants.numeric) {
      FontVariantValues.features($0, FontVariantValues.numeric)
    },
    .inherited("font-variant-east-asian", \.text.shaping.variants.eastAsian) {
      FontVariantValues.features($0, FontVariantValues.eastAsian)
    },
    .inherited(
      "font-variant-alternates", \.text.shaping.variants.alternates, limitation: FontVariantValues.alternateLimitation
    ) { FontVariantValues.alternates($0) },
    .shorthand(
      "font-variant",
      of: [
        "font-variant-caps", "font-variant-position", "font-variant-ligatures", "font-variant-numeric",
        "font-variant-east-asian", "font-variant-alternates",
      ], isAttribute: true, limitation: FontVariantValues.alternateLimitation, FontVariantValues.all),
  ]
}

/// Values of the font variant properties.
enum FontVariantValues {
  /// A keyword with the group of keywords that exclude it, and the features that it sets.
  typealias Keyword = (name: String, group: Int, features: [(FourCharacterCode, Int)])

  static let ligatures: [Keyword] = [
    ("common-ligatures", 0, [("liga", 1), ("clig", 1)]), ("no-common-ligatures", 0, [("liga", 0), ("clig", 0)]),
    ("discretionary-ligatures", 1, [("dlig", 1)]), ("no-discretionary-ligatures", 1, [("dlig", 0)]),
    ("historical-ligatures", 2, [("hlig", 1)]), ("no-historical-ligatures", 2, [("hlig", 0)]),
    ("contextual", 3, [("calt", 1)]), ("no-contextual", 3, [("calt", 0)]),
  ]
  static let numeric: [Keyword] = [
    ("lining-nums", 0, [("lnum", 1)]), ("oldstyle-nums", 0, [("onum", 1)]), ("proportional-nums", 1, [("pnum", 1)]),
    ("tabular-nums", 1, [("tnum", 1)]), ("diagonal-fractions", 2, [("frac", 1)]),
    ("stacked-fractions", 2, [("afrc", 1)]), ("ordinal", 3, [("ordn", 1)]), ("slashed-zero", 4, [("zero", 1)]),
  ]
  static let eastAsian: [Keyword] = [
    ("jis78", 0, [("jp78", 1)]), ("jis83", 0, [("jp83", 1)]), ("jis90", 0, [("jp90", 1)]),
    ("jis04", 0, [("jp04", 1)]), ("simplified", 0, [("smpl", 1)]), ("traditional", 0, [("trad", 1)]),
    ("full-width", 1, [("fwid", 1)]), ("proportional-width", 1, [("pwid", 1)]), ("ruby", 2, [("ruby", 1)]),
  ]
  private static let noLigatures: [FontFeature] = [
    FontFeature("liga", 0), FontFeature("clig", 0), FontFeature("dlig", 0), FontFeature("hlig", 0),
    FontFeature("calt", 0),
  ]
  private static let capitals: [(String, FontVariants.Caps)] = [
    ("normal", .normal), ("small-caps", .small), ("all-small-caps", .allSmall), ("petite-caps", .petite),
    ("all-petite-caps", .allPetite), ("unicase", .unicase), ("titling-caps", .titling),
  ]
  private static let positions: [(String, FontVariants.Position)] = [
    ("normal", .normal), ("sub", .lowered), ("super", .raised),
  ]

  static func caps(_ bytes: Span<UInt8>) -> FontVariants.Caps? { Parse.keyword(bytes, capitals) }

  static func position(_ bytes: Span<UInt8>) -> FontVariants.Position? { Parse.keyword(bytes, positions) }

  /// Parses keywords of which each group allows one; `nil` if a value is invalid.
  static func features(_ bytes: Span<UInt8>, _ keywords: [Keyword]) -> [FontFeature]? {
    features(Parse.words(of: bytes), keywords)
  }

  private static func features(_ words: [String], _ keywords: [Keyword]) -> [FontFeature]? {
    if words == ["normal"] { return [] }
    if words == ["none"] { return keywords[0].features[0].0 == "liga" ? noLigatures : nil }
    var groups: Set<Int> = []
    var features: [FontFeature] = []
    for word in words {
      guard let keyword = keywords.first(where: { $0.name == word }), groups.insert(keyword.group).inserted else {
        return nil
      }
      features += keyword.features.map { FontFeature($0.0, $0.1) }
    }
    return words.isEmpty ? nil : features
  }

  private static let alternateFunctions = [
    "stylistic(", "styleset(", "character-variant(", "swash(", "ornaments(", "annotation(",
  ]

  /// Parses `font-variant-alternates`. Functions refer to names of `@font-feature-values`, which no document declares.
  static func alternates(_ bytes: Span<UInt8>) -> [FontFeature]? {
    alternates(Parse.words(of: bytes))
  }

  private static func alternates(_ words: [String]) -> [FontFeature]? {
    if words == ["normal"] { return [] }
    var features: [FontFeature] = []
    for word in words {
      if word == "historical-forms" {
        features.append(FontFeature("hist"))
      } else if !alternateFunctions.contains(where: word.hasPrefix) || !word.hasSuffix(")") {
        return nil
      }
    }
    return words.isEmpty ? nil : features
  }

  static func alternateLimitation(_ bytes: Span<UInt8>) -> String? {
    let words = Parse.words(of: bytes)
    return words.contains { word in alternateFunctions.contains(where: word.hasPrefix) }
      ? "the functions of font-variant-alternates have no effect, since @font-feature-values is not supported" : nil
  }

  /// Divides the shorthand `font-variant`.
  static func all(_ bytes: Span<UInt8>) -> PropertyRow.Expansion? {
    var words = Parse.words(of: bytes)
    guard !words.isEmpty else { return nil }
    var ligatures: [FontFeature] = []
    if words == ["none"] {
      ligatures = noLigatures
      words = []
    } else if words == ["normal"] {
      words = []
    }
    /// Removes the words that a table knows.
    func take(_ isKnown: (String) -> Bool) -> [String] {
      let taken = words.filter(isKnown)
      words.removeAll(where: isKnown)
      return taken
    }
    var variants = FontVariants()
    let caps = take { word in word != "normal" && capitals.contains { $0.0 == word } }
    let position = take { word in word != "normal" && positions.contains { $0.0 == word } }
    guard caps.count <= 1, position.count <= 1 else { return nil }
    variants.caps = capitals.first { $0.0 == caps.first }?.1 ?? .normal
    variants.position = positions.first { $0.0 == position.first }?.1 ?? .normal
    for (path, table) in [
      (\FontVariants.ligatures, Self.ligatures), (\FontVariants.numeric, Self.numeric),
      (\FontVariants.eastAsian, Self.eastAsian),
    ] {
      let taken = take { word in table.contains { $0.name == word } }
      guard !taken.isEmpty else { continue }
      guard let features = features(taken, table) else { return nil }
      variants[keyPath: path] = features
    }
    if !words.isEmpty {
      guard let features = alternates(words), words != ["normal"] else { return nil }
      variants.alternates = features
    }
    if !ligatures.isEmpty { variants.ligatures = ligatures }
    let result = variants
    func value(_ set: @escaping @Sendable (inout FontVariants) -> Void) -> DeclaredValue {
      .value(StyleValue { style, _ in set(&style.inherited.text.shaping.variants) })
    }
    return [
      ("font-variant-caps", value { $0.caps = result.caps }),
      ("font-variant-position", value { $0.position = result.position }),
      ("font-variant-ligatures", value { $0.ligatures = result.ligatures }),
      ("font-variant-numeric", value { $0.numeric = result.numeric }),
      ("font-variant-east-asian", value { $0.eastAsian = result.eastAsian }),
      ("font-variant-alternates", value { $0.alternates = result.alternates }),
    ]
  }
}
