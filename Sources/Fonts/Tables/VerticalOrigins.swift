// The vertical origins of glyphs in CFF fonts (OpenType, `VORG`).

/// The `VORG` table.
struct VerticalOrigins: Sendable {
  private let table: TableBytes

  init(_ table: TableBytes) {
    self.table = table.uint16(at: 0) == 1 ? table : .empty
  }

  var isEmpty: Bool { table.isEmpty }

  /// The height of the origin above the baseline.
  func y(of glyph: GlyphID) -> Int {
    if let index = table.binarySearch(glyph.index, count: table.uint16(at: 6), at: 8, stride: 4) {
      return table.int16(at: 8 + index * 4 + 2)
    }
    return table.int16(at: 4)
  }
}
