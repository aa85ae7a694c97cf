// Glyph classes (OpenType, `GDEF`).

internal import Fonts

/// The glyph definitions of a font.
struct GlyphDefinitions: Sendable {
  private let table: TableBytes
  private let classes: Int
  private let markClasses: Int
  private let markSets: Int
  /// The variations of anchors and positions.
  let variationStore: ItemVariationStore?

  init(_ table: TableBytes) {
    let isKnown = table.uint16(at: 0) == 1
    self.table = isKnown ? table : .empty
    classes = self.table.uint16(at: 4)
    markClasses = self.table.uint16(at: 10)
    let minor = self.table.uint16(at: 2)
    markSets = minor >= 2 ? self.table.uint16(at: 12) : 0
    let store = minor >= 3 ? self.table.uint32(at: 14) : 0
    variationStore = store == 0 ? nil : ItemVariationStore(self.table.part(at: store))
  }

  /// Whether the font assigns classes to its glyphs.
  var hasGlyphClasses: Bool { classes != 0 }

  /// The class of a glyph and, for a mark, its mark attachment class.
  func properties(of glyph: Int) -> GlyphProperties {
    switch table.glyphClass(at: classes, of: glyph) {
    case 1: .base
    case 2: .ligature
    case 3: GlyphProperties(rawValue: GlyphProperties.mark.rawValue | UInt16(markClass(of: glyph) & 0xFF) << 8)
    default: []
    }
  }

  private func markClass(of glyph: Int) -> Int {
    table.glyphClass(at: markClasses, of: glyph)
  }

  /// Whether a mark glyph set contains a glyph.
  func markSet(_ index: Int, contains glyph: Int) -> Bool {
    guard markSets != 0, table.uint16(at: markSets) == 1, index < table.uint16(at: markSets + 2) else { return false }
    let offset = table.uint32(at: markSets + 4 + index * 4)
    return offset != 0 && table.coverageIndex(at: markSets + offset, of: glyph) != nil
  }
}

/// The class of a glyph and its history. The first three bits match the lookup flags that ignore such glyphs; the high
/// byte is the mark attachment class.
struct GlyphProperties: OptionSet, Sendable {
  let rawValue: UInt16

  static let base = GlyphProperties(rawValue: 0x02)
  static let ligature = GlyphProperties(rawValue: 0x04)
  static let mark = GlyphProperties(rawValue: 0x08)
  /// The glyph results from a substitution.
  static let substituted = GlyphProperties(rawValue: 0x10)
  /// The glyph results from a ligature substitution.
  static let ligated = GlyphProperties(rawValue: 0x20)
  /// The glyph results from a multiple substitution.
  static let multiplied = GlyphProperties(rawValue: 0x40)
  /// The properties that survive a substitution.
  static let history: GlyphProperties = [.substituted, .ligated, .multiplied]
}
