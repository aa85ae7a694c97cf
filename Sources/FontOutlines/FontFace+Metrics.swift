// Measures of a face and of its glyphs, in font units.

internal import ImageCore

extension FontFace {
  /// The units of the square that letters are designed in; a font size is that many units long.
  package var unitsPerEm: Double { Double(tables.unitsPerEm) }
  /// How far letters reach above the baseline.
  package var ascender: Double { tables.metrics.ascender }
  /// How far letters reach below the baseline: negative.
  package var descender: Double { tables.metrics.descender }
  /// The space between lines.
  package var lineGap: Double { tables.metrics.lineGap }
  /// The height of a small x, where the font says.
  package var xHeight: Double? { tables.metrics.xHeight }
  /// The height of capitals, where the font says.
  package var capHeight: Double? { tables.metrics.capHeight }
  /// The line under text, where the font says.
  package var underline: LineMetrics? { tables.metrics.underline }
  /// The line through text, where the font says.
  package var strikeout: LineMetrics? { tables.metrics.strikeout }
  /// Where subscripts stand, where the font says.
  package var subscriptMetrics: ScriptMetrics? { tables.metrics.subscripts }
  /// Where superscripts stand, where the font says.
  package var superscriptMetrics: ScriptMetrics? { tables.metrics.superscripts }
  /// Whether the font has measures for vertical text.
  package var hasVerticalMetrics: Bool { !tables.vertical.isEmpty }

  /// How far a glyph moves the pen in horizontal text.
  package func advance(of glyph: GlyphID) -> Double {
    Double(tables.horizontal.advance(of: glyph))
  }

  /// How far a glyph moves the pen in vertical text, downwards; a font without vertical measures gives its line height.
  package func verticalAdvance(of glyph: GlyphID) -> Double {
    tables.vertical.isEmpty ? ascender - descender : Double(tables.vertical.advance(of: glyph))
  }

  /// Where the pen of vertical text stands for a glyph, from the glyph's horizontal origin.
  package func verticalOrigin(of glyph: GlyphID) -> (x: Double, y: Double) {
    (advance(of: glyph) / 2, ascender)
  }
}
