// The input and output types of shaping.

package import Fonts
internal import ImageCore

/// A positioned glyph.
package struct ShapedGlyph: Hashable, Sendable {
  /// The glyph's index in the font.
  package var glyph: GlyphID
  /// The index in the shaped text of the first character that the glyph represents. Glyphs of one cluster share it.
  package var cluster: Int
  /// The horizontal advance after the glyph, in font units.
  package var xAdvance: Double
  /// The vertical advance, upwards: negative in vertical text.
  package var yAdvance: Double
  /// The horizontal offset at which the glyph is drawn, relative to the pen.
  package var xOffset: Double
  /// The vertical offset, upwards.
  package var yOffset: Double
}

/// The direction of text.
package enum TextDirection: Hashable, Sendable {
  case leftToRight
  case rightToLeft
  case topToBottom

  /// Whether lines of text are horizontal.
  package var isHorizontal: Bool { self != .topToBottom }
}
