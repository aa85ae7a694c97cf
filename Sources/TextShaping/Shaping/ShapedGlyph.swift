// The input and output types of shaping.

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

/// A feature setting of the caller.
package struct FontFeature: Hashable, Sendable {
  /// The feature's tag, such as `smcp`.
  package var tag: Tag
  /// 0 to disable, 1 to enable; for features with several alternates, the number of the alternate.
  package var value: Int

  /// Creates a setting that enables the feature unless another value is given.
  package init(_ tag: Tag, _ value: Int = 1) {
    self.tag = tag
    self.value = value
  }
}
