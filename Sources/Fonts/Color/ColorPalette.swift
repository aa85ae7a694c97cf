// The colours of a font's colour glyphs (OpenType, `CPAL`).

package import VectorGraphics

/// The palette of a colour font that is used, and changes to its colours (CSS Fonts 4, section 9).
package struct PaletteSelection: Hashable, Sendable {
  /// One of the palettes of a font.
  package enum Base: Hashable, Sendable {
    /// The palette with a number; the first one if the font lacks it.
    case index(Int)
    /// The first palette for text on a light background, otherwise the first one.
    case light
    /// The first palette for text on a dark background, otherwise the first one.
    case dark
  }

  /// The first palette of a font.
  package static let standard = PaletteSelection()

  /// The palette.
  package var base: Base
  /// The colours that replace entries of the palette.
  package var overrides: [Int: Color]

  /// Creates a selection; by default of the first palette.
  package init(base: Base = .index(0), overrides: [Int: Color] = [:]) {
    self.base = base
    self.overrides = overrides
  }
}

/// A palette of a font.
struct ColorPalette: Sendable {
  /// The entry that represents the text colour.
  private static let foregroundEntry = 0xFFFF

  private let table: TableBytes
  private let foreground: Color
  private let overrides: [Int: Color]
  /// The index of the palette's first colour among those of all palettes.
  private let firstRecord: Int

  /// The work units of selecting a palette, at most.
  static func workOfSelecting(_ table: TableBytes) -> Int { min(table.uint16(at: 4), table.count / 4) * 4 }

  /// - Parameter foreground: the text colour.
  init(_ table: TableBytes, foreground: Color, _ selection: PaletteSelection) {
    self.table = table
    self.foreground = foreground
    overrides = selection.overrides
    let index: Int? =
      switch selection.base {
      case .index(let index): index < table.uint16(at: 4) ? index : nil
      case .light: ColorPalette.firstPalette(of: table, type: 1)
      case .dark: ColorPalette.firstPalette(of: table, type: 2)
      }
    firstRecord = table.uint16(at: 12 + (index ?? 0) * 2)
  }

  /// Returns the first palette with a flag; `nil` if there is none, or if the table has no flags, as in version 0.
  private static func firstPalette(of table: TableBytes, type flag: Int) -> Int? {
    let count = table.uint16(at: 4)
    let types = table.uint32(at: 12 + count * 2)
    guard table.uint16(at: 0) >= 1, types != 0 else { return nil }
    return (0..<count).first { table.uint32(at: types + $0 * 4) & flag != 0 }
  }

  /// The number of entries.
  var count: Int { table.uint16(at: 4) > 0 ? table.uint16(at: 2) : 0 }

  /// The colour of an entry; transparent if the palette lacks it.
  subscript(entry: Int) -> Color {
    if entry == ColorPalette.foregroundEntry { return foreground }
    guard entry < table.uint16(at: 2), table.uint16(at: 4) > 0 else { return .transparent }
    if let override = overrides[entry] { return override }
    let offset = table.uint32(at: 8) + (firstRecord + entry) * 4
    guard table.contains(offset, 4) else { return .transparent }
    return Color(
      red8: UInt8(table.uint8(at: offset + 2)), green8: UInt8(table.uint8(at: offset + 1)),
      blue8: UInt8(table.uint8(at: offset)), alpha: Double(table.uint8(at: offset + 3)) / 255)
  }
}
