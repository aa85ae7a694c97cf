// Syllables of the Indic scripts (OpenType, developing fonts for the Devanagari, Bengali, … scripts). The features and
// the places that the specifications name are in IndicShaping+Initial and IndicShaping+Final.

internal import Fonts
internal import ImageCore

/// The syllables of one of nine Indic scripts.
struct IndicShaping {
  /// The final position of a script's repha.
  enum RephaPlace {
    case afterMain, beforeSub, afterSub, beforePost, afterPost
  }

  /// The characters that form a repha.
  enum RephaSpelling {
    /// Ra and a halant.
    case implicit
    /// Ra, a halant and a joiner.
    case explicit
    /// A separate character.
    case character
  }

  /// The properties of a script.
  struct Rules {
    var virama: UInt32
    var rephaPlace: RephaPlace
    var rephaSpelling = RephaSpelling.implicit
    /// Whether below-base forms occur only after the base.
    var hasPostBaseFormsOnly = false
  }

  /// The kinds of syllables.
  enum Kind {
    static let consonant = 0
    static let vowel = 1
    static let standalone = 2
    static let broken = 4
  }

  /// The features applied one after the other to the syllable in phonetic order, and whether to all its glyphs.
  static let basicFeatures: [(tag: Tag, isGlobal: Bool)] = [
    ("nukt", true), ("akhn", true), ("rphf", false), ("rkrf", true), ("pref", false), ("blwf", false), ("abvf", false),
    ("half", false), ("pstf", false), ("vatu", true), ("cjct", true),
  ]
  /// The features applied together after the final reordering.
  static let finalFeatures: [(tag: Tag, isGlobal: Bool)] = [
    ("init", false), ("pres", true), ("abvs", true), ("blws", true), ("psts", true), ("haln", true),
  ]

  private static let rules: [Script: Rules] = [
    "Deva": Rules(virama: 0x094D, rephaPlace: .beforePost),
    "Beng": Rules(virama: 0x09CD, rephaPlace: .afterSub),
    "Guru": Rules(virama: 0x0A4D, rephaPlace: .beforeSub),
    "Gujr": Rules(virama: 0x0ACD, rephaPlace: .beforePost),
    "Orya": Rules(virama: 0x0B4D, rephaPlace: .afterMain),
    "Taml": Rules(virama: 0x0BCD, rephaPlace: .afterPost),
    "Telu": Rules(virama: 0x0C4D, rephaPlace: .afterPost, rephaSpelling: .explicit, hasPostBaseFormsOnly: true),
    "Knda": Rules(virama: 0x0CCD, rephaPlace: .afterPost, hasPostBaseFormsOnly: true),
    "Mlym": Rules(virama: 0x0D4D, rephaPlace: .afterMain, rephaSpelling: .character),
  ]

  /// The scripts with this model.
  static func shapes(_ script: Script) -> Bool { rules[script] != nil }

  private static let machine = SyllableMachine(
    symbols: IndicCategory.symbols,
    grammar: """
      c = C | Ra;
      n = (ZWNJ? RS)? (N N?)?;
      z = ZWJ | ZWNJ;
      reph = Ra H | Repha;
      cn = c ZWJ? n?;
      matras = z* (M | SM? MPst) N? H?;
      marks = (z? SM SM? ZWNJ?)? A*;
      halant = z? H (ZWJ N?)?;
      finalhalant = halant | H ZWNJ;
      tail = (halant cn)* CM? (finalhalant | matras*) marks;
      consonant = (Repha | CS)? cn tail;
      vowel = reph? V n? (ZWJ | tail);
      standalone = ((Repha | CS)? PLACEHOLDER | reph? DOTTEDCIRCLE) n? tail;
      symbol = Symbol N? marks;
      broken = reph? n? tail;
      """,
    kinds: ["consonant", "vowel", "standalone", "symbol", "broken"])

  static let joiners = CategorySet(.joiner, .nonJoiner)
  static let vowelSigns = CategorySet(.vowelSign, .postBaseVowelSign)
  static let vowelSignsAndHalants = CategorySet(.vowelSign, .postBaseVowelSign, .halant)
  private static let consonants = CategorySet(
    .consonant, .consonantWithStacker, .ra, .medialConsonant, .independentVowel, .placeholder, .dottedCircle)

  let plan: ShapePlan
  let script: Script
  let rules: Rules
  /// Whether the font follows the first version of the specification, with halants after post-base consonants.
  let isOldStyle: Bool
  let layout: LayoutTable
  let virama: GlyphID?
  let circle: GlyphID?
  private let search = FormSearch()

  init(plan: ShapePlan, layout: LayoutTable, characters: CharacterMap) {
    self.plan = plan
    self.layout = layout
    script = plan.script
    rules = Self.rules[plan.script] ?? Rules(virama: 0, rephaPlace: .beforePost)
    isOldStyle = plan.scriptTag.map { $0.rawValue & 0xFF != 0x32 } ?? true
    virama = characters.glyph(for: rules.virama)
    circle = characters.glyph(for: 0x25CC)
  }

  func findSyllables(_ buffer: inout GlyphBuffer) { buffer.findSyllables(Self.machine) }

  func isConsonant(_ info: GlyphInfo) -> Bool { !info.isLigated && Self.consonants.contains(info) }
  func isJoiner(_ info: GlyphInfo) -> Bool { !info.isLigated && Self.joiners.contains(info) }
  func isHalant(_ info: GlyphInfo) -> Bool { !info.isLigated && info.isOf(.halant) }

  /// Whether a feature would substitute glyphs.
  func wouldSubstitute(_ feature: Tag, _ glyphs: [Int]) -> Bool {
    // New-style fonts expect contexts to be ignored, except for Malayalam.
    let ignoresContexts = !isOldStyle && script != "Mlym"
    for index in plan.featureLookups[feature] ?? [] where search.remaining > 0 {
      if layout.wouldSubstitute(index, glyphs, requiresNoContext: ignoresContexts, allowance: &search.remaining) {
        return true
      }
    }
    return false
  }

  /// Returns the number of lookups, subtables and rules that were looked through since the last call.
  func takeOperationCount() -> Int {
    defer { search.counted = search.remaining }
    return search.counted - search.remaining
  }

  /// The search for forms in one run.
  private final class FormSearch {
    /// The number of lookups, subtables and rules that may still be looked through, which is enough for every glyph of
    /// a font among hundreds of rules; and the number at the last count.
    var remaining = 1 << 20
    var counted = 1 << 20
  }
}
