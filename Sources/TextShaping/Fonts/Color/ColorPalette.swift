// The colours of a font's colour glyphs (OpenType, `CPAL`).

internal import VectorGraphics

/// The first palette of a font.
struct ColorPalette: Sendable {
  /// The entry that represents the text colour.
  private static let foregroundEntry = 0xFFFF

  private let table: TableBytes
  private let foreground: Color

  /// - Parameter foreground: the text colour.
  init(_ table: TableBytes, foreground: Color) {
    self.table = table
    self.foreground = foreground
  }

  /// The colour of an entry; transparent if the palette lacks it.
  subscript(entry: Int) -> Color {
    if entry == ColorPalette.foregroundEntry { return foreground }
    guard entry < table.uint16(at: 2), table.uint16(at: 4) > 0 else { return .transparent }
    let offset = table.uint32(at: 8) + (table.uint16(at: 12) + entry) * 4
    guard table.contains(offset, 4) else { return .transparent }
    return Color(
      red8: UInt8(table.uint8(at: offset + 2)), green8: UInt8(table.uint8(at: offset + 1)),
      blue8: UInt8(table.uint8(at: offset)), alpha: Double(table.uint8(at: offset + 3)) / 255)
  }
}
