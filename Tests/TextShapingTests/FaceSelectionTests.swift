// Which face each character of a text is set in (CSS Fonts 4, section 5.3), with fonts that have few characters.

import FontTestSupport
import ImageCore
import TestSupport
import Testing
import TextShaping

@Suite struct FaceSelectionTests {
  private static func font(_ family: String, _ characters: String, isColored: Bool = false) -> RectangleFont {
    // A variation selector would be a part of the character before it in a string.
    var font = RectangleFont(family: family)
    font.glyphs = Set(characters.unicodeScalars).sorted().map {
      .init(character: $0, advance: 500, box: (0, 0, 400, 400))
    }
    if isColored { font.extraTables = [("COLR", [UInt8](repeating: 0, count: 14))] }
    return font
  }

  private static let fonts = [
    font("Letters", " abce\u{301}\u{2764}"), font("Digits", " 0123ab"), font("Accents", "e\u{E9}\u{301}\u{302}o"),
    font("Hearts", " \u{2764}\u{1F600}\u{1F468}"),
    font("Colors", " 1\u{20E3}\u{2764}\u{1F600}\u{1F468}\u{1F469}\u{1F3FD}\u{1F1E9}\u{1F1EA}\u{231A}", isColored: true),
    font("Others", "xyzo\u{302}\u{303}\u{231A}\u{AC00}"), font("Jamo", "\u{1100}\u{1161}\u{11A8}"),
  ]

  private static let provider: FontProvider = {
    var provider = FontProvider(data: fonts.map(\.bytes))
    provider.serifFamily = "Hearts"
    provider.defaultFamily = "Letters"
    return provider
  }()

  /// Returns the families of the faces of characters.
  private func families(
    _ text: String, _ families: [FontQuery.Family], _ provider: FontProvider = Self.provider
  ) throws -> [String] {
    var selection = FaceSelection(provider)
    let list = try #require(try selection.add(FontQuery(families: families)))
    let scalars = Array(text.unicodeScalars)
    let faces = try selection.faces(of: scalars, lists: scalars.map { _ in list })
    return faces.map { selection.faces[Int($0)].families.first ?? "" }
  }

  private func check(_ text: String, _ list: [FontQuery.Family], _ expected: [String]) throws {
    let found = try families(text, list)
    #expect(found == expected, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
  }

  @Test func familiesAreTriedInOrder() throws {
    try check("a1", [.named("Letters"), .named("Digits")], ["Letters", "Digits"])
    try check("a1", [.named("Digits"), .named("Letters")], ["Digits", "Digits"])
    try check("1a", [.named("Missing"), .named("Letters"), .named("Gone"), .named("digits")], ["Digits", "Letters"])
    try check("a\u{2764}1", [.serif, .named("Letters")], ["Letters", "Hearts", "Digits"])
    // Characters that no family has are set in any font, and those that no font has in the first family.
    try check("ax\u{4E00}", [.named("Letters")], ["Letters", "Others", "Letters"])
    try check("a\u{4E00}", [.named("Accents"), .named("Letters")], ["Letters", "Accents"])
  }

  @Test func clustersAreSetInOneFace() throws {
    try check("e\u{301}", [.named("Letters"), .named("Accents")], ["Letters", "Letters"])
    try check("e\u{302}a", [.named("Letters"), .named("Accents")], ["Accents", "Accents", "Letters"])
    // The character that the sequence is equivalent to, and the sequence that a character is equivalent to.
    let composed = FontProvider(data: [Self.font("One", "e\u{E9}"), Self.font("Two", "e\u{301}")].map(\.bytes))
    #expect(try families("e\u{301}", [.named("One"), .named("Two")], composed) == ["One", "One"])
    #expect(try families("\u{E9}", [.named("Two"), .named("One")], composed) == ["Two"])
    try check("\u{AC01}", [.named("Jamo")], ["Jamo"])
    // No family has all of it, but another font.
    try check("o\u{303}", [.named("Letters"), .named("Accents")], ["Others", "Others"])
    // No font has all of it: the family with the longest start, and other fonts for the rest.
    try check(
      "e\u{301}\u{303}", [.named("Digits"), .named("Letters"), .named("Accents")], ["Letters", "Letters", "Others"])
    try check(
      "e\u{301}\u{302}\u{303}", [.named("Letters"), .named("Accents")], ["Accents", "Accents", "Accents", "Others"])
    // Joiners and selectors need no glyphs.
    try check("a\u{200D}b\u{AD}", [.named("Letters")], ["Letters", "Letters", "Letters", "Letters"])
  }

  @Test func partsOfClustersHaveTheirOwnFamilies() throws {
    var selection = FaceSelection(Self.provider)
    let letters = try #require(try selection.add(FontQuery(families: [.named("Letters")])))
    let accents = try #require(try selection.add(FontQuery(families: [.named("Accents")])))
    let faces = try selection.faces(of: ["e", "\u{301}", "e"], lists: [letters, accents, accents])
    #expect(faces == [selection.primary(of: letters), selection.primary(of: accents), selection.primary(of: accents)])
  }

  @Test func emojiAreSetInFontsWithColors() throws {
    let serif = [FontQuery.Family.named("Letters"), .serif]
    // Emoji by default, unless the style names a font.
    try check("\u{1F600}", serif, ["Colors"])
    try check("\u{1F600}", [.named("Hearts")], ["Hearts"])
    try check("\u{231A}", serif, ["Colors"])
    try check("\u{1F1E9}\u{1F1EA}", serif, ["Colors", "Colors"])
    // Text by default, emoji on demand.
    try check("\u{2764}", serif, ["Letters"])
    try check("\u{2764}\u{FE0F}", serif, ["Colors", "Colors"])
    try check("\u{2764}\u{FE0F}", [.named("Hearts")], ["Colors", "Colors"])
    try check("1\u{FE0F}\u{20E3}", [.named("Digits")], ["Colors", "Colors", "Colors"])
    // Emoji by default, text on demand.
    try check("\u{231A}\u{FE0E}", [.named("Colors")], ["Others", "Others"])
    try check("\u{1F600}\u{FE0E}", [.named("Colors"), .named("Hearts")], ["Hearts", "Hearts"])
    // Sequences.
    try check("\u{1F468}\u{200D}\u{1F469}", [.named("Hearts")], ["Colors", "Colors", "Colors"])
    try check("\u{1F468}\u{1F3FD}", [.named("Hearts")], ["Colors", "Colors"])
    // A font that does not suit is better than none.
    try check("\u{1F3FD}\u{FE0E}", [.named("Letters")], ["Colors", "Colors"])
    // Letters are set in fonts without colours if there are any.
    let mixed = FontProvider(
      data: [Self.font("Base", "a"), Self.font("Paint", "bc", isColored: true), Self.font("Plain", "b")].map(\.bytes))
    #expect(try families("abc", [.named("Base")], mixed) == ["Base", "Plain", "Paint"])
  }

  @Test func variantsAreSetInFontsThatSupportThem() throws {
    func withVariant(_ family: String) -> RectangleFont {
      var font = Self.font(family, "a\u{4E00}\u{8FBB}")
      // cmap format 14: U+8FBB U+E0100 is the default glyph.
      let sequences =
        font.big16(14) + font.big32(29) + font.big32(1) + [0x0E, 0x01, 0x00] + font.big32(21) + font.big32(0)
        + font.big32(1) + [0, 0x8F, 0xBB, 0]
      font.characterSequences = sequences
      return font
    }
    let plain = Self.font("Plain", " a\u{4E00}\u{8FBB}")
    let provider = FontProvider(data: [plain.bytes, withVariant("Variant").bytes])
    let list = [FontQuery.Family.named("Plain")]
    #expect(try families("\u{8FBB}\u{E0100}", list, provider) == ["Variant", "Variant"])
    #expect(try families("\u{8FBB}\u{E0101}", list, provider) == ["Plain", "Plain"])
    #expect(try families("\u{8FBB}", list, provider) == ["Plain"])
    let both = list + [.named("Variant")]
    #expect(try families("\u{4E00}\u{8FBB}\u{E0100}", both, provider) == ["Plain", "Variant", "Variant"])
  }

  @Test func rangesOfCharactersLimitFacesOfDocuments() throws {
    func face(_ family: String, _ characters: String, _ ranges: [ClosedRange<UInt32>]) throws -> DocumentFace {
      DocumentFace(
        family: "D", weights: 400...400, stretches: 100...100, style: .normal,
        face: try FontFace(parsing: Self.font(family, characters).bytes), characters: ranges)
    }
    let provider = Self.provider.with(documentFaces: [
      try face("First", " abc", [0x61...0x62]), try face("Second", " abc1\u{303}", [0x62...0x63, 0x300...0x303]),
    ])
    let list = [FontQuery.Family.named("D"), .named("Digits"), .standard]
    // The face that was defined last precedes. The metrics are those of the first family used for spaces.
    #expect(try families("abc 1", list, provider) == ["First", "Second", "Second", "Digits", "Digits"])
    #expect(try provider.face(matching: FontQuery(families: list))?.families == ["Digits"])
    #expect(try families("b\u{303}", list, provider) == ["Second", "Second"])
    // Without any other font, the family is used all the same.
    let alone = FontProvider().with(documentFaces: [try face("First", " abc", [0x61...0x62])])
    #expect(try families("ac", [.named("D")], alone) == ["First", "First"])
  }

  /// Many families that lack all characters, and as many characters as the limits allow.
  @Test func longListsAreSearchedOnceForEachCharacter() throws {
    let fonts = (0..<200).map { Self.font("F\($0)", "a\(Unicode.Scalar(UInt32(0x4E00 + $0)) ?? "a")").bytes }
    let provider = FontProvider(data: fonts)
    let query = FontQuery(families: (0..<1000).map { .named("F\($0)") })
    var budget = ResourceBudget(.default)
    var selection = FaceSelection(provider)
    for weight in 1...50 {
      var query = query
      query.weight = weight
      let list = try #require(try selection.add(query, budget: &budget) { (face, _) throws(CodecError) in face })
      let scalars = (0..<400).compactMap { Unicode.Scalar(UInt32(0x5000 + weight * 20 + $0)) }
      #expect(try selection.faces(of: scalars, lists: scalars.map { _ in list }, budget: &budget).count == 400)
    }
    // One cluster.
    let marks: [Unicode.Scalar] = ["a"] + [Unicode.Scalar](repeating: "\u{301}", count: 100_000)
    let list = try #require(try selection.add(query, budget: &budget) { (face, _) throws(CodecError) in face })
    #expect(try selection.faces(of: marks, lists: marks.map { _ in list }, budget: &budget).allSatisfy { $0 == 0 })
    // Many clusters that no font has.
    let pairs = (0..<10_000).flatMap { [Unicode.Scalar(UInt32(0x20000 + $0)) ?? "a", "\u{302}" as Unicode.Scalar] }
    #expect(try selection.faces(of: pairs, lists: pairs.map { _ in list }, budget: &budget).allSatisfy { $0 == 0 })
  }

  /// Of fonts that have a character, those whose names extend that of the family or of a generic family precede, then
  /// those with the shortest names.
  @Test func fallbackFontsAreRelated() throws {
    let names = ["Noto Looped Thai", "Noto Sans Thai Looped", "Noto Sans Thai", "Noto Serif Thai", "Thai"]
    let fonts =
      ["Noto Sans", "Noto Serif", "Other"].map { Self.font($0, " a") } + names.map { Self.font($0, "\u{E01}") }
    let provider = FontProvider(data: fonts.map(\.bytes))
    #expect(try families("\u{E01}", [.named("Noto Sans")], provider) == ["Noto Sans Thai"])
    #expect(try families("\u{E01}", [.named("Noto Serif"), .sansSerif], provider) == ["Noto Serif Thai"])
    #expect(try families("\u{E01}", [.named("Other"), .sansSerif], provider) == ["Noto Sans Thai"])
    #expect(try families("\u{E01}", [.named("Other")], provider) == ["Thai"])
  }

  /// All fonts are searched for a limited number of clusters; those that occur often count once.
  @Test func repeatedClustersAreSearchedOnce() throws {
    let provider = FontProvider(data: [Self.font("Base", "ae\u{2764}"), Self.font("Rare", "\u{4E00}")].map(\.bytes))
    let text = String(repeating: "\u{2764}\u{FE0F}e\u{302}\u{5000}", count: 2_000) + "\u{4E00}"
    #expect(try families(text, [.named("Base")], provider).last == "Rare")
  }
}
